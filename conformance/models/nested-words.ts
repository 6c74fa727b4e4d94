/** A device queue for the models of nested launches, with launches in a slot of the host's, and threads that visit it as workers do. */

import * as nestedTables from '../../src/devices/wasm/nested/words.ts';
import * as layoutWords from '../../src/devices/wasm/shared-layout.ts';
import { enqueueFlags, queueStatus } from '../../src/ir/device-queues.ts';
import type { Coroutine } from './coroutines.ts';
import { device, launchesIn, prepared, slots } from './device-words.ts';
import type { WatchedWords } from './explore.ts';
import { classIn, files, type Made, type Module, must, now } from './protocol.ts';

const { nestedWords, nestedEvent, nestedNode, nestedLaunch, queueRecord } = nestedTables;

/** Launches, events and nodes that there are. */
const count = 3;

/** The only queue. */
const queue = 1;

/** Where handles of events lie in device memory, the first of which is at no address. */
export const place = (index: number): number => 4 * (index + 1);

/** What a kernel asks for. */
export interface Request {
  readonly chunks: number;
  readonly flags: keyof typeof enqueueFlags;
  /** Which place its event's handle goes to. */
  readonly event?: number;
}

/** A thread's scheduler with its launch table, and what of it a model calls. */
export interface NestedThread {
  readonly scheduler: Made;
  readonly launches: Made;
  /** From here on it runs the host's launch, or (a launch) one that this led to. */
  begin(launch?: number): void;
  enqueue(request: Request): Coroutine;
  /** A marker behind the event whose handle is at a place. */
  enqueueMarker(event: number): Coroutine;
  /** The handle of an event that is at an address. */
  handleAt(address: number): number;
  /** Takes a launch, and its only chunk. */
  take(): number;
  /** As Worker does it; says whether there was a launch. */
  visit(): Coroutine;
}

export interface NestedModel {
  thread(): NestedThread;
  /** A nested launch's chunks, in the order in which they were begun: launch and chunk. */
  readonly run: (readonly [launch: number, chunk: number])[];
  /** Is called where a chunk of a nested launch runs. */
  onChunk: (launch: number) => void;
  /** Slot 0 of the host, as a word of it. */
  host(word: keyof typeof slots): number;
  /** Visits until there is nothing more to do; then everything must be free, and the host's launch complete. */
  finish(): void;
  /** Events of which the program still has a reference. */
  readonly heldEvents: number;
}

