/**
 * What a launch says that failed because its kernel reached outside of all memory: which access of the source, through which argument of
 * how many bytes, and who knows more. Memory ends far behind every buffer, so the accesses go far.
 */
import { CL, type CLBuffer, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const source = `kernel void load(global int *a, global int *b) {
  int x = get_global_id(0);
  b[x] = a[x + 900000000];
}
kernel void stores(int n, global float *out) {
  int x = get_global_id(0);
  if (x > 2)
    out[x * n] = x;
}
kernel void counts(global int *a, volatile global int *sums) {
  atomic_add(&sums[get_global_id(0) + 800000000], a[0]);
}
kernel void walks(global const uchar *a, global int *b, int n) {
  int s = 0;
  for (global const uchar *p = a; s < 1000; p += n) s += *p;
  b[0] = s;
}
kernel void table(global int *a, global int *b) {
  global int *p[2] = {a, b};
  int x = get_global_id(0);
  b[x] = p[x & 1][x + 900000000];
}
int helper(global int *p, int i) {
  return p[i];
}
kernel void called(global int *a, global int *b) {
  b[0] = helper(b, 700000000);
}`;

const [wasm] = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CPU);

describe.each([
  ['on threads', true],
  ['on the host thread', false],
])('an access outside of all memory %s', (_title, shared) => {
  const context = createContext(wasm!, { shared });
  const queue = context.createCommandQueue();
  // Two sources, for what is kept of the first build has no places in the text.
  const program = context.createProgram(`${source} // ${shared}`);
  program.build();
  // The runner writes traces in its own way, without places in WebAssembly.
  const { prepareStackTrace } = Error;
  beforeAll(() => {
    Error.prepareStackTrace = undefined as never;
  });
  afterAll(() => {
    Error.prepareStackTrace = prepareStackTrace;
    context.releaseAll();
  });
  const whole = context.createBuffer(CL.MEM_READ_WRITE, 4096);
  const part = whole.createSubBuffer(CL.MEM_READ_WRITE, 1024, 400);
  const int = (value: number) => Int32Array.of(value);

  const failureOf = (name: string, args: readonly (CLBuffer | Int32Array | null)[]): string => {
    const kernel = program.createKernel(name);
    for (const [index, argument] of args.entries()) kernel.setArg(index, argument);
    try {
      queue.enqueueNDRangeKernel(kernel, 1, null, [100], [50]);
      queue.finish();
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing failed';
  };

  it.each([
    ['load', [part, whole], "a load at <kernel>:3:10 through argument 0, 'a', which has 400 bytes"],
    ['load', [null, whole], "a load at <kernel>:3:10 through argument 0, 'a', a null pointer"],
    [
      'stores',
      [int(100_000_000), whole],
      "a store at <kernel>:8:5 through argument 1, 'out', which has 4096 bytes",
    ],
    [
      'counts',
      [whole, part],
      "an atomic operation at <kernel>:11:3 through argument 1, 'sums', which has 400 bytes",
    ],
    [
      'walks',
      [whole, part, int(1 << 30)],
      "a load at <kernel>:15:58 through argument 0, 'a', which has 4096 bytes",
    ],
    ['table', [whole, part], 'a load at <kernel>:21:10'],
    ['called', [whole, part], "a load at <kernel>:24:10 through argument 1, 'b', which has 400 bytes"],
  ] as const)('%s', (name, args, access) => {
    expect(failureOf(name, args)).toBe(
      `kernel '${name}' failed: memory access out of bounds: ${access} (millrace check says more)`,
    );
  });
});
