/**
 * The events that kernels know, in control memory (words.ts): those of launches and those of the user's making. An event has two
 * lists of nodes, which are closed when it ends: launches that wait for it, and places that want its times.
 *
 * What holds, and conformance/models (`nested-events`) looks for in every order of steps: an event ends once; each launch that waits for it is released once,
 * by the end or because the list was closed, and knows if the event failed; each node comes back once.
 */

import { profilingExecutionTime } from '../../../ir/device-queues.ts';
import type { ControlMemory } from '../../../runtime/control-memory.ts';
import { mostDeviceEvents } from '../../../runtime/device-events.ts';
import { now } from '../../../runtime/host.ts';
import { executionStatus } from '../../../runtime/status.ts';
import type { DeviceView } from './memory-view.ts';
import type { QueueTable } from './queue-table.ts';
import { putInto, takeOne, takeSome } from './shared-set.ts';
import { nestedEvent, nestedLaunch, nestedNode, nestedWords, queueRecord } from './words.ts';

/** What a launch ends with that waited for an event that failed. */
export const failedWait = -14;

export class NestedEvents {
  readonly #control: ControlMemory;
  readonly #view: DeviceView;
  readonly #table: number;
  readonly #queues: QueueTable;
  readonly #released: (launch: number) => void;

  /** @param released is told of each launch that waits for one event less */
  constructor(
    control: ControlMemory,
    view: DeviceView,
    table: number,
    queues: QueueTable,
    released: (launch: number) => void,
  ) {
    this.#control = control;
    this.#view = view;
    this.#table = table;
    this.#queues = queues;
    this.#released = released;
  }