/** @param chunks those of the host's launch, all of which are taken and running */
export function nestedIn(load: (file: string) => Module, words: WatchedWords, chunks: number): NestedModel {
  const { control, layout, events, launchTable } = launchesIn(load, words);
  const NestedScheduler = classIn(load(files.scheduler), 'NestedScheduler');
  const { createSet, putInto, countIn } = load(files.set) as Made;
  const { createRing } = load(files.ring) as Made;
  const { raw, seen } = words;
  const allocate = (size: number): number => {
    const at = control.next;
    control.next += size;
    return at;
  };
  const fullSet = (): number => {
    const at = now(createSet!(control, count)) as number;
    for (let index = 0; index < count; index += 1) now(putInto!(seen, at, index));
    return at;
  };
  const record = allocate(queueRecord.size);
  raw[device.nested + nestedWords.queueCount] = 1;
  raw[device.nested + nestedWords.queues + queue - 1] = record;
  raw[device.nested + nestedWords.events] = allocate(count * nestedEvent.size);
  const freeEvents = fullSet();
  raw[device.nested + nestedWords.freeEvents] = freeEvents;
  raw[record + queueRecord.isOpen] = 1;
  raw[record + queueRecord.count] = count;
  raw[record + queueRecord.records] = allocate(count * nestedLaunch.size);
  raw[record + queueRecord.nodes] = allocate(count * nestedNode.size);
  raw[record + queueRecord.freeRecords] = fullSet();
  raw[record + queueRecord.freeNodes] = fullSet();
  // Anywhere but at 0, which says that there is none.
  raw[record + queueRecord.blocks] = 4096;
  raw[record + queueRecord.ready] = now(createRing!(control, count)) as number;
  for (let index = 0; index < count; index += 1) {
    const launch = raw[record + queueRecord.records]! + index * nestedLaunch.size;
    raw[launch + nestedLaunch.queue] = queue;
    raw[launch + nestedLaunch.number] = index;
    raw[raw[record + queueRecord.nodes]! + index * nestedNode.size + nestedNode.record] = record;
  }
  const slotEvent = now(events['allocate']!(2)) as number;
  prepared(words, 0, chunks, slotEvent);
  raw[device.launches + slots.state] = layoutWords.launchState.active;
  raw[device.launches + slots.next] = chunks;
  raw[device.launches + slots.deferred] = 0;
  const memory = { deviceWords: new Int32Array(2048) };
  const kernels = [{ nested: { code: { argumentBytes: 0 } } }];

  const model: NestedModel = {
    run: [],
    onChunk() {},
    host: (word) => raw[device.launches + slots[word]]!,
    thread() {
      const launches = launchTable();
      const scheduler = new NestedScheduler(control, memory, layout, launches);
      function* accepted(status: Coroutine): Coroutine {
        must(((yield* status) as number) === queueStatus.success, 'a launch is refused');
      }
      return {
        scheduler,
        launches,
        begin: (launch = 0) => void now(scheduler['begin']!(0, launch, kernels)),
        enqueue: ({ chunks, flags, event }) =>
          accepted(
            scheduler['enqueueKernel']!(
              0,
              queue,
              enqueueFlags[flags],
              chunks,
              0,
              0,
              event === undefined ? 0 : place(event),
              0,
              0,
            ),
          ),
        enqueueMarker: (event) => accepted(scheduler['enqueueMarker']!(queue, 1, place(event), 0)),
        handleAt: (address) => memory.deviceWords[address >> 2]!,
        take() {
          const launch = now(scheduler['take']!()) as number;
          must((now(scheduler['chunkOf']!(launch)) as number) === 0, 'there is no chunk');
          return launch;
        },
        *visit(): Coroutine {
          const launch = (yield* scheduler['take']!()) as number;
          if (launch === 0) return false;
          let mayPassOn = true;
          for (;;) {
            const chunk = (yield* scheduler['chunkOf']!(launch)) as number;
            if (chunk < 0) break;
            if (mayPassOn) yield* scheduler['passOn']!(launch);
            mayPassOn = false;
            model.run.push([launch, chunk]);
            model.onChunk(launch);
          }
          yield* scheduler['leave']!(launch);
          return true;
        },
      };
    },
    finish() {
      const last = model.thread();
      for (let visits = 0; now(last.visit()) as boolean; visits += 1)
        must(visits < 20, 'the ring has more and more launches');
      const free = (set: number): number => now(countIn!(seen, set)) as number;
      const records = free(raw[record + queueRecord.freeRecords]!);
      must(records === count, `${records} of ${count} launch records are free`);
      const nodes = free(raw[record + queueRecord.freeNodes]!);
      must(nodes === count, `${nodes} of ${count} nodes are free`);
      must(
        model.host('state') === layoutWords.launchState.done,
        `the host's launch is in state ${model.host('state')}`,
      );
      must(model.host('pending') === 0, `${model.host('pending')} launches are pending`);
      must((now(events['status']!(slotEvent)) as number) === 0, "the host's event has not ended well");
      const pairs = model.run.map(([launch, chunk]) => `${launch}: ${chunk}`);
      must(new Set(pairs).size === pairs.length, `chunks were run twice: ${pairs}`);
    },
    get heldEvents() {
      return count - (now(countIn!(seen, freeEvents)) as number);
    },
  };
  return model;
}
