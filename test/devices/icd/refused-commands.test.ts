// What a driver's queue makes of commands that the driver refuses, with a driver made up. Found by `npm run campaign -- drivers`, seed 100156.
import { expect, it } from 'vitest';
import { DriverQueue } from '../../../src/devices/icd/driver-queue.ts';

/** Commands are numbers, which their events have, too; `statuses` is what the driver says of those. */
function queueOf(outOfOrder: boolean, refused: ReadonlySet<number>) {
  const statuses = new Map<number, number>();
  const ended: [command: number, status: number][] = [];
  const host = {
    driver: { clCreateCommandQueue: () => 1, clFlush: () => 0, clReleaseEvent: () => 0 },
    events: {
      isHeldOnce: () => false,
      submit: () => {},
      status: () => 2,
      start: () => {},
      writeMessage: () => 1,
      complete: (event: number, status: number) => ended.push([event, status]),
      release: () => {},
    },
    dependencies: { own: () => {}, ended: () => {} },
    commands: {
      enqueue: (_queue: number, [command]: number[]) =>
        refused.has(command!)
          ? { event: 0, status: -54, written: [] }
          : { event: command, status: 0, written: [] },
    },
    statusOf: (event: number) => statuses.get(event) ?? 2,
    publish: () => 0,
  };
  const options = { outOfOrder, profiling: false };
  const queue = new DriverQueue({} as never, host as never, options as never);
  const enqueue = (command: number): void =>
    queue.enqueue(
      { event: command, payload: [command], queue: { launchEnded: () => {} } } as never,
      0,
      false,
    );
  return { queue, statuses, ended, enqueue };
}

it('in order, a refused command ends after those ahead of it', () => {
  const { queue, statuses, ended, enqueue } = queueOf(false, new Set([2, 3]));
  for (const command of [1, 2, 3, 4]) enqueue(command);
  expect(queue.lookAt()).toBe(false);
  expect(queue.hasFailures).toBe(false);
  expect(ended).toEqual([]);
  statuses.set(1, 0);
  expect(queue.lookAt()).toBe(true);
  expect(ended).toEqual([
    [1, 0],
    [2, -54],
    [3, -54],
  ]);
  statuses.set(4, 0);
  queue.lookAt();
  expect(ended.at(-1)).toEqual([4, 0]);
});

it('out of order, it ends when the queue next looks', () => {
  const { queue, ended, enqueue } = queueOf(true, new Set([2]));
  for (const command of [1, 2]) enqueue(command);
  expect(queue.hasFailures).toBe(true);
  expect(queue.lookAt()).toBe(true);
  expect(ended).toEqual([[2, -54]]);
});
