/**
 * Runs the threads of a model in every order that could make a difference, or in random ones. A step is one atomic operation and what the thread
 * does up to its next one. Two steps are independent if neither writes a word that the other touches; of orders that differ in independent steps only one is
 * run to its end (sleep sets: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 5). At a point only those threads are tried
 * that a later step is in a race with (source sets: Abdulla and others, "Optimal Dynamic Partial Order Reduction", 2014).
 *
 * Memory is sequentially consistent here, as it is for programs in which all that races is atomic. Plain reads and writes count as parts of the step that
 * they are in.
 */
import { Random } from '../../test/support/random.ts';
import { type Coroutine, type Operation, perform, standsFor } from './coroutines.ts';

export interface Model {
  /** Threads by their names, which begin at the same time, in memory that is ready. */
  readonly threads: Readonly<Record<string, Coroutine>>;
  /** Those of them that serve the others: they never end, and sleep when there is nothing left to do. */
  readonly servants?: readonly string[];
  /** Operations without a change of memory after which a thread counts as one that looks for a change, if it may do more than a few by itself. */
  readonly patience?: number;
  /** What must be true when all have ended. @throws Error if it is not */
  check(): void;
}

/** Shared memory as threads see it; what they do to it by plain reads and writes is noted. */
export class WatchedWords {
  readonly raw: Int32Array;
  readonly seen: Int32Array;
  #reads = new Set<number>();
  #writes = new Set<number>();

  constructor(length: number) {
    this.raw = new Int32Array(new SharedArrayBuffer(length * 4));
    this.seen = new Proxy(this.raw, {
      get: (target, key) => {
        const index = typeof key === 'string' ? Number(key) : Number.NaN;
        if (Number.isInteger(index)) {
          if (index < 0 || index >= target.length) throw new Error(`word ${index} is read`);
          this.#reads.add(index);
          return target[index];
        }
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value: number) => {
        const index = Number(key);
        if (!(index >= 0 && index < target.length)) throw new Error(`word ${String(key)} is written`);
        this.#writes.add(index);
        target[index] = value;
        return true;
      },
    });
    standsFor(this.seen, this.raw);
  }

  /** What was read and written since the last call. */
  takeFootprint(): Footprint {
    const footprint = { reads: this.#reads, writes: this.#writes };
    this.#reads = new Set();
    this.#writes = new Set();
    return footprint;
  }
}

interface Footprint {
  readonly reads: Set<number>;
  readonly writes: Set<number>;
  /** Threads that it has woken. */
  woken?: readonly number[];
}

function areIndependent(a: Footprint, b: Footprint): boolean {
  const meets = (one: Set<number>, other: Set<number>): boolean => [...one].some((word) => other.has(word));
  return !meets(a.writes, b.writes) && !meets(a.writes, b.reads) && !meets(a.reads, b.writes);
}

export interface Exploration {
  /** Orders that were run, and how many of these were given up as no different from others. */
  readonly runs: number;
  readonly pruned: number;
  readonly steps: number;
  /** Whether every order has been run. */
  readonly isWhole: boolean;
  /** What went wrong first, with the order in which it did. */
  readonly failure: string | undefined;
}

/** Makes a model anew, in memory of its own. */
export type MakeModel = (words: WatchedWords) => Model;

const wordsOfModels = 32_768;
/** Steps of one order: nothing takes so many that ends. */
const mostSteps = 3000;
/** Operations without a change of memory after which a thread looks for one again and again, if the model does not say. */
const usualPatience = 12;

class Thread {
  readonly name: string;
  readonly coroutine: Coroutine;
  pending: Operation | undefined;
  /** The word that it sleeps on. */
  asleepOn: number | undefined;
  /** Operations of its own since memory last changed, and when that was. */
  idle = 0;
  seenChanges = -1;

  constructor(name: string, coroutine: Coroutine) {
    this.name = name;
    this.coroutine = coroutine;
  }
}

/** One order of the steps of a model. */
class Run {
  readonly model: Model;
  readonly words: WatchedWords;
  readonly threads: readonly Thread[];
  readonly order: string[] = [];
  steps = 0;
  #changes = 0;

  constructor(make: MakeModel) {
    this.words = new WatchedWords(wordsOfModels);
    this.model = make(this.words);
    this.threads = Object.entries(this.model.threads).map(([name, coroutine]) => new Thread(name, coroutine));
    for (const thread of this.threads) this.#resume(thread, undefined);
    this.words.takeFootprint();
  }

  #resume(thread: Thread, value: unknown): void {
    const { done, value: next } = thread.coroutine.next(value);
    thread.pending = done ? undefined : (next as Operation);
  }