  retain(handle: number): void {
    const event = this.find(handle);
    if (event !== 0) Atomics.add(this.#control.words, event + nestedEvent.references, 1);
  }

  release(handle: number): void {
    const event = this.find(handle);
    if (event === 0) return;
    if (Atomics.sub(this.#control.words, event + nestedEvent.references, 1) !== 1) return;
    this.#giveUp(event);
    this.#drop(event);
  }

  /** Of an event of the user's making that nobody can complete any more: it is gone if nothing waits for it, either. */
  #giveUp(event: number): void {
    const { words } = this.#control;
    if (Atomics.load(words, event + nestedEvent.isUser) !== 1) return;
    if (Atomics.compareExchange(words, event + nestedEvent.waiting, 0, -1) !== 0) return;
    // Unless it is being completed right now.
    if (Atomics.compareExchange(words, event + nestedEvent.isUser, 1, 2) === 1) this.#drop(event);
  }

  /** Of an event of the user's making, once. */
  setStatus(handle: number, status: number): void {
    const event = this.find(handle);
    if (event !== 0 && status <= 0) this.endUser(event, status);
  }

  /** Ends an event if it is of the user's making and has not ended. */
  endUser(event: number, status: number): boolean {
    const { words } = this.#control;
    if (Atomics.compareExchange(words, event + nestedEvent.isUser, 1, 2) !== 1) return false;
    this.end(event, status);
    return true;
  }

  capture(handle: number, what: number, place: number): void {
    const event = this.find(handle);
    const { words } = this.#control;
    if (event === 0 || what !== profilingExecutionTime || words[event + nestedEvent.isUser] !== 0) return;
    this.#view.words(place, 16);
    const node = this.#anyNode();
    if (node < 0) return;
    words[node + nestedNode.value] = place;
    if (this.#link(event + nestedEvent.captures, node)) return;
    this.#writeTimes(event, place);
    this.freeNode(node);
  }

  /** The events of a list; undefined if one is none, or there is a list or a number, and not both. */
  waitList(count: number, place: number): number[] | undefined {
    if ((count === 0) !== (place === 0) || count > mostDeviceEvents) return undefined;
    const words = this.#view.words(place, 4 * count);
    const events: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const event = this.find(words[(place >>> 2) + index]!);
      if (event === 0) return undefined;
      events.push(event);
    }
    return events;
  }

  await(launch: number, event: number, node: number): void {
    const { words } = this.#control;
    words[node + nestedNode.value] = launch;
    if (this.#link(event + nestedEvent.waiting, node)) return;
    this.freeNode(node);
    if (Atomics.load(words, event + nestedEvent.status) < 0) words[launch + nestedLaunch.failed] = 1;
    Atomics.sub(words, launch + nestedLaunch.waits, 1);
  }

  /** Puts a node in front of a list; false if the list is closed. */
  #link(place: number, node: number): boolean {
    const { words } = this.#control;
    for (;;) {
      const first = Atomics.load(words, place);
      if (first === -1) return false;
      words[node + nestedNode.next] = first;
      if (Atomics.compareExchange(words, place, first, node) === first) return true;
    }
  }

  create(isUser: boolean): number {
    const { words } = this.#control;
    const index = takeOne(words, words[this.#table + nestedWords.freeEvents]!);
    if (index < 0) return 0;
    const event = words[this.#table + nestedWords.events]! + index * nestedEvent.size;
    words[event + nestedEvent.status] = isUser ? executionStatus.submitted : executionStatus.queued;
    words[event + nestedEvent.isUser] = isUser ? 1 : 0;
    words[event + nestedEvent.waiting] = 0;
    words[event + nestedEvent.captures] = 0;
    Atomics.store(words, event + nestedEvent.holders, 2);
    Atomics.store(words, event + nestedEvent.references, 1);
    return event;
  }

  end(event: number, status: number): void {
    this.time(event, nestedEvent.completed);
    Atomics.store(this.#control.words, event + nestedEvent.status, status);
    const waiting = this.#close(event + nestedEvent.waiting);
    const captures = this.#close(event + nestedEvent.captures);
    const { words } = this.#control;
    // Whoever waits for the event may look at its times.
    for (let node = captures; node !== 0; ) {
      const next = words[node + nestedNode.next]!;
      this.#writeTimes(event, words[node + nestedNode.value]!);
      this.freeNode(node);
      node = next;
    }
    for (let node = waiting; node !== 0; ) {
      const next = words[node + nestedNode.next]!;
      const launch = words[node + nestedNode.value]!;
      if (status < 0) Atomics.store(words, launch + nestedLaunch.failed, 1);
      this.freeNode(node);
      this.#released(launch);
      node = next;
    }
    this.#drop(event);
  }

  /** Closes a list; its nodes in the order in which they came. */
  #close(place: number): number {
    const last = Atomics.exchange(this.#control.words, place, -1);
    // They may be of queues that are new to this thread.
    this.#queues.reach();
    const { words } = this.#control;
    let turned = 0;
    for (let node = last; node > 0; ) {
      const next = words[node + nestedNode.next]!;
      words[node + nestedNode.next] = turned;
      turned = node;
      node = next;
    }
    return turned;
  }

  /** One holder of an event less. */
  #drop(event: number): void {
    const { words } = this.#control;
    if (Atomics.sub(words, event + nestedEvent.holders, 1) !== 1) return;
    Atomics.add(words, event + nestedEvent.generation, 1);
    putInto(words, words[this.#table + nestedWords.freeEvents]!, this.#indexOf(event));
  }

  #indexOf(event: number): number {
    return (event - this.#control.words[this.#table + nestedWords.events]!) / nestedEvent.size;
  }

  handleOf(event: number): number {
    const { words } = this.#control;
    return ((words[event + nestedEvent.generation]! & 0x7fff) << 16) | (this.#indexOf(event) + 1);
  }

  /** The event of a handle, which may be any number; 0 if it is none. */
  find(handle: number): number {
    const { words } = this.#control;
    const first = Atomics.load(words, this.#table + nestedWords.events);
    const number = handle & 0xffff;
    if (first === 0 || number === 0 || number > mostDeviceEvents) return 0;
    const event = first + (number - 1) * nestedEvent.size;
    if (Atomics.load(words, event + nestedEvent.references) <= 0) return 0;
    return this.handleOf(event) === handle ? event : 0;
  }

  time(event: number, which: number): void {
    this.#control.floats[(event + which) >> 1] = now();
  }

  /** What capture_event_profiling_info asks for (OpenCL 2.0, 6.13.17.8). No command takes no time. */
  #writeTimes(event: number, place: number): void {
    const { floats } = this.#control;
    const at = (which: number): number => floats[(event + which) >> 1]!;
    const words = this.#view.words(place, 16);
    const durations = [nestedEvent.ended, nestedEvent.completed].map((end) =>
      Math.max(1, Math.round(at(end) - at(nestedEvent.started))),
    );
    durations.forEach((duration, index) => {
      words[(place >>> 2) + 2 * index] = duration | 0;
      words[(place >>> 2) + 2 * index + 1] = Math.floor(duration / 2 ** 32);
    });
  }

  takeNodes(queue: number, count: number): number[] | undefined {
    if (count === 0) return [];
    const first = this.#queues.word(queue, queueRecord.nodes);
    const free = this.#queues.word(queue, queueRecord.freeNodes);
    const taken = takeSome(this.#control.words, free, count);
    return taken?.map((index) => first + index * nestedNode.size);
  }

  /** A node of whichever queue has one; -1 if none has. */
  #anyNode(): number {
    for (let queue = 1; queue <= this.#queues.count; queue += 1) {
      const record = this.#queues.record(queue);
      const { words } = this.#control;
      const index = record === 0 ? -1 : takeOne(words, words[record + queueRecord.freeNodes]!);
      if (index >= 0) return words[record + queueRecord.nodes]! + index * nestedNode.size;
    }
    return -1;
  }

  freeNode(node: number): void {
    const { words } = this.#control;
    const record = words[node + nestedNode.record]!;
    const index = (node - words[record + queueRecord.nodes]!) / nestedNode.size;
    putInto(words, words[record + queueRecord.freeNodes]!, index);
  }
}
