/**
 * A small machine for the models of commands that wait for others: the host's end of queues, command processors with theirs, and a compute thread for each.
 * All of it is Millrace's own code but for the kernels. Of each command it knows what must have ended before that one begins (OpenCL 1.2, 5.8 to 5.10), and it
 * looks whether that has when the code begins it.
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
import { statusCodes } from '../../src/runtime/status.ts';
import { type Change, type Coroutine, perform } from './coroutines.ts';
import { device } from './device-words.ts';
import type { MakeModel, Model, WatchedWords } from './explore.ts';
import { base, classIn, controlOf, files, type Made, type Module, must, now, same } from './protocol.ts';
import { workerParts } from './stand-ins.ts';

/** A command, or an event of the program. */
export interface Wish {
  readonly kind: 'launch' | 'marker' | 'barrier' | 'host' | 'user';
  /** The queue that it is given to. */
  readonly queue?: string;
  /** The names of what it waits for. */
  readonly waits?: readonly string[];
  /** What it ends with, if not well. */
  readonly fails?: number;
  /** Its kernel does not end before all of these have begun. */
  readonly until?: readonly string[];
}

export interface Scenario {
  readonly queues: Readonly<Record<string, { readonly outOfOrder: boolean; readonly device?: 0 | 1 }>>;
  readonly commands: Readonly<Record<string, Wish>>;
  /** What the host has done when the threads begin, and what it does then: it gives a command to its queue, or ends an event of the program. */
  readonly first: readonly string[];
  readonly then: readonly string[];
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

const waitListError = statusCodes.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

/** The words of an event's slot that are looked at here. */
const slotWords = { status: 1, references: 3 } as const;

/** So far from one device's words are those of the next. */
const deviceWords = 5000;

/** A command and what is known of it. */
interface Known extends Wish {
  readonly name: string;
  readonly event: number;
  /** What must have ended when it begins. */
  after: readonly Known[];
  begun: number;
}

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
  readonly #known = new Map<string, Known>();
  readonly #queues = new Map<string, MadeQueue>();
  readonly #devices: readonly number[];
  readonly #processors: readonly Coroutine[];
  /** Those that each queue has been given. */
  readonly #given = new Map<string, Known[]>();

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
    for (const [name, wish] of Object.entries(scenario.commands)) this.#makeEvent(name, wish);
    this.#makeQueues();
    // They know their queues, and sleep.
    this.#processors = this.#devices.map((at) => untilItSleeps(this.#processor(at)));
    for (const name of scenario.first) now(this.#hostDoes(name));
  }

  model(): Model {
    const threads: Record<string, Coroutine> = { host: this.#host() };
    const servants: string[] = [];
    if ([...this.#known.values()].some(({ kind }) => kind === 'host')) servants.push('host');
    this.#devices.forEach((at, index) => {
      threads[`processor ${at}`] = this.#processors[index]!;
      this.#workers(at).forEach((worker, number) => {
        threads[`worker ${at}.${number}`] = worker;
      });
    });
    servants.push(...Object.keys(threads).filter((name) => name !== 'host'));
    return { threads, servants, check: () => this.#check() };
  }

  #eventTable(): Made {
    const EventTable = classIn(this.#load(files.events), 'EventTable');
    return new EventTable(this.#control, () => {});
  }

  /** The program has let go of it: who holds it is who ends it, and those that wait. */
  #makeEvent(name: string, wish: Wish): void {
    const wishes = Object.values(this.#scenario.commands);
    const waiters = wishes.flatMap(({ waits = [] }) => waits.filter((one) => one === name));
    const event = now(this.#events['allocate']!(1 + waiters.length)) as number;
    this.#known.set(name, { ...wish, name, event, after: [], begun: 0 });
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
      this.#given.set(name, []);
      now(queue['handOver']!());
    }
  }

  #named(name: string): Known {
    return this.#known.get(name)!;
  }

  #byEvent(event: number): Known {
    return [...this.#known.values()].find((known) => known.event === event)!;
  }

  /** What it ends with, by what it waits for and what it does itself. */
  #due({ waits = [], fails = 0 }: Known): number {
    return waits.some((one) => this.#due(this.#named(one)) < 0) ? waitListError : fails;
  }