  /** Those that have not ended, but for servants that sleep. */
  get left(): readonly Thread[] {
    const { servants = [] } = this.model;
    return this.threads.filter(
      ({ name, pending, asleepOn }) => pending && !(asleepOn !== undefined && servants.includes(name)),
    );
  }

  /** The threads that can move, by their places. */
  enabled(): number[] {
    const { patience = usualPatience } = this.model;
    return this.threads.flatMap((thread, index) => {
      if (!thread.pending || thread.asleepOn !== undefined) return [];
      return thread.idle >= patience && thread.seenChanges === this.#changes ? [] : [index];
    });
  }

  /** @throws Error as the thread's code does */
  step(index: number): Footprint {
    this.steps += 1;
    const thread = this.threads[index]!;
    const operation = thread.pending!;
    const [, word, ...values] = operation.args;
    const { raw } = this.words;
    const before = raw[word]!;
    let value: number | string = 0;
    let isWrite = false;
    let woken: readonly number[] = [];
    if (operation.name === 'wait') {
      if (before !== values[0]) value = 'not-equal';
      // Who sleeps for a moment only looks again; who sleeps longer must be woken.
      else if (isShort(values[1])) value = 'timed-out';
      else {
        this.order.push(`${thread.name}: sleeps on ${word}`);
        thread.asleepOn = word;
        const footprint = this.words.takeFootprint();
        footprint.writes.add(word);
        return footprint;
      }
    } else if (operation.name === 'notify') {
      woken = this.#wake(word, values[0] ?? Number.POSITIVE_INFINITY);
      value = woken.length;
      isWrite = true;
    } else {
      value = perform(operation);
      isWrite = operation.name !== 'load' && !(operation.name === 'compareExchange' && value !== values[0]);
    }
    if (raw[word] !== before || (operation.name === 'notify' && value !== 0)) this.#changes += 1;
    this.order.push(`${thread.name}: ${operation.name} ${word} ${values.join(' ')} -> ${value}`);
    thread.idle = thread.seenChanges === this.#changes ? thread.idle + 1 : 0;
    thread.seenChanges = this.#changes;
    this.#resume(thread, value);
    const footprint = this.words.takeFootprint();
    (isWrite ? footprint.writes : footprint.reads).add(word);
    footprint.woken = woken;
    return footprint;
  }

