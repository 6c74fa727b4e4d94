/** Programs that nobody released give their room in control memory back once they are collected. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type CLContext, createContext } from 'millrace/opencl';
import { expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function dropPrograms(context: CLContext, count: number): void {
  const queue = context.createCommandQueue();
  for (let round = 0; round < count; round += 1) {
    const program = context.createProgram(`kernel void f(global int *x) { x[0] = ${round}; }`);
    program.build();
    const kernel = program.createKernel('f');
    kernel.setArg(0, context.createBuffer(0, 4));
    queue.enqueueTask(kernel);
    if (round % 2 === 0) {
      kernel.release();
      program.release();
    }
  }
  queue.finish();
  queue.release();
}

/** Collects until no more than `bound` bytes of control memory are in use, but not for ever. */
async function collectUntil(context: CLContext, bound: number, rounds: number): Promise<void> {
  // The engine runs finalisers when it finds the time; on a busy machine that may be a while after a collection.
  for (let round = 0; round < rounds; round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
    // What waited for commands is given back when memory is next asked for.
    context.createBuffer(0, 4).release();
    if (context.runtime.control.used <= bound) break;
  }
}

it('takes programs, kernels and buffers that were dropped', async () => {
  const context = createContext();
  const { control, memory } = context.runtime;
  // The first round also makes the room that stays: event slots and chunks of the command stream.
  const start = control.used;
  dropPrograms(context, 200);
  await collectUntil(context, start, 50);
  const before = [control.used, memory.used] as const;
  dropPrograms(context, 200);
  await collectUntil(context, before[0], 500);
  expect(control.used).toBeLessThan(before[0] + 20 * 1024);
  expect(memory.used).toBeLessThanOrEqual(before[1] + 1024);
  context.releaseAll();
});
