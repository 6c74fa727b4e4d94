/**
 * A small machine for the models of commands that wait for others: the host's end of queues, command processors with theirs, and a compute thread for each.
 * All of it is Millrace's own code but for the kernels.
 */
import { launchPayload } from '../../src/devices/wasm/launch-payload.ts';
import { commonProcessorWords } from '../../src/devices/wasm/processor-words.ts';
import {
  launchBlockBytes,
  launchState,
  launchWords,
  poolWords,
  queueWords,
} from '../../src/devices/wasm/shared-layout.ts';
import { head } from '../../src/runtime/control-memory.ts';
import { type Change, type Coroutine, perform } from './coroutines.ts';
import { device } from './device-words.ts';
import type { MakeModel, Model, WatchedWords } from './explore.ts';
import { type Known, KnownCommands, type Wishes } from './known-commands.ts';
import { base, classIn, controlOf, files, type Made, type Module, must, now } from './protocol.ts';
import { workerParts } from './stand-ins.ts';

export interface Scenario extends Wishes {
  /** What the host has done when the threads begin, and what it does then: it gives a command to its queue, or ends an event of the program. */
  readonly first: readonly string[];
  readonly later: readonly string[];
  /** Compute threads of each device that are Millrace's own. Else there is one that can hold several launches, and ends the last first. */
  readonly workers?: number;
}

/** Chunks of streams are smaller, commands that have ended go at once, and a processor that finds nothing to do sleeps. */
export const smallMachine: readonly Change[] = [
  { file: files.stream, from: 'const chunkWords = 8192;', to: 'const chunkWords = 100;' },
  { file: files.processor, from: 'const spins = 1500;', to: 'const spins = 0;' },
  { file: files.worker, from: 'const spins = 2000;', to: 'const spins = 0;' },
  { file: files.outOfOrder, from: 'this.#oldest > 64 &&', to: 'this.#oldest > 0 &&' },
];

/** The numbers of kinds in a stream (commandKind). */
const kinds = { launch: 1, marker: 2, barrier: 3, host: 4 } as const;

/** So far from one device's words are those of the next. */
const deviceWords = 5000;

type MadeQueue = Made & { readonly owner: number };

export function machineIn(load: (file: string) => Module, scenario: Scenario): MakeModel {
  return (words) => new Machine(load, words, scenario).model();
}