  /** Gives a command to its queue, or ends an event of the program. */
  *#hostDoes(name: string): Coroutine {
    const known = this.#named(name);
    const { kind, event, fails = 0 } = known;
    if (kind === 'user') {
      yield* this.#events['complete']!(event, fails);
      yield* this.#events['release']!(event);
      return;
    }
    const queue = known.queue!;
    const waits = (known.waits ?? []).map((one) => this.#named(one));
    const earlier = this.#given.get(queue)!;
    const gathers = (kind === 'marker' || kind === 'barrier') && waits.length === 0;
    const isAfterAll = !this.#scenario.queues[queue]!.outOfOrder || gathers;
    known.after = [...waits, ...(isAfterAll ? earlier : earlier.filter((one) => one.kind === 'barrier'))];
    earlier.push(known);
    if (kind === 'host') {
      const act = (): Coroutine => this.#events['complete']!(event, fails);
      yield* this.#notifications['setAction']!(event, act);
    }
    yield* this.#queues.get(queue)!['submit']!({ kind, event, waits: waits.map((one) => one.event) });
  }

  *#host(): Coroutine {
    const { seen } = this.#words;
    for (const name of this.#scenario.then) yield* this.#hostDoes(name);
    if (![...this.#known.values()].some(({ kind }) => kind === 'host')) return;
    for (;;) {
      const rung = (yield { name: 'load', args: [seen, head.hostBell] }) as number;
      if ((yield* this.#notifications['pump']!()) as boolean) continue;
      yield { name: 'wait', args: [seen, head.hostBell, rung] };
    }
  }

  /** The code begins a command, or ends it unbegun. */
  #mayGoOn({ name, after }: Known, what: string): void {
    for (const one of after) {
      // Through the memory that is watched: the order of this and of that one's end counts.
      const status = this.#words.seen[one.event + slotWords.status]!;
      must(status <= 0, `${name} ${what} before ${one.name} has ended`);
    }
  }

  #begin(event: number): Known {
    const known = this.#byEvent(event);
    must(this.#due(known) !== waitListError, `${known.name} begins, and what it waits for has failed`);
    this.#mayGoOn(known, 'begins');
    known.begun += 1;
    return known;
  }

  #processor(at: number): Coroutine {
    const Processor = classIn(this.#load(files.processor), 'Processor');
    const memory = { buffer: new ArrayBuffer(65_536) };
    const start = { control: this.#control, memory, layout: layoutOf(at, this.#scenario.workers), index: 0 };
    const processor = new Processor(start, () => {}) as Record<string, (...args: never[]) => Coroutine>;
    const [execute, complete] = ['execute', 'complete'].map((name) => processor[name]!.bind(processor));
    const begin = (event: number): unknown => this.#begin(event);
    processor['execute'] = function* (command: { readonly event: number }) {
      begin(command.event);
      return yield* execute!(command as never);
    };
    const mayGoOn = (event: number): void => this.#mayGoOn(this.#byEvent(event), 'ends');
    processor['complete'] = function* (command: { readonly event: number }, status: number) {
      mayGoOn(command.event);
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
      const ahead = this.#given.get(name)!.slice(0, count);
      const open = ahead.find(({ event }) => raw[event + slotWords.status]! > 0);
      must(open === undefined, `${name} counts ${count} commands as done, and ${open?.name} is not`);
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
      if (this.#begin(this.#words.seen[event]!).fails !== undefined) throw new Error('it fails');
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
        held.push({ slot, known: this.#begin(seen[base + launchWords.event]!) });
      }
      const index = held.findLastIndex(({ known: { until = [] } }) =>
        until.every((one) => this.#named(one).begun > 0),
      );
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
    const all = [...this.#known.values()];
    for (const known of all) {
      const { name, kind, event, begun } = known;
      const [status, due] = [raw[event + slotWords.status]!, this.#due(known)];
      must(status === due, `${name} ended with ${status}, not ${due}`);
      const times = kind === 'user' || due === waitListError ? 0 : 1;
      must(begun === times, `${name} was run ${begun} times`);
    }
    for (const [name, queue] of this.#queues) {
      const done = now(queue['completed']!());
      const { length } = this.#given.get(name)!;
      must(
        done === length && raw[queue.owner + queueWords.produced] === length,
        `${done} of ${length} are done`,
      );
    }
    const free: number[] = [];
    for (let at = raw[head.freeSlots]!; at !== 0 && free.length < 20; at = raw[at]!) free.push(at);
    const slots = all.map(({ event }) => event);
    for (const { name, event } of all)
      must(
        raw[event + slotWords.references] === 0,
        `${name} is held by ${raw[event + slotWords.references]}`,
      );
    must(same(free, slots), `free: ${free}, of ${slots}`);
    const failed = all.filter((known) => known.kind !== 'user' && known.fails !== undefined);
    const due = failed.filter((known) => this.#due(known) === known.fails).length;
    must(raw[head.failureCount] === due, `${raw[head.failureCount]} failures were noted, not ${due}`);
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
