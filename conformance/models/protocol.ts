/**
 * A protocol of the lock-free parts as a model: a few threads that run Millrace's own code (coroutines.ts) on a small memory, what must be true at the end, and
 * *mutations*: changes to the code that break it, which the exploration must find, or it would find nothing. Each protocol is a file of `protocols`; here is
 * what they have in common.
 */
import type { Change, Coroutine } from './coroutines.ts';
import type { MakeModel, WatchedWords } from './explore.ts';

export interface Mutation {
  readonly name: string;
  readonly change: Change;
}

export interface Protocol {
  readonly about: string;
  /** Constants that are smaller here. */
  readonly scaled?: readonly Change[];
  readonly mutations: readonly Mutation[];
  /** It has too many orders for all of them to be run. */
  readonly isLarge?: true;
  /** @param load gives a file's exports, changed */
  make(load: (file: string) => Module): MakeModel;
}

// What coroutines call is not typed: their functions give generators here.
export type Module = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
export type Made = Readonly<Record<string, (...args: readonly unknown[]) => Coroutine>>;

/** Sources that models run. */
export const files = {
  ring: 'src/devices/wasm/nested/shared-ring.ts',
  set: 'src/devices/wasm/nested/shared-set.ts',
  events: 'src/runtime/event-table.ts',
  notifications: 'src/runtime/notifications.ts',
  launches: 'src/devices/wasm/launch-table.ts',
  worker: 'src/devices/wasm/worker.ts',
  bell: 'src/devices/wasm/processor-words.ts',
  nestedEvents: 'src/devices/wasm/nested/events.ts',
  queueTable: 'src/devices/wasm/nested/queue-table.ts',
  scheduler: 'src/devices/wasm/nested/scheduler.ts',
  stream: 'src/devices/wasm/command-stream.ts',
  streamQueue: 'src/devices/wasm/stream-queue.ts',
  queueRecord: 'src/devices/wasm/queue-record.ts',
  inOrder: 'src/devices/wasm/in-order-queue.ts',
  outOfOrder: 'src/devices/wasm/out-of-order-queue.ts',
  newQueues: 'src/devices/wasm/new-queues.ts',
  dependencies: 'src/devices/wasm/dependencies.ts',
  processor: 'src/devices/wasm/processor.ts',
  localEngine: 'src/runtime/local-engine.ts',
} as const;

/** Where models put what is not at a place of its own. */
export const base = 16_384;

/** Control memory, as far as the code asks for it. From now on it is what {@link now} works on. */
export function controlOf(words: WatchedWords): object & { next: number } {
  const { seen, raw } = words;
  rawBehind = () => raw;
  return {
    words: seen,
    floats: new Float64Array(raw.length / 2),
    bytes: new Uint8Array(raw.length * 4),
    memory: {},
    reach() {},
    next: base,
    allocate(this: { next: number }, bytes: number) {
      const at = this.next;
      this.next += Math.ceil(bytes / 4);
      return at;
    },
  } as never;
}

export type MadeClass = new (...args: unknown[]) => Made;

/** A class that a file exports; its methods are coroutines. */
export const classIn = (module: Module, name: string): MadeClass =>
  (module as unknown as Readonly<Record<string, MadeClass>>)[name]!;

/** Runs a call to its end, before the threads begin. */
export function now(value: unknown): unknown {
  const coroutine = value as Coroutine;
  if (Object.prototype.toString.call(value) !== '[object Generator]') return value;
  let answer: unknown;
  for (let step = 0; step < 10_000; step += 1) {
    const { done, value: next } = coroutine.next(answer);
    if (done) return next;
    const { name, args } = next;
    const [words, index, ...values] = args;
    const operation = Atomics[name] as (...all: unknown[]) => unknown;
    answer = operation(rawBehind(words), index, ...values);
  }
  throw new Error('a call of one thread alone does not end');
}

let rawBehind: (words: Int32Array) => Int32Array = (words) => words;

export function must(holds: boolean, text: string): void {
  if (!holds) throw new Error(text);
}

export const same = (one: readonly number[], other: readonly number[]): boolean =>
  JSON.stringify([...one].sort((a, b) => a - b)) === JSON.stringify([...other].sort((a, b) => a - b));