class Machine {
  readonly #load: (file: string) => Module;
  readonly #words: WatchedWords;
  readonly #scenario: Scenario;
  readonly #control: object & { next: number };
  readonly #events: Made;
  readonly #notifications: Made;
  readonly #known: KnownCommands;
  readonly #queues = new Map<string, MadeQueue>();
  readonly #devices: readonly number[];
  readonly #processors: readonly Coroutine[];
  constructor(load: (file: string) => Module, words: WatchedWords, scenario: Scenario) {
    this.#load = load;
    this.#words = words;
    this.#scenario = scenario;
    this.#control = controlOf(words);
    this.#events = this.#eventTable();
    const Notifications = classIn(load(files.notifications), 'Notifications');
    this.#notifications = new Notifications(this.#control, this.#events);
    this.#devices = [...new Set(Object.values(scenario.queues).map((queue) => queue.device ?? 0))];
    this.#control.next = base + this.#devices.length * deviceWords;
    const { raw } = words;
    raw[head.bellCount] = this.#devices.length;
    this.#devices.forEach((at) => {
      const { processor, pool } = layoutOf(at);
      raw[head.bells + at] = processor + commonProcessorWords.bell;
      // Whoever lets a compute thread of ours at something wakes it.
      raw[pool + poolWords.sleepers] = scenario.workers === undefined ? 1 : 0;
    });
    raw[head.hostAsleep] = 1;
    this.#known = new KnownCommands(words, scenario, this.#events);
    this.#makeQueues();
    // They know their queues, and sleep.
    this.#processors = this.#devices.map((at) => untilItSleeps(this.#processor(at)));
    for (const name of scenario.first) now(this.#hostDoes(name));
  }

  model(): Model {
    const threads: Record<string, Coroutine> = { host: this.#host() };
    const servants: string[] = [];
    if (this.#known.has('host')) servants.push('host');
    this.#devices.forEach((at, index) => {
      threads[`processor ${at}`] = this.#processors[index]!;
      this.#workers(at).forEach((worker, number) => {
        threads[`worker ${at}.${number}`] = worker;
      });
    });
    servants.push(...Object.keys(threads).filter((name) => name !== 'host'));
    // A turn of a processor has more than a few looks that change nothing.
    return { threads, servants, patience: 40, check: () => this.#check() };
  }

  #eventTable(): Made {
    const EventTable = classIn(this.#load(files.events), 'EventTable');
    return new EventTable(this.#control, () => {});
  }

  #makeQueues(): void {
    const StreamQueue = classIn(this.#load(files.streamQueue), 'StreamQueue');
    const ChunkPool = classIn(this.#load(files.stream), 'ChunkPool');
    const { ringProcessor } = this.#load(files.bell) as Made;
    const { seen } = this.#words;
    const pool = new ChunkPool(this.#control);
    // The constructor of a queue takes a chunk, and constructors are no coroutines.
    const chunks = { take: () => now(pool['take']!()) };
    /** As devices write commands. */
    class Queue extends (StreamQueue as new (...args: unknown[]) => object) {
      declare readonly stream: Made;
      *write({
        kind,
        event,
        waits,
      }: {
        kind: keyof typeof kinds;
        event: number;
        waits: number[];
      }): Coroutine {
        const length = kind === 'launch' ? launchPayload.block : 0;
        const at = (yield* this.stream['begin']!(kinds[kind], event, waits, length)) as number;
        if (kind !== 'launch') return;
        for (const one of ['groups', 'groupsPerChunk', 'chunks', 'wholeChunks'] as const)
          seen[at + launchPayload[one]] = 1;
      }
    }
    for (const [name, { outOfOrder, device: at = 0 }] of Object.entries(this.#scenario.queues)) {
      const { processor } = layoutOf(at);
      const reader = {
        newQueues: processor + commonProcessorWords.newQueues,
        isResting: false,
        wake() {},
        ring: () => ringProcessor!(seen, processor),
      };
      const options = { outOfOrder, timeout: 0, profiling: false };
      const host = { control: this.#control, events: this.#events };
      const queue = new Queue(host, reader, chunks, options) as unknown as MadeQueue;
      this.#queues.set(name, queue);
      now(queue['handOver']!());
    }
  }

  /** Gives a command to its queue, or ends an event of the program. */
  *#hostDoes(name: string): Coroutine {
    const known = this.#known.named(name);
    const { kind, event, fails = 0 } = known;
    if (kind === 'user') {
      yield* this.#events['complete']!(event, fails);
      yield* this.#events['release']!(event);
      return;
    }
    const waits = this.#known.give(known);
    if (kind === 'host') {
      const act = (): Coroutine => this.#events['complete']!(event, fails);
      yield* this.#notifications['setAction']!(event, act);
    }
    yield* this.#queues.get(known.queue!)!['submit']!({ kind, event, waits });
  }

  *#host(): Coroutine {
    const { seen } = this.#words;
    for (const name of this.#scenario.later) yield* this.#hostDoes(name);
    if (!this.#known.has('host')) return;
    for (;;) {
      const rung = (yield { name: 'load', args: [seen, head.hostBell] }) as number;
      if ((yield* this.#notifications['pump']!()) as boolean) continue;
      yield { name: 'wait', args: [seen, head.hostBell, rung] };
    }
  }

  #processor(at: number): Coroutine {
    const Processor = classIn(this.#load(files.processor), 'Processor');
    const memory = { buffer: new ArrayBuffer(65_536) };
    const start = { control: this.#control, memory, layout: layoutOf(at, this.#scenario.workers), index: 0 };
    const processor = new Processor(start, () => {}) as Record<string, (...args: never[]) => Coroutine>;
    const [execute, complete] = ['execute', 'complete'].map((name) => processor[name]!.bind(processor));
    const known = this.#known;
    processor['execute'] = function* (command: { readonly event: number }) {
      known.begin(command.event);
      return yield* execute!(command as never);
    };
    processor['complete'] = function* (command: { readonly event: number }, status: number) {
      known.end(command.event);
      return yield* complete!(command as never, status as never);
    };
    const { dependencies } = processor as unknown as Record<string, Made>;
    const lookAround = dependencies!['lookAround']!.bind(dependencies);
    const counted = new Map<string, number>();
    const count = (): void => this.#lookAtCounts(counted);
    // It does that in every turn.
    (dependencies as Record<string, () => Coroutine>)['lookAround'] = function* () {
      count();
      return yield* lookAround();
    };
    return processor['run']!();
  }

  /** A queue's count of what is done never goes back, and is at most that of the commands that have ended with all before them. */
  #lookAtCounts(before: Map<string, number>): void {
    const { raw } = this.#words;
    for (const [name, { owner }] of this.#queues) {
      const count = raw[owner + queueWords.completed]!;
      must(count >= (before.get(name) ?? 0), `${count} commands of ${name} are done, fewer than before`);
      before.set(name, count);
      this.#known.counted(name, count);
    }
  }

  #workers(at: number): Coroutine[] {
    const { workers } = this.#scenario;
    if (workers === undefined) return [this.#worker(at)];
    const layout = layoutOf(at, workers);
    const { runWorker } = this.#load(files.worker) as Made;
    workerParts.control = this.#control;
    workerParts.run = (_first, _end, block) => {
      const event = layout.launches + (block / launchBlockBytes) * launchWords.size + launchWords.event;
      if (this.#known.begin(this.#words.seen[event]!).fails !== undefined) throw new Error('it fails');
    };
    return Array.from({ length: workers }, (_, index) =>
      runWorker!({ control: this.#control, memory: {}, layout, index }, () => {}),
    );
  }

  /** A compute thread: it takes all launches that there are, and ends them last one first, as threads may that run at the same time. */
  *#worker(at: number): Coroutine {
    const LaunchTable = classIn(this.#load(files.launches), 'LaunchTable');
    const layout = layoutOf(at);
    const table = new LaunchTable(this.#control, this.#eventTable(), layout);
    const { seen } = this.#words;
    const signal = layout.pool + poolWords.signal;
    const held: { readonly slot: number; readonly known: Known }[] = [];
    for (;;) {
      const before = (yield { name: 'load', args: [seen, signal] }) as number;
      for (let slot = 0; slot < 2; slot += 1) {
        if ((yield* table['state']!(slot)) !== launchState.active) continue;
        if (((yield* table['take']!(slot)) as number) < 0) continue;
        const base = (yield* table['base']!(slot)) as number;
        held.push({ slot, known: this.#known.begin(seen[base + launchWords.event]!) });
      }
      const index = held.findLastIndex(({ known }) => this.#known.mayEnd(known));
      const [ended] = index < 0 ? [] : held.splice(index, 1);
      if (ended) {
        const { slot, known } = ended;
        if (known.fails !== undefined) yield* table['fail']!(slot, known.fails, 'it fails');
        yield* table['leave']!(slot, 1);
      } else yield { name: 'wait', args: [seen, signal, before] };
    }
  }

  #check(): void {
    const { raw } = this.#words;
    this.#known.check();
    for (const [name, queue] of this.#queues) {
      const done = now(queue['completed']!());
      const { length } = this.#known.givenTo(name);
      must(done === length, `${done} of ${length} are done`);
      must(raw[queue.owner + queueWords.produced] === length, 'the host has lost count');
    }
  }
}

/** A thread that has run alone until it sleeps. */
function untilItSleeps(thread: Coroutine): Coroutine {
  let next = thread.next();
  while (!next.done && next.value.name !== 'wait') next = thread.next(perform(next.value));
  function* rest(): Coroutine {
    while (!next.done) next = thread.next(yield next.value);
  }
  return rest();
}

/** Where a device has its words. */
function layoutOf(at: number, workerCount = 1) {
  const from = at * deviceWords;
  return {
    processor: device.processor + from,
    pool: device.pool + from,
    workers: device.workers + from,
    launches: device.launches + from,
    nested: device.nested + from,
    workerCount,
    blocks: 0,
  };
}
