/**
 * What the processor finds out about launches that wait for events (words.ts): who waits for whom, whether anything is left that
 * could complete these events, and how to go on if nothing is.
 */

import type { ControlMemory } from '../../../runtime/control-memory.ts';
import { mostDeviceEvents } from '../../../runtime/device-events.ts';
import {
  describeStuck,
  markerTitle,
  userEventTitle,
  type WaitingLaunch,
} from '../../../runtime/waiting-launches.ts';
import type { LaunchTable } from '../launch-table.ts';
import { type KernelName, readKernelNames } from '../module-cache.ts';
import { graveyardSlot, launchWords, poolWords, type SharedLayout } from '../shared-layout.ts';
import { failedWait } from './events.ts';
import { QueueTable } from './queue-table.ts';
import type { NestedScheduler } from './scheduler.ts';
import { nestedEvent, nestedLaunch, nestedNode, nestedWords, queueRecord } from './words.ts';

/** More than there can be launches in the graveyard. */
const manyPending = 0x4000_0000;

export class WaitingLaunches {
  readonly #control: ControlMemory;
  readonly #layout: SharedLayout;
  readonly #launches: LaunchTable;
  readonly #scheduler: NestedScheduler;
  readonly #queues: QueueTable;

  constructor(
    control: ControlMemory,
    layout: SharedLayout,
    launches: LaunchTable,
    scheduler: NestedScheduler,
  ) {
    this.#control = control;
    this.#layout = layout;
    this.#launches = launches;
    this.#scheduler = scheduler;
    this.#queues = new QueueTable(control, layout.nested);
  }

  /** Whether there can be any. */
  get mayBe(): boolean {
    return this.#queues.count > 0;
  }

  /**
   * Whether a launch of the host has ended, something that it led to waits for events, and no thread does anything that could
   * complete these. Kernels of other commands cannot: they never see the events.
   */
  isStuck(slot: number): boolean {
    const { words } = this.#control;
    const { pool, workerCount } = this.#layout;
    const signal = Atomics.load(words, pool + poolWords.signal);
    const allSleep = (): boolean => Atomics.load(words, pool + poolWords.sleepers) === workerCount;
    if (!this.#launches.isAtEnd(slot) || !allSleep()) return false;
    let someWait = false;
    for (const launch of this.#of(slot)) {
      if (Atomics.load(words, launch + nestedLaunch.waits) > 0) someWait = true;
      else if (Atomics.load(words, launch + nestedLaunch.visitors) > 0) return false;
    }
    return someWait && allSleep() && Atomics.load(words, pool + poolWords.signal) === signal;
  }

  /** Who waits for whom among what a launch of the host has led to. */
  describe(slot: number): WaitingLaunch[] {
    const { words } = this.#control;
    const waiting = [...this.#eventsAwaited(slot)].filter(([, events]) => events.length > 0);
    if (waiting.length === 0) return [];
    const makers = new Map<number, number>();
    for (const launch of this.#all()) {
      const event = words[launch + nestedLaunch.event]!;
      if (event !== 0 && Atomics.load(words, launch + nestedLaunch.pending) > 0) makers.set(event, launch);
    }
    const names = this.#namesOf(slot);
    const titleOf = (launch: number): string =>
      words[launch + nestedLaunch.block] === 0
        ? markerTitle
        : (names[words[launch + nestedLaunch.kernel]!]?.nested?.code.title ?? 'a kernel');
    return waiting.map(([launch, events]) => ({
      title: titleOf(launch),
      waitsFor: events.map((event) => {
        const maker = makers.get(event);
        return maker === undefined ? userEventTitle : titleOf(maker);
      }),
    }));
  }

  /** What a launch of the host fails with that is stuck. */
  whyStuck(slot: number): string {
    const { words } = this.#control;
    const base = this.#launches.base(slot);
    const kernel = this.#namesOf(slot)[words[base + launchWords.kernel]!];
    return `kernel '${kernel?.name ?? '?'}' failed: ${describeStuck(this.describe(slot))}`;
  }

  /** Fails the user events that launches of a slot wait for, so that these end without running. False if there are none. */
  failUserEvents(slot: number): boolean {
    const events = new Set([...this.#eventsAwaited(slot).values()].flat());
    let some = false;
    for (const event of events) if (this.#scheduler.failUserEvent(event)) some = true;
    return some;
  }

  /**
   * Gives a launch of the host up that has failed and of which no work-group runs: what it led to and waits for events goes to
   * the graveyard. False if something may still begin, and find that it need not.
   */
  abandon(slot: number): boolean {
    const { words } = this.#control;
    const graveyard = this.#launches.base(graveyardSlot);
    Atomics.store(words, graveyard + launchWords.failed, failedWait);
    Atomics.store(words, graveyard + launchWords.pending, manyPending);
    const waiting: number[] = [];
    for (const launch of this.#of(slot)) {
      if (Atomics.load(words, launch + nestedLaunch.waits) > 0) waiting.push(launch);
      else if (Atomics.load(words, launch + nestedLaunch.visitors) > 0) return false;
    }
    for (const launch of waiting) Atomics.store(words, launch + nestedLaunch.slot, graveyardSlot);
    return true;
  }

  #namesOf(slot: number): readonly KernelName[] {
    return readKernelNames(
      this.#control,
      this.#control.words[this.#launches.base(slot) + launchWords.module]!,
    );
  }

  /** The launches of a slot that have not begun, and the events that each waits for. */
  #eventsAwaited(slot: number): Map<number, number[]> {
    const { words } = this.#control;
    const found = new Map<number, number[]>();
    for (const launch of this.#of(slot)) {
      if (Atomics.load(words, launch + nestedLaunch.waits) > 0) found.set(launch, []);
    }
    const first = Atomics.load(words, this.#layout.nested + nestedWords.events);
    if (found.size === 0 || first === 0) return found;
    for (let number = 0; number < mostDeviceEvents; number += 1) {
      const event = first + number * nestedEvent.size;
      let node = Atomics.load(words, event + nestedEvent.waiting);
      // Where threads are at work a list may change under our eyes, and lead into another.
      for (let steps = 0; node > 0 && steps < mostDeviceEvents; steps += 1) {
        found.get(words[node + nestedNode.value]!)?.push(event);
        node = words[node + nestedNode.next]!;
      }
    }
    return found;
  }

  /** Every record that says it goes back to a slot, free ones among them: these wait for nothing and nobody visits them. */
  *#of(slot: number): Iterable<number> {
    for (const launch of this.#all()) {
      if (this.#control.words[launch + nestedLaunch.slot] === slot) yield launch;
    }
  }

  *#all(): Iterable<number> {
    const count = this.#queues.count;
    this.#queues.reach();
    for (let queue = 1; queue <= count; queue += 1) {
      const record = this.#queues.record(queue);
      if (record === 0) continue;
      const { words } = this.#control;
      const first = words[record + queueRecord.records]!;
      const end = first + words[record + queueRecord.count]! * nestedLaunch.size;
      for (let launch = first; launch < end; launch += nestedLaunch.size) yield launch;
    }
  }
}