  #wake(word: number, most: number): number[] {
    const woken: number[] = [];
    this.threads.forEach((thread, index) => {
      if (thread.asleepOn !== word || woken.length >= most) return;
      thread.asleepOn = undefined;
      thread.idle = 0;
      // It goes on behind the wait.
      this.#resume(thread, 'ok');
      woken.push(index);
    });
    return woken;
  }

  /** What is wrong at the end; undefined if nothing is. */
  problem(): string | undefined {
    const { left } = this;
    if (left.length > 0) {
      return `nothing moves any more: ${left.map(({ name, asleepOn }) => (asleepOn === undefined ? `${name} looks for what does not come` : `${name} sleeps on ${asleepOn}`)).join(', ')}`;
    }
    try {
      this.model.check();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  told(problem: string): string {
    return `${problem}\n${this.order.slice(-60).join('\n')}`;
  }
}

/** Milliseconds of a sleep that is not meant to be ended by a wake. */
function isShort(milliseconds: number | undefined): boolean {
  return milliseconds !== undefined && milliseconds < 5;
}

/** A place of an order, and the step that is done there. */
interface Point {
  readonly enabled: readonly number[];
  readonly sleep: ReadonlyMap<number, Footprint>;
  readonly tried: Map<number, Footprint>;
  /** Who is to be tried there, those that have been among them. */
  readonly due: Set<number>;
  choice: number;
  footprint: Footprint | undefined;
  /** By thread: how many steps of the order come before what the step's thread does next, and must (a vector clock). */
  clock: readonly number[];
}

/** Runs every order, up to so many. */
export function exploreAll(make: MakeModel, mostRuns: number): Exploration {
  const path: Point[] = [];
  let [runs, pruned, steps] = [0, 0, 0];
  while (runs < mostRuns) {
    runs += 1;
    const run = new Run(make);
    const problem = follow(run, path);
    steps += run.steps;
    if (problem === 'pruned') pruned += 1;
    else if (problem !== undefined)
      return { runs, pruned, steps, isWhole: false, failure: run.told(problem) };
    if (!backtrack(path)) return { runs, pruned, steps, isWhole: true, failure: undefined };
  }
  return { runs, pruned, steps, isWhole: false, failure: undefined };
}

/** Goes along the path and then on, noting the points where it could have gone elsewhere. */
function follow(run: Run, path: Point[]): string | undefined {
  let last = 0;
  const clocks = run.threads.map(() => run.threads.map(() => 0));
  for (let depth = 0; ; depth += 1) {
    let point = path[depth];
    if (!point) {
      const enabled = run.enabled();
      if (enabled.length === 0) return run.problem();
      if (run.steps > mostSteps) return 'it does not end';
      const sleep = sleepBehind(path[depth - 1]);
      const free = enabled.filter((index) => !sleep.has(index));
      if (free.length === 0) return 'pruned';
      const choice = free.includes(last) ? last : free[0]!;
      const due = new Set([choice]);
      point = { enabled, sleep, tried: new Map(), due, choice, footprint: undefined, clock: [] };
      path.push(point);
    }
    last = point.choice;
    const isKnown = point.footprint !== undefined;
    try {
      point.footprint = run.step(last);
    } catch (error) {
      return (error as Error).message;
    }
    if (!isKnown) point.clock = clockOf(path, depth, clocks[last]!);
    clocks[last] = [...point.clock];
    for (const woken of point.footprint.woken ?? []) join(clocks[woken]!, point.clock);
  }
}

function join(clock: number[], other: readonly number[]): void {
  other.forEach((steps, thread) => {
    clock[thread] = Math.max(clock[thread]!, steps);
  });
}

/** Whether a step of the path must come before what has this clock. */
const isBefore = (path: readonly Point[], depth: number, clock: readonly number[]): boolean =>
  depth < clock[path[depth]!.choice]!;

/** The clock of a step that has just been done, by that of its thread before. Where it is in a race with an earlier one the other way is noted. */
function clockOf(path: readonly Point[], depth: number, before: readonly number[]): readonly number[] {
  const { choice, footprint } = path[depth]!;
  const clock = [...before];
  for (let at = depth - 1; at >= 0; at -= 1) {
    const earlier = path[at]!;
    if (isBefore(path, at, clock) || areIndependent(earlier.footprint!, footprint!)) continue;
    noteRace(path, at, depth, before);
    join(clock, earlier.clock);
  }
  clock[choice] = depth + 1;
  return clock;
}

/** The step at `at` could have come behind that at `depth`: of those that could then come first there, one is to be tried. */
function noteRace(path: readonly Point[], at: number, depth: number, before: readonly number[]): void {
  const point = path[at]!;
  // What does not need that step, in this order, and then the later one.
  const others: number[] = [];
  for (let one = at + 1; one < depth; one += 1) {
    if (!isBefore(path, at, path[one]!.clock)) others.push(one);
  }
  const first: number[] = [];
  const seen = new Set<number>();
  for (const one of [...others, depth]) {
    const { choice } = path[one]!;
    if (seen.has(choice)) continue;
    seen.add(choice);
    const clock = one === depth ? before : path[one]!.clock;
    if (others.every((other) => other >= one || !isBefore(path, other, clock))) first.push(choice);
  }
  if (first.some((index) => point.due.has(index) || point.sleep.has(index))) return;
  const chosen = first.find((index) => point.enabled.includes(index));
  // One that looked in vain and was stopped.
  if (chosen === undefined) for (const index of point.enabled) point.due.add(index);
  else point.due.add(chosen);
}

function sleepBehind(point: Point | undefined): Map<number, Footprint> {
  const sleep = new Map<number, Footprint>();
  if (!point) return sleep;
  for (const [index, footprint] of [...point.sleep, ...point.tried])
    if (index !== point.choice && areIndependent(footprint, point.footprint!)) sleep.set(index, footprint);
  return sleep;
}

/** To the last point where there is another way; false if there is none. */
function backtrack(path: Point[]): boolean {
  for (let point = path.at(-1); point; point = path.at(-1)) {
    // Where its own code threw there is no footprint, and that ended everything.
    point.tried.set(point.choice, point.footprint!);
    const { due, tried, sleep } = point;
    const next = [...due].find((index) => !tried.has(index) && !sleep.has(index));
    if (next !== undefined) {
      point.choice = next;
      point.footprint = undefined;
      return true;
    }
    path.pop();
  }
  return false;
}

/** Runs one order at random: threads go on for a while, and change at few places, as most faults need no more. */
export function exploreRandomly(make: MakeModel, seed: number): Exploration {
  const random = new Random(seed);
  const run = new Run(make);
  const oneIn = 2 + random.below(12);
  let last = 0;
  let problem: string | undefined;
  try {
    for (let enabled = run.enabled(); enabled.length > 0 && run.steps < mostSteps; enabled = run.enabled()) {
      const stays = enabled.includes(last) && random.below(oneIn) > 0;
      last = stays ? last : random.pick(enabled);
      run.step(last);
    }
    problem = run.steps >= mostSteps ? 'it does not end' : run.problem();
  } catch (error) {
    problem = (error as Error).message;
  }
  const failure = problem === undefined ? undefined : run.told(problem);
  return { runs: 1, pruned: 0, steps: run.steps, isWhole: false, failure };
}
