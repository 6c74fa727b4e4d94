/** What commands without bytes to move wait for: their wait list, what their queue's order asks, and nothing else (OpenCL 1.2, 5.10 and 5.11). */
import { CL, type CLContext, CLEvent, createContext, OpenCLError } from 'millrace/opencl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let context: CLContext;
beforeAll(() => {
  context = createContext();
});
afterAll(() => context.releaseAll());

const statusOf = (event: CLEvent): number => event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS);

/** Rejects if the event does not end soon: the gate is closed, so it would never. */
async function endsSoon(event: CLEvent, what: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} waits for a command that it must not wait for`)),
      5000,
    );
  });
  await Promise.race([event.done, tooLate]).finally(() => clearTimeout(timer));
}

/** Time for commands to end that should not. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

function kernelOf() {
  const program = context.createProgram('kernel void nothing(global int *a) { }');
  program.build();
  const kernel = program.createKernel('nothing');
  kernel.setArg(0, context.createBuffer(CL.MEM_READ_WRITE, 4));
  return kernel;
}

describe('out of order, with a command that has not begun', () => {
  it.each([
    'a map',
    'an unmap',
    'a read of no bytes',
    'a migration',
    'a launch without work-items',
    'a marker whose list is over',
    'a barrier whose list is over',
  ])('%s does not wait for it', async (what) => {
    const queue = context.createCommandQueue(undefined, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const [held, other] = [0, 1].map(() => context.createBuffer(CL.MEM_READ_WRITE, 64)) as [
      ReturnType<CLContext['createBuffer']>,
      ReturnType<CLContext['createBuffer']>,
    ];
    const mapped = queue.enqueueMapBuffer(other, true, CL.MAP_READ, 0, 64);
    const over = queue.enqueueFillBuffer(other, Uint8Array.of(1), 0, 64);
    await over.done;
    const gate = context.createUserEvent();
    const waiting = queue.enqueueFillBuffer(held, Uint8Array.of(7), 0, 64, [gate]);
    const event = new CLEvent();
    if (what === 'a map') queue.enqueueMapBuffer(other, false, CL.MAP_READ, 0, 64, null, event);
    else if (what === 'an unmap') queue.enqueueUnmapMemObject(other, mapped, null, event);
    else if (what === 'a read of no bytes')
      queue.enqueueReadBuffer(other, false, 0, 0, new Uint8Array(1), null, event);
    else if (what === 'a migration') queue.enqueueMigrateMemObjects([other], 0, null, event);
    else if (what === 'a launch without work-items')
      queue.enqueueNDRangeKernel(kernelOf(), 1, null, [0], null, null, event);
    else if (what === 'a marker whose list is over') queue.enqueueMarkerWithWaitList([over], event);
    else queue.enqueueBarrierWithWaitList([over], event);
    try {
      await endsSoon(event, what);
      expect(statusOf(waiting)).toBeGreaterThan(CL.COMPLETE);
    } finally {
      gate.setStatus(CL.COMPLETE);
    }
    await waiting.done;
    queue.release();
  });

  it.each(['a map', 'a marker whose list is over'])('%s waits for a barrier before it', async (what) => {
    const queue = context.createCommandQueue(undefined, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
    const over = queue.enqueueFillBuffer(buffer, Uint8Array.of(1), 0, 64);
    await over.done;
    const gate = context.createUserEvent();
    queue.enqueueBarrierWithWaitList([gate]);
    const event = new CLEvent();
    if (what === 'a map') queue.enqueueMapBuffer(buffer, false, CL.MAP_READ, 0, 64, null, event);
    else queue.enqueueMarkerWithWaitList([over], event);
    await pause();
    const early = statusOf(event);
    gate.setStatus(CL.COMPLETE);
    await event.done;
    expect(early).toBeGreaterThan(CL.COMPLETE);
    queue.release();
  });
});

it.each(['marker', 'barrier'])(
  'in order, a %s whose list is over ends after the commands before it',
  async (what) => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
    const over = queue.enqueueFillBuffer(buffer, Uint8Array.of(1), 0, 64);
    await over.done;
    const gate = context.createUserEvent();
    const waiting = queue.enqueueFillBuffer(buffer, Uint8Array.of(7), 0, 64, [gate]);
    const event =
      what === 'marker' ? queue.enqueueMarkerWithWaitList([over]) : queue.enqueueBarrierWithWaitList([over]);
    await pause();
    const early = statusOf(event);
    gate.setStatus(CL.COMPLETE);
    await event.done;
    expect(early).toBeGreaterThan(CL.COMPLETE);
    expect(statusOf(waiting)).toBe(CL.COMPLETE);
    queue.release();
  },
);

it('a read into an array that has gone to another thread fails, and what comes after it ends', async () => {
  const queue = context.createCommandQueue();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
  const gate = context.createUserEvent();
  const array = new Uint8Array(64);
  const read = queue.enqueueReadBuffer(buffer, false, 0, 64, array, [gate]);
  const after = queue.enqueueFillBuffer(buffer, Uint8Array.of(7), 0, 64);
  structuredClone(array, { transfer: [array.buffer] });
  gate.setStatus(CL.COMPLETE);
  const error = await read.done.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OpenCLError);
  expect((error as OpenCLError).name).toBe('CL_OUT_OF_RESOURCES');
  await after.done;
  queue.release();
});
