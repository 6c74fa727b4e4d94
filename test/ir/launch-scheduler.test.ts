/** Kernels that launch others, in the interpreter: when the launches begin is the affair of the scheduler that it is given. */
import { expect, it } from 'vitest';
import type { EnqueueRequest, LaunchScheduler } from '../../src/ir/interpreter/launch-scheduler.ts';
import { Interpreter } from '../../src/ir/interpreter.ts';
import { NestedLaunches } from '../../src/runtime/nested-launches.ts';
import { moduleOf } from './run.ts';

const text = `
function @queue.create_user_event() -> i32 imported("queue", "create_user_event")
function @queue.is_valid_event(%e: i32) -> i32 imported("queue", "is_valid_event")

kernel @k(%out: ptr<global>) {
  %e = call @queue.create_user_event() : i32
  %v = call @queue.is_valid_event(%e) : i32
  store %out, %e align=4
  %four = constant 4 : i32
  %next = offset %out, %four : ptr<global>
  store %next, %v align=4
  return
}
`;
const range = { globalSize: [1], localSize: [1] };

/** Runs the kernel; what it has written. */
function run(...schedulers: Parameters<Interpreter['begin']>[5][]): number[] {
  const machine = new Interpreter(moduleOf(text));
  const bytes = new Uint8Array(8);
  const address = machine.allocate('global', bytes);
  machine
    .begin('k', range, [{ kind: 'address', address }], undefined, undefined, ...schedulers)
    .run(Number.POSITIVE_INFINITY);
  return [...new Int32Array(bytes.buffer)];
}

/** Says what it was asked, and gives events the number 42. */
class Recorder<T> implements LaunchScheduler<T> {
  readonly defaultQueue = 0;
  readonly isComplete = true;
  readonly #asked: string[];

  constructor(asked: string[]) {
    this.#asked = asked;
  }

  enqueue(_: EnqueueRequest<T>): { status: number; event: number } {
    return { status: -1, event: 0 };
  }
  createUserEvent(): number {
    this.#asked.push('create');
    return 42;
  }
  isValid(event: number): boolean {
    this.#asked.push(`valid ${event}`);
    return event === 42;
  }
  groupEnded(): void {
    this.#asked.push('group ended');
  }
  ended(): void {
    this.#asked.push('ended');
  }
  next(): T | undefined {
    return undefined;
  }
  stuck(): string {
    return 'stuck';
  }
  retain(): void {}
  releaseEvent(): void {}
  setStatus(): void {}
  capture(): void {}
}

it('asks the scheduler, in the order of what happens', () => {
  const asked: string[] = [];
  expect(run(() => new Recorder(asked))).toEqual([42, 1]);
  expect(asked).toEqual(['create', 'valid 42', 'group ended', 'ended']);
});

it('runs by that of devices', () => {
  const queues = { defaultQueue: 0, capacityOf: () => undefined };
  expect(run((now, writeTimes) => new NestedLaunches(queues, now, writeTimes))).toEqual([1, 1]);
});

it('refuses such kernels without one', () => {
  expect(() => run()).toThrow('a kernel that launches others cannot be run here');
});
