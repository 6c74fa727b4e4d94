/** Which contexts' threads end to make room for others: those of idle contexts, and of each all or none. */
import { afterEach, expect, it } from 'vitest';
import { addThreads, type RestingThreads, removeThreads } from '../../../src/devices/wasm/idle-threads.ts';

class Threads implements RestingThreads {
  mayRest = true;
  activity = 0;
  isRunning = true;
  readonly context: object;

  constructor(context: object) {
    this.context = context;
    made.push(this);
    addThreads(this);
  }

  rest(): void {
    this.isRunning = false;
  }
}

const made: Threads[] = [];
afterEach(() => {
  for (const threads of made.splice(0)) removeThreads(threads);
});

const running = (): boolean[] => made.map(({ isRunning }) => isRunning);

it('four idle contexts keep their threads, the fifth takes the place of the oldest', () => {
  for (let index = 0; index < 4; index += 1) new Threads({});
  expect(running()).toEqual([true, true, true, true]);
  new Threads({});
  expect(running()).toEqual([false, true, true, true, true]);
});

it('all devices of a context count once, and rest together', () => {
  const shared = {};
  for (let index = 0; index < 8; index += 1) new Threads(shared);
  expect(running()).not.toContain(false);
  for (let index = 0; index < 4; index += 1) new Threads({});
  expect(running()).toEqual([...new Array(8).fill(false), true, true, true, true]);
});

it('a context of which one device works keeps the threads of all', () => {
  const shared = {};
  const [first] = [new Threads(shared), new Threads(shared)];
  first.mayRest = false;
  for (let index = 0; index < 6; index += 1) new Threads({});
  expect(running().slice(0, 2)).toEqual([true, true]);
});
