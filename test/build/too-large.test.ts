/** Programs that grow too large on the way are refused in the build log, and nothing is thrown at the user. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/build/inspect.ts';
import { compileForWasm } from '../../src/devices/wasm/compile-kernels.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { BuildFailure } from '../../src/runtime/device.ts';

/** Functions that call each other in a chain; `body` writes one from the call of the next. */
function chain(length: number, body: (call: string) => string, start = ''): string {
  const functions = [`int f0(int x, global int *p) { ${start} return p[x]; }`];
  for (let index = 1; index <= length; index += 1) {
    functions.push(`int f${index}(int x, global int *p) { ${body(`f${index - 1}(x, p)`)} }`);
  }
  return `${functions.join('\n')}\nkernel void k(global int *p) { p[0] = f${length}(1, p); }`;
}

/** Each function nests its call a hundred conditions deep. */
const nested = (length: number, start = 'barrier(CLK_GLOBAL_MEM_FENCE);'): string =>
  chain(
    length,
    (call) => {
      const conditions = Array.from(
        { length: 100 },
        (_, index) => `if (p[x + ${index}] > ${index}) { p[x + 500] = ${index};`,
      );
      return `${conditions.join(' ')} x += ${call}; ${'}'.repeat(100)} return x;`;
    },
    start,
  );

const cases = {
  'calls that multiply': [
    // Functions with barriers in them cannot stay functions.
    chain(12, (call) => `return ${Array(10).fill(call).join(' + ')};`, 'barrier(CLK_GLOBAL_MEM_FENCE);'),
    'grows by more than 1000000 instructions when its calls are inlined',
  ],
  'nesting that passes cannot follow': [nested(12), 'nests more than 1000 deep when its calls are inlined'],
  'nesting that the code generator cannot follow': [nested(7), "'k' nests more than 512 deep"],
} as const;

describe.each(Object.entries(cases))('%s', (_, [source, message]) => {
  it('end in the build log', () => {
    const { module } = compileOpenCL(source, {});
    let thrown: unknown;
    try {
      compileForWasm(module!, { shared: true }, '');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BuildFailure);
    expect((thrown as BuildFailure).log).toContain(`error: `);
    expect((thrown as BuildFailure).log).toContain(message);
  });

  it('end in the log of an inspection', () => {
    const { output, log } = inspect(source, { emit: 'wasm' });
    expect(output).toBeUndefined();
    expect(log).toContain(message);
  });
});

describe('arguments', () => {
  const structOf = (bytes: number): string =>
    `typedef struct { char a[${bytes}]; } S; kernel void k(S s, global char *o) { o[0] = s.a[0]; }`;
  const compiled = (bytes: number) => () =>
    compileForWasm(compileOpenCL(structOf(bytes)).module!, { shared: true }, '');

  it('that take more than a launch has room for are refused', () => {
    expect(compiled(4092)).not.toThrow();
    expect(compiled(4096)).toThrow(
      "the arguments of kernel 'k' take 4100 bytes; the device has room for 4096",
    );
  });
});
