/**
 * The host's end of the queues that a device has for its kernels: it makes their tables (words.ts) and, in device memory, a
 * launch block for each launch that there may be.
 */
import { mostDeviceEvents } from '../../../ir/nested-launches.ts';
import type { ControlMemory } from '../../../runtime/control-memory.ts';
import type { DeviceMemory } from '../../../runtime/device-memory.ts';
import {
  launchesFor,
  mostDeviceQueues,
  type OnDeviceQueues,
  tooManyQueues,
} from '../../../runtime/device-queues.ts';
import { launchBlockBytes } from '../shared-layout.ts';
import { countIn, createRing, pushTo } from './shared-ring.ts';
import { nestedEvent, nestedLaunch, nestedNode, nestedWords, queueRecord, smallBlockBytes } from './words.ts';

/** One of so many launches may have a larger block. */
const largeShare = 16;
/** Nodes for each launch. */
const nodesPerLaunch = 4;

/** The host's end of the queues of a device in one context. */
export class NestedQueues implements OnDeviceQueues {
  readonly #control: ControlMemory;
  readonly #memory: DeviceMemory;
  readonly #table: number;
  /** Queues that were released, whose launches may still run, by how many launches they have room for. */
  readonly #retired: number[] = [];

  constructor(control: ControlMemory, memory: DeviceMemory, table: number) {
    this.#control = control;
    this.#memory = memory;
    this.#table = table;
  }

  create(bytes: number): number {
    const launches = launchesFor(bytes);
    const { words } = this.#control;
    let number = this.#reusable(launches);
    if (number === 0) {
      number = Atomics.load(words, this.#table + nestedWords.queueCount) + 1;
      if (number > mostDeviceQueues) {
        throw tooManyQueues();
      }
      this.#ensureEvents();
      const record = this.#allocate(number, launches);
      const table = this.#control.words;
      Atomics.store(table, this.#table + nestedWords.queues + number - 1, record);
      Atomics.store(table, this.#table + nestedWords.queueCount, number);
    }
    const record = this.#recordOf(number);
    Atomics.store(this.#control.words, record + queueRecord.isOpen, 1);
    return number;
  }

  setDefault(number: number): void {
    Atomics.store(this.#control.words, this.#table + nestedWords.defaultQueue, number);
  }

  release(number: number): void {
    const { words } = this.#control;
    Atomics.store(words, this.#recordOf(number) + queueRecord.isOpen, 0);
    Atomics.compareExchange(words, this.#table + nestedWords.defaultQueue, number, 0);
    this.#retired.push(number);
  }

  #recordOf(number: number): number {
    return this.#control.words[this.#table + nestedWords.queues + number - 1]!;
  }

  /** A released queue of the same size whose launches have all ended. */
  #reusable(launches: number): number {
    const { words } = this.#control;
    const index = this.#retired.findIndex((number) => {
      const record = this.#recordOf(number);
      const count = words[record + queueRecord.count]!;
      return count === launches && countIn(words, words[record + queueRecord.freeRecords]!) === count;
    });
    return index < 0 ? 0 : this.#retired.splice(index, 1)[0]!;
  }

  #ensureEvents(): void {
    const control = this.#control;
    if (control.words[this.#table + nestedWords.events] !== 0) return;
    const events = control.allocate(mostDeviceEvents * nestedEvent.size * 4);
    const free = createRing(control, mostDeviceEvents);
    fill(control, free, mostDeviceEvents, (index) => events + index * nestedEvent.size);
    control.words[this.#table + nestedWords.events] = events;
    control.words[this.#table + nestedWords.freeEvents] = free;
  }

  #allocate(number: number, launches: number): number {
    const control = this.#control;
    const large = Math.ceil(launches / largeShare);
    const blocks = this.#memory.allocate(launches * smallBlockBytes);
    const largeBlocks = this.#memory.allocate(large * launchBlockBytes);
    const record = control.allocate(queueRecord.size * 4);
    const records = control.allocate(launches * nestedLaunch.size * 4);
    const freeRecords = createRing(control, launches);
    const ready = createRing(control, launches);
    const nodeCount = launches * nodesPerLaunch;
    const nodes = control.allocate(nodeCount * nestedNode.size * 4);
    const freeNodes = createRing(control, nodeCount);
    const freeLarge = createRing(control, large);
    const { words } = control;
    for (let index = 0; index < launches; index += 1) {
      words[records + index * nestedLaunch.size + nestedLaunch.queue] = number;
      words[records + index * nestedLaunch.size + nestedLaunch.number] = index;
    }
    for (let index = 0; index < nodeCount; index += 1) {
      words[nodes + index * nestedNode.size + nestedNode.queue] = number;
    }
    fill(control, freeRecords, launches, (index) => records + index * nestedLaunch.size);
    fill(control, freeNodes, nodeCount, (index) => nodes + index * nestedNode.size);
    fill(control, freeLarge, large, (index) => index);
    words[record + queueRecord.records] = records;
    words[record + queueRecord.count] = launches;
    words[record + queueRecord.freeRecords] = freeRecords;
    words[record + queueRecord.ready] = ready;
    words[record + queueRecord.nodes] = nodes;
    words[record + queueRecord.freeNodes] = freeNodes;
    words[record + queueRecord.blocks] = blocks;
    words[record + queueRecord.largeBlocks] = largeBlocks;
    words[record + queueRecord.freeLarge] = freeLarge;
    return record;
  }
}

function fill(control: ControlMemory, ring: number, count: number, value: (index: number) => number): void {
  for (let index = 0; index < count; index += 1) pushTo(control.words, ring, value(index));
}
