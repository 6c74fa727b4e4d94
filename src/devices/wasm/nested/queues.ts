/**
 * The host's end of the queues that a device has for its kernels: it makes their tables (words.ts) and, in device memory, a
 * launch block for each launch that there may be.
 */

import type { ControlMemory } from '../../../runtime/control-memory.ts';
import { mostDeviceEvents } from '../../../runtime/device-events.ts';
import type { DeviceMemory } from '../../../runtime/device-memory.ts';
import {
  launchesFor,
  mostDeviceQueues,
  type OnDeviceQueues,
  tooManyQueues,
} from '../../../runtime/device-queues.ts';
import { launchBlockBytes } from '../shared-layout.ts';
import { createRing } from './shared-ring.ts';
import { countIn, createSet, putInto, takeOne } from './shared-set.ts';
import { nestedEvent, nestedLaunch, nestedNode, nestedWords, queueRecord, smallBlockBytes } from './words.ts';

/** One of so many launches may have a larger block. */
const largeShare = 16;
/** Nodes for each launch. */
const nodesPerLaunch = 2;

/** The least room that is made, so that queues of about the same size can take each other's place. */
const leastLaunches = 64;

/** The host's end of the queues of a device in one context. */
export class NestedQueues implements OnDeviceQueues {
  readonly #control: ControlMemory;
  readonly #memory: DeviceMemory;
  readonly #table: number;
  /** Numbers that were released; launches of such a queue may still run. */
  readonly #released: number[] = [];
  /** Queue records that no number stands for. Threads may look at them for a moment more, so they are never freed. */
  readonly #spare: number[] = [];

  constructor(control: ControlMemory, memory: DeviceMemory, table: number) {
    this.#control = control;
    this.#memory = memory;
    this.#table = table;
  }

  create(bytes: number): number {
    const launches = launchesFor(bytes);
    this.#retire();
    const number = this.#freeNumber();
    this.#ensureEvents();
    const index = this.#spare.findIndex((one) => this.#control.words[one + queueRecord.room]! >= launches);
    const record = index < 0 ? this.#allocate(launches) : this.#spare.splice(index, 1)[0]!;
    this.#open(record, number, launches);
    const { words } = this.#control;
    // Threads look at their views of control memory again when the version has changed, and so it changes before they see the queue.
    Atomics.add(words, this.#table + nestedWords.version, 1);
    Atomics.store(words, this.#table + nestedWords.queues + number - 1, record);
    const count = Atomics.load(words, this.#table + nestedWords.queueCount);
    Atomics.store(words, this.#table + nestedWords.queueCount, Math.max(count, number));
    return number;
  }

  setDefault(number: number): void {
    Atomics.store(this.#control.words, this.#table + nestedWords.defaultQueue, number);
  }

  release(number: number): void {
    const { words } = this.#control;
    Atomics.store(words, this.#recordOf(number) + queueRecord.isOpen, 0);
    Atomics.compareExchange(words, this.#table + nestedWords.defaultQueue, number, 0);
    this.#released.push(number);
  }

  #recordOf(number: number): number {
    return this.#control.words[this.#table + nestedWords.queues + number - 1]!;
  }

  /** @throws OpenCLError if there are as many queues as there can be */
  #freeNumber(): number {
    const { words } = this.#control;
    for (let number = 1; number <= mostDeviceQueues; number += 1) {
      if (words[this.#table + nestedWords.queues + number - 1] === 0) return number;
    }
    throw tooManyQueues();
  }

  /** Takes the numbers from released queues whose launches have all ended. */
  #retire(): void {
    const { words } = this.#control;
    for (const number of this.#released.splice(0)) {
      const record = this.#recordOf(number);
      const free = words[record + queueRecord.freeRecords]!;
      if (countIn(words, free) < words[record + queueRecord.count]!) {
        this.#released.push(number);
        continue;
      }
      while (takeOne(words, free) >= 0);
      Atomics.store(words, this.#table + nestedWords.queues + number - 1, 0);
      this.#spare.push(record);
    }
  }

  #ensureEvents(): void {
    const control = this.#control;
    if (control.words[this.#table + nestedWords.events] !== 0) return;
    const events = control.allocate(mostDeviceEvents * nestedEvent.size * 4);
    const free = createSet(control, mostDeviceEvents);
    for (let index = 0; index < mostDeviceEvents; index += 1) putInto(control.words, free, index);
    control.words[this.#table + nestedWords.events] = events;
    control.words[this.#table + nestedWords.freeEvents] = free;
  }

  /** A queue with room for at least so many launches, all of whose nodes and larger blocks are free. */
  #allocate(launches: number): number {
    const control = this.#control;
    let room = leastLaunches;
    while (room < launches) room *= 2;
    const large = room / largeShare;
    const nodeCount = room * nodesPerLaunch;
    const places = {
      [queueRecord.room]: room,
      [queueRecord.blocks]: this.#memory.allocate(room * smallBlockBytes),
      [queueRecord.largeBlocks]: this.#memory.allocate(large * launchBlockBytes),
      [queueRecord.records]: control.allocate(room * nestedLaunch.size * 4),
      [queueRecord.freeRecords]: createSet(control, room),
      [queueRecord.ready]: createRing(control, room),
      [queueRecord.nodes]: control.allocate(nodeCount * nestedNode.size * 4),
      [queueRecord.freeNodes]: createSet(control, nodeCount),
      [queueRecord.freeLarge]: createSet(control, large),
    };
    const record = control.allocate(queueRecord.size * 4);
    const { words } = control;
    for (const [word, value] of Object.entries(places)) words[record + Number(word)] = value;
    for (let index = 0; index < room; index += 1) {
      words[places[queueRecord.records]! + index * nestedLaunch.size + nestedLaunch.number] = index;
    }
    for (let index = 0; index < nodeCount; index += 1) {
      words[places[queueRecord.nodes]! + index * nestedNode.size + nestedNode.record] = record;
      putInto(words, places[queueRecord.freeNodes]!, index);
    }
    for (let index = 0; index < large; index += 1) putInto(words, places[queueRecord.freeLarge]!, index);
    return record;
  }

  /** Gives a queue its number, and so many of its records. */
  #open(record: number, number: number, launches: number): void {
    const { words } = this.#control;
    const records = words[record + queueRecord.records]!;
    for (let index = 0; index < launches; index += 1) {
      words[records + index * nestedLaunch.size + nestedLaunch.queue] = number;
      putInto(words, words[record + queueRecord.freeRecords]!, index);
    }
    words[record + queueRecord.count] = launches;
    Atomics.store(words, record + queueRecord.isOpen, 1);
  }
}
