/**
 * A launch that can be moved in both directions. It runs work-items by the steps of the interpreter, one work-group after
 * another, and counts the steps: that number is the *time*. Which work-item is next follows from the state alone: the preferred one
 * if it can go on, else the first that can; so the same time is always the same state. To go back, the machine takes up a
 * snapshot from before and runs up to the time that is wanted. What people do in between (preferring a work-item, changing
 * a variable) is kept in a history and happens again at its time.
 */
import { subGroupSize } from '../../ir/collectives.ts';
import { InterpreterError } from '../../ir/interpreter/error.ts';
import { checkTogether } from '../../ir/interpreter/execute.ts';
import { Fault } from '../../ir/interpreter/memory.ts';
import type { OpenLaunch } from '../../ir/interpreter/open-launch.ts';
import { type Frame, signals, type WorkItem } from '../../ir/interpreter/state.ts';
import type { Span } from '../../source/span.ts';
import { type RunningGroup, restoreSnapshot, type Snapshot, takeSnapshot } from './snapshots.ts';
import type { SourceMap, Statement } from './source-map.ts';

/** Something wrong that a work-item was about to do; it stays before that step. */
export interface MachineFault {
  readonly message: string;
  readonly item: WorkItem;
  readonly span: Span | undefined;
}

/** What the one who runs the machine looks at. A true answer stops it there. */
export interface Watcher {
  /** Before a work-item begins a statement. */
  atStatement?(item: WorkItem, frame: Frame, statement: Statement): boolean;
  /** After a work-item has left a function: it is in the caller now, or has ended. */
  afterReturn?(item: WorkItem): boolean;
  /** After each step, if {@link Machine.isWatched}. */
  afterStep?(item: WorkItem, span: Span | undefined): boolean;
}

/** Why the machine does not go on: the time is there, the watcher wanted it, a fault, or the launch has ended. */
export type Halt = 'time' | 'stopped' | 'fault' | 'ended';

/** What people did, and when. */
export type HistoryEvent =
  | { readonly kind: 'prefer'; readonly time: number; readonly index: number }
  | { readonly kind: 'edit'; readonly time: number; readonly address: number; readonly bytes: Uint8Array };

/** More copies than this are thinned out, those most that lie far from the present. */
const mostSnapshots = 40;
const shortestInterval = 25_000;
/** A step takes as long as to compare so many bytes with their copy, roughly; and a copy of a small object so many steps. */
const bytesAStep = 16;
const stepsAnObject = 100;

export class Machine {
  readonly launch: OpenLaunch;
  readonly map: SourceMap;
  /** Steps taken so far. */
  time = 0;
  /** The group that runs; undefined when the launch has ended. */
  running: RunningGroup | undefined;
  fault: MachineFault | undefined;
  /** Whether watchers are asked after every step. */
  isWatched = false;
  /** Who went last. */
  last: WorkItem | undefined;
  /** Of the group that runs or is next. */
  #serial = 0;
  #preferred = 0;
  #history: HistoryEvent[] = [];
  #happened = 0;
  /** By their times. */
  #snapshots: Snapshot[] = [];
  #interval = shortestInterval;

  constructor(launch: OpenLaunch, map: SourceMap) {
    this.launch = launch;
    this.map = map;
    this.#begin();
    this.#keep();
  }

  get hasEnded(): boolean {
    return this.running === undefined;
  }

