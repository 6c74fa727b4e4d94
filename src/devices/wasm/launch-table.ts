/**
 * The launches being run: slots of control memory from which workers take chunks of work-groups.
 *
 * A slot is *prepared* by the processor, *active* while workers take chunks of it with fetch-and-add, and *done* when
 * the last chunk has been run. The worker that ends it completes the event, activates the launch that was chained
 * behind it (so the processor is not on the way from one launch of a queue to the next), and rings the processor,
 * which frees the slot.
 *
 * A launch that has led to others (nested/scheduler.ts) is not at its end before these are.
 *
 * A worker that has taken a chunk number below the chunk count owns that chunk, and the slot cannot end without it.
 * Before taking a number it says that it visits the slot and looks at the state again; a slot is prepared anew only when
 * nobody visits it. So a number is never taken from one launch and used for the next. Who visits what is known of each worker, not
 * counted, so that one that ends is no visitor for ever.
 *
 * What holds, and conformance/models (`launches`, `pool`) looks for in every order of steps: each chunk is run once or given up once; `remaining` ends at 0;
 * a launch ends once, and while no chunk of it runs; its successor is activated once, whether it was chained before or after that; who
 * sleeps on the signal or the bell has seen all that came before. And in random orders (`launch-slots`): no slot is used while somebody is at it, and a
 * launch that has found none gets the next, for who leaves one rings if the processor wants one.
 */
import type { ControlMemory } from '../../runtime/control-memory.ts';
import type { EventTable } from '../../runtime/event-table.ts';
import { ringProcessor } from './processor-words.ts';
import {
  launchSlots,
  launchState,
  launchWords,
  poolWords,
  type SharedLayout,
  workerWords,
} from './shared-layout.ts';

/** A chunk number beyond every chunk count, with room for fetch-and-adds above it. */
const exhausted = 0x3fffffff;

export class LaunchTable {
  readonly #control: ControlMemory;
  readonly #events: EventTable;
  readonly #layout: SharedLayout;

  /** Called when all chunks of a launch have run, before it is complete. */
  onEnd: ((slot: number) => void) | undefined;

  constructor(control: ControlMemory, events: EventTable, layout: SharedLayout) {
    this.#control = control;
    this.#events = events;
    this.#layout = layout;
  }

  /** Where a slot's words begin. */
  base(slot: number): number {
    return this.#layout.launches + slot * launchWords.size;
  }

  state(slot: number): number {
    return Atomics.load(this.#control.words, this.base(slot) + launchWords.state);
  }

  /** A slot that nobody looks at, or -1. Processor only. */
  findFree(): number {
    for (let slot = 0; slot < launchSlots; slot += 1) {
      if (this.state(slot) === launchState.free && !this.isVisited(slot)) return slot;
    }
    return -1;
  }

  /** Whether a worker is at a slot, or (`orWas`) ended there and has not been accounted for. */
  isVisited(slot: number, orWas = true): boolean {
    const { words } = this.#control;
    const { workers, workerCount } = this.#layout;
    for (let self = workers; self < workers + workerCount * workerWords.size; self += workerWords.size) {
      if (Atomics.load(words, self + workerWords.visiting) === slot + 1) return true;
      if (orWas && Atomics.load(words, self + workerWords.diedIn) === slot + 1) return true;
    }
    return false;
  }

  /** Ends a launch that has failed and from which nobody will take or leave a chunk any more. */
  endFailed(slot: number): void {
    this.leave(slot, Atomics.load(this.#control.words, this.base(slot) + launchWords.remaining));
  }

  /** Lets workers at a prepared slot. */
  activate(slot: number): void {
    const { words } = this.#control;
    const base = this.base(slot);
    const { pool, workerCount } = this.#layout;
    const wanted = Math.min(words[base + launchWords.chunks]!, workerCount);
    Atomics.store(words, base + launchWords.state, launchState.active);
    Atomics.add(words, pool + poolWords.signal, 1);
    if (Atomics.load(words, pool + poolWords.sleepers) > 0) {
      Atomics.notify(words, pool + poolWords.signal, wanted);
    }
  }

  /** Makes `next` start when `slot` ends; if that has happened, starts it now. Processor only. */
  chain(slot: number, next: number): void {
    const { words } = this.#control;
    const place = this.base(slot) + launchWords.successor;
    if (Atomics.compareExchange(words, place, 0, next + 1) !== 0) this.activate(next);
  }

  /** Whether no chunk of an active launch has been taken; who then takes chunk 0 asked before anybody had. */
  isUntouched(slot: number): boolean {
    return Atomics.load(this.#control.words, this.base(slot) + launchWords.next) === 0;
  }

  /** The number of the next chunk, or -1 if all are taken. */
  take(slot: number): number {
    const { words } = this.#control;
    const base = this.base(slot);
    // Looked at first: a launch that waits for nested ones is visited again and again.
    if (Atomics.load(words, base + launchWords.next) >= words[base + launchWords.chunks]!) return -1;
    const chunk = Atomics.add(words, base + launchWords.next, 1);
    return chunk < words[base + launchWords.chunks]! ? chunk : -1;
  }

  /** Counts chunks as run; ends the launch with the last one. */
  leave(slot: number, chunks: number): void {
    const place = this.base(slot) + launchWords.remaining;
    if (chunks > 0 && Atomics.sub(this.#control.words, place, chunks) === chunks) this.#end(slot);
  }

  /**
   * Makes a launch fail: no more chunks will be taken. The first failure is the one reported. The caller accounts for
   * a chunk of its own by itself.
   */
  fail(slot: number, status: number, message: string): void {
    const { words } = this.#control;
    const base = this.base(slot);
    if (Atomics.compareExchange(words, base + launchWords.failed, 0, status) === 0) {
      words[base + launchWords.message] = this.#events.writeMessage(message);
    }
    const taken = Atomics.exchange(words, base + launchWords.next, exhausted);
    this.leave(slot, Math.max(0, words[base + launchWords.chunks]! - taken));
  }

  /** Rings the processor. */
  ringProcessor(): void {
    ringProcessor(this.#control.words, this.#layout.processor);
  }

  #end(slot: number): void {
    const base = this.base(slot);
    // With what it has led to it is complete later.
    if (Atomics.load(this.#control.words, base + launchWords.pending) > 1) {
      this.#events.ended(this.#control.words[base + launchWords.event]!);
    }
    this.onEnd?.(slot);
    this.settle(slot);
  }

  /** Counts the launch itself, or one that it led to, as complete; with the last one it is complete. */
  settle(slot: number): void {
    const { words } = this.#control;
    if (Atomics.sub(words, this.base(slot) + launchWords.pending, 1) === 1) this.complete(slot);
  }

  /** Whether all chunks have run, and only nested launches are left. */
  isAtEnd(slot: number): boolean {
    const base = this.base(slot);
    const { words } = this.#control;
    return (
      Atomics.load(words, base + launchWords.remaining) === 0 &&
      Atomics.load(words, base + launchWords.state) === launchState.active
    );
  }

  /** Ends the launch's event. */
  complete(slot: number): void {
    const { words } = this.#control;
    const base = this.base(slot);
    this.#events.complete(
      words[base + launchWords.event]!,
      Atomics.load(words, base + launchWords.failed),
      words[base + launchWords.message]!,
    );
    const successor = Atomics.exchange(words, base + launchWords.successor, -1);
    if (successor > 0) this.activate(successor - 1);
    Atomics.store(words, base + launchWords.state, launchState.done);
    this.ringProcessor();
  }
}
