/** A program in C that makes contexts and never releases them: what that costs, and how it ends. */
import { readdirSync } from 'node:fs';
import { CHost, openclFunctions } from 'millrace/c-host';
import { afterEach, expect, it } from 'vitest';

const place = 65536;
let opened: CHost | undefined;
afterEach(() => opened?.close());

/** A program with so much memory, which makes contexts with a queue each. */
function program(maximumPages: number) {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: maximumPages, shared: true });
  const host = new CHost({ memory, maximumPages, table: () => undefined, print: () => {} });
  opened = host;
  const functions = openclFunctions(host);
  const words = new Int32Array(memory.buffer, place, 16);
  functions['clGetPlatformIDs']!(1, place, 0);
  functions['clGetDeviceIDs']!(0, 1n, 1, place, 0);
  return {
    functions,
    /** The context and its queue, and the code of the call that failed. */
    make(): { context: number; queue: number; code: number } {
      const context = functions['clCreateContext']!(0, 1, place, 0, 0, place + 4)!;
      if (context === 0) return { context, queue: 0, code: words[1]! };
      const queue = functions['clCreateCommandQueue']!(context, words[0]!, 0n, place + 4)!;
      return { context, queue, code: words[1]! };
    },
  };
}

it('the memory ends with the code for that, and a context that is released makes room for another', () => {
  const { functions, make } = program(200);
  const made: ReturnType<typeof make>[] = [];
  let last = make();
  for (; last.code === 0; last = make()) made.push(last);
  // OpenCL 1.2, 4.4 and 5.1: CL_OUT_OF_HOST_MEMORY.
  expect(last.code).toBe(-6);
  expect(made.length).toBeGreaterThan(2);
  const { context, queue } = made[0]!;
  expect(functions['clReleaseCommandQueue']!(queue)).toBe(0);
  expect(functions['clReleaseContext']!(context)).toBe(0);
  expect(make().code).toBe(0);
});

// The program never returns to the event loop, and never enqueues anything.
it.runIf(process.platform === 'linux')(
  'their threads end, but for a few',
  () => {
    const threadCount = (): number => readdirSync('/proc/self/task').length;
    const before = threadCount();
    const { make } = program(16384);
    for (let count = 0; count < 12; count += 1) expect(make().code).toBe(0);
    expect(threadCount()).toBeGreaterThan(before);
    // Threads start in their own time, a second on a busy machine, and end when a later context begins. Five contexts may have two each.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let count = 0; count < 90 && threadCount() > before + 10; count += 1) {
      Atomics.wait(pause, 0, 0, 1000);
      expect(make().code).toBe(0);
    }
    expect(threadCount()).toBeLessThanOrEqual(before + 10);
  },
  180_000,
);