  /** Runs until a time, a fault, the end, or until the watcher says so. */
  run(until: number, watcher: Watcher): Halt {
    for (;;) {
      this.#catchUp();
      if (this.fault) return 'fault';
      if (this.running === undefined) return 'ended';
      if (this.time >= until) return 'time';
      const item = this.#next();
      if (!item) continue;
      const event = this.#history[this.#happened]?.time ?? Number.POSITIVE_INFINITY;
      if (this.#nextSnapshot <= this.time) this.#keep();
      if (this.#runItem(item, Math.min(until, event, this.#nextSnapshot), watcher)) return 'stopped';
    }
  }

  /** The work-item that would go on now; undefined after a fault and at the end. */
  get upNext(): WorkItem | undefined {
    const { running } = this;
    if (!running) return undefined;
    const index = this.#readyIndex(running);
    return running.items[index < 0 ? this.#preferred : index] ?? running.items[0];
  }

  /** From now on that work-item goes first whenever it can. */
  prefer(index: number): void {
    this.#happen({ kind: 'prefer', time: this.time, index });
  }

  /** Changes bytes, from now on and whenever this time comes again. */
  edit(address: number, bytes: Uint8Array): void {
    this.#happen({ kind: 'edit', time: this.time, address, bytes });
  }

  #happen(event: HistoryEvent): void {
    // What comes later is now another future.
    this.#history.length = this.#happened;
    this.#snapshots = this.#snapshots.filter(({ time }) => time <= this.time);
    this.#history.push(event);
    this.fault = undefined;
    this.#catchUp();
  }

  /** Lets happen what is due. */
  #catchUp(): void {
    for (;;) {
      const event = this.#history[this.#happened];
      if (!event || event.time > this.time) return;
      this.#happened += 1;
      if (event.kind === 'prefer') this.#preferred = event.index;
      else {
        const place = this.launch.memory.at(event.address);
        place?.bytes.set(event.bytes, event.address - place.start);
        place?.written?.fill(
          1,
          event.address - place.start,
          event.address - place.start + event.bytes.length,
        );
      }
    }
  }

  /**
   * Looks for the last time before now at which `watcher` says yes, and goes there; if there is none, to the beginning.
   * Yields now and then, so that others have their turn; a caller that gives up is left at some time before.
   */
  *back(
    matches: (item: WorkItem, frame: Frame, statement: Statement) => boolean,
    afterStep?: Watcher['afterStep'],
  ): Generator<void, WorkItem | undefined> {
    let end = this.time;
    for (;;) {
      const from = this.#snapshotBefore(end - 1);
      this.#restore(from);
      let found: { readonly time: number; readonly index: number } | undefined;
      yield* this.#runTo(end, {
        atStatement: (item, frame, statement) => {
          if (matches(item, frame, statement)) found = { time: this.time, index: item.index };
          return false;
        },
        afterStep: (item, span) => {
          // Back to before the step.
          if (afterStep?.(item, span)) found = { time: this.time - 1, index: item.index };
          return false;
        },
      });
      if (found) {
        this.#restore(from);
        yield* this.#runTo(found.time, {});
        return this.running?.items[found.index];
      }
      if (from.time === 0) {
        this.#restore(from);
        return undefined;
      }
      end = from.time;
    }
  }

  /** Goes to any time, past or future. */
  *seek(time: number): Generator<void, void> {
    if (time < this.time) this.#restore(this.#snapshotBefore(time));
    yield* this.#runTo(time, {});
  }

  *#runTo(time: number, watcher: Watcher): Generator<void, void> {
    while (this.time < time) {
      const halt = this.run(Math.min(time, this.time + sliceSteps), watcher);
      if (halt === 'fault' || halt === 'ended') break;
      yield;
    }
    this.#catchUp();
  }

  // ----------------------------------------------------------------------------------------------- forwards

  #begin(): void {
    const { groupCount } = this.launch;
    if (this.#serial >= groupCount) {
      this.running = undefined;
      return;
    }
    const { group, items } = this.launch.beginGroup(this.#serial);
    this.running = { group, items, states: items.map(() => 'ready') };
  }

  #readyIndex({ states }: RunningGroup): number {
    return states[this.#preferred] === 'ready' ? this.#preferred : states.indexOf('ready');
  }

  /** The work-item whose turn it is; undefined if it has to be asked for again, since a barrier or the group has ended. */
  #next(): WorkItem | undefined {
    const running = this.running!;
    const index = this.#readyIndex(running);
    if (index >= 0) return running.items[index];
    try {
      this.#release(running);
    } catch (error) {
      if (!(error instanceof InterpreterError)) throw error;
      const { reason, span, globalId } = error;
      const item = running.items.find((one) => `${one.globalId}` === `${globalId}`) ?? running.items[0]!;
      this.fault = { message: reason, item, span };
    }
    return undefined;
  }

  /** Nobody can go on: all wait at a barrier together, or the group has ended, or something is wrong. */
  #release({ group, items, states }: RunningGroup): void {
    let isReleased = false;
    for (let start = 0; start < items.length; start += subGroupSize) {
      const own = states.slice(start, start + subGroupSize);
      if (!own.includes('waits-sub-group')) continue;
      const members = items.slice(start, start + subGroupSize);
      checkTogether(members, this.launch.kernel);
      for (let index = start; index < start + members.length; index += 1) states[index] = 'ready';
      group.subPhases[start / subGroupSize]! += 1;
      isReleased = true;
    }
    if (isReleased) return;
    checkTogether(items, this.launch.kernel);
    group.phase += 1;
    if (states[0] === 'waits-group') {
      states.fill('ready');
      return;
    }
    this.launch.endGroup();
    this.#serial += 1;
    this.#preferred = 0;
    this.#begin();
  }

  /** Runs one work-item until it waits, ends, or the time is there. True if the watcher has stopped it. */
  #runItem(item: WorkItem, until: number, watcher: Watcher): boolean {
    const { states } = this.running!;
    const { atStatement, afterReturn, afterStep } = watcher;
    this.last = item;
    for (let frame = item.frame; frame; frame = item.frame) {
      const { steps } = frame.code;
      const { starts } = this.map.of(frame.code);
      let next = frame.next;
      while (next >= 0) {
        if (this.time >= until) {
          frame.next = next;
          return false;
        }
        const statement = atStatement && starts[next];
        if (statement) {
          frame.next = next;
          if (atStatement(item, frame, statement)) return true;
        }
        const step = steps[next]!;
        try {
          if (step.run) {
            step.run(frame);
            next += 1;
          } else {
            // A jump that leaves the frame has said where that goes on.
            next = step.jump!(frame);
          }
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          frame.next = next;
          this.fault = { message: error.message, item, span: step.instruction.span };
          return false;
        }
        this.time += 1;
        if (this.isWatched && afterStep) {
          if (next >= 0) frame.next = next;
          this.#arrive(item, next, states);
          if (afterStep(item, step.instruction.span)) return true;
        }
      }
      this.#arrive(item, next, states);
      if (next !== signals.frame) return false;
      // Into a callee or back to the caller.
      if (frame !== item.frame?.caller && afterReturn?.(item)) return true;
    }
    return false;
  }

  #arrive(item: WorkItem, next: number, states: RunningGroup['states']): void {
    if (next === signals.barrier) states[item.index] = 'waits-group';
    else if (next === signals.subGroupBarrier) states[item.index] = 'waits-sub-group';
    else if (!item.frame) states[item.index] = 'ended';
  }

  // ---------------------------------------------------------------------------------------------- backwards

  /** When the next is to be taken. */
  get #nextSnapshot(): number {
    return this.#snapshotBefore(this.time).time + this.#interval;
  }

  /** The last snapshot that is not after a time; there is always the first. */
  #snapshotBefore(time: number): Snapshot {
    let found = this.#snapshots[0]!;
    for (const snapshot of this.#snapshots) if (snapshot.time <= time) found = snapshot;
    return found;
  }

  #keep(): void {
    const at = this.#snapshots.findIndex(({ time }) => time >= this.time);
    if (this.#snapshots[at]?.time === this.time) return;
    const before = this.#snapshots[(at < 0 ? this.#snapshots.length : at) - 1];
    const facts = {
      time: this.time,
      serial: this.#serial,
      preferred: this.#preferred,
      events: this.#happened,
    };
    const taken = takeSnapshot(this.launch.memory, this.running, facts, before);
    this.#snapshots.splice(at < 0 ? this.#snapshots.length : at, 0, taken);
    let bytes = 0;
    for (const { pages } of taken.bytes.values()) for (const page of pages) bytes += page.length;
    const cost = bytes / bytesAStep + stepsAnObject * taken.bytes.size;
    this.#interval = Math.max(shortestInterval, cost);
    if (this.#snapshots.length > mostSnapshots) this.#thinOut();
  }

  /** Gives up the copy that costs least: the gap it leaves is small for how far away it is. */
  #thinOut(): void {
    let least = 1;
    let leastCost = Number.POSITIVE_INFINITY;
    for (let index = 1; index < this.#snapshots.length - 1; index += 1) {
      const gap = this.#snapshots[index + 1]!.time - this.#snapshots[index - 1]!.time;
      const cost = gap / (1 + Math.abs(this.time - this.#snapshots[index]!.time));
      if (cost >= leastCost) continue;
      least = index;
      leastCost = cost;
    }
    this.#snapshots.splice(least, 1);
  }

  #restore(snapshot: Snapshot): void {
    this.running = restoreSnapshot(this.launch.memory, snapshot);
    this.time = snapshot.time;
    this.#serial = snapshot.serial;
    this.#preferred = snapshot.preferred;
    this.#happened = snapshot.events;
    this.fault = undefined;
  }
}

/** How many steps are taken between two turns of others: some milliseconds. */
export const sliceSteps = 50_000;
