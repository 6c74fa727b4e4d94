/**
 * The host thread's side of the event table: promises and callbacks that wait for events, actions that only the host
 * can do, and blocking waits. Other threads put event slots on a list and call; {@link Notifications.pump} answers.
 */
import { type ControlMemory, head } from './control-memory.ts';
import type { EventTable } from './event-table.ts';
import { mayBlock, now } from './host.ts';
import { executionStatus, OpenCLError } from './status.ts';

interface Watch {
  readonly whenDone: (() => void)[];
  /** Who waits for SUBMITTED or RUNNING. */
  readonly whenReached: { readonly status: number; readonly then: () => void }[];
  action: (() => void) | undefined;
  /** The other threads have been asked to tell. */
  armed: boolean;
}

export class Notifications {
  readonly #control: ControlMemory;
  readonly #events: EventTable;
  readonly #watches = new Map<number, Watch>();
  /** Slots of commands that somebody wants to see submitted or running. */
  readonly #stateSlots = new Set<number>();
  readonly #tasks: (() => boolean)[] = [];
  readonly #blockTasks: (() => boolean)[] = [];
  #beforeEnds: () => void = () => {};
  #keepAlive: ((on: boolean) => void)[] = [];
  #awaited = 0;
  #closed = false;

  constructor(control: ControlMemory, events: EventTable) {
    this.#control = control;
    this.#events = events;
  }

  /** Whether anybody waits to be told of something. */
  get isAwaited(): boolean {
    return this.#awaited > 0;
  }

  /** See DeviceHost.onPump. */
  addTask(task: () => boolean): void {
    this.#tasks.push(task);
  }

  /** See DeviceHost.onBlock. */
  addBlockTask(task: () => boolean): void {
    this.#blockTasks.push(task);
  }

  /** Calls `task` whenever somebody is about to be told of the end of a command. */
  beforeEnds(task: () => void): void {
    const others = this.#beforeEnds;
    this.#beforeEnds = () => {
      others();
      task();
    };
  }

  /** See DeviceHost.setKeepAlive. */
  addKeepAlive(keep: (on: boolean) => void): void {
    this.#keepAlive.push(keep);
    if (this.#awaited > 0) keep(true);
  }

  /**
   * Calls `then` on the host thread once the slot's command has ended; before returning if it has already. When the
   * context is released `then` is called too, and finds the command not done.
   */
  whenDone(slot: number, then: () => void): void {
    if (this.#closed || this.#events.isDone(slot)) {
      this.#beforeEnds();
      then();
      return;
    }
    const watch = this.#watch(slot);
    watch.whenDone.push(then);
    this.#arm(slot, watch);
  }

  /**
   * Calls `then` once the slot's command has reached an execution status (SUBMITTED, RUNNING) or passed it, always before
   * those who wait for a later one; else as {@link whenDone}.
   */
  whenReached(slot: number, status: number, then: () => void): void {
    const watch = this.#closed || this.#events.isDone(slot) ? undefined : this.#watch(slot);
    if (!watch) {
      this.whenDone(slot, then);
      return;
    }
    watch.whenReached.push({ status, then });
    this.#stateSlots.add(slot);
    this.#events.watchStates(slot);
    // Even if it has ended since it was looked at: a watch that is not armed would never go, and keep the process alive.
    this.#arm(slot, watch);
    this.#tellStates(slot);
  }

  /** The host's part in a command of kind `host`: done when the device says that its turn has come. */
  setAction(slot: number, action: () => void): void {
    const watch = this.#watch(slot);
    watch.action = action;
    watch.armed = true;
    this.#events.watchFromHost(slot);
  }

  /** Looks at everything other threads have put on the list. True if there was something. */
  pump(): boolean {
    if (this.#closed) return false;
    let any = false;
    Atomics.store(this.#control.words, head.hostMessage, 0);
    for (;;) {
      const slots = this.#events.takeHostList();
      let more = slots.length > 0;
      for (const slot of slots) {
        if (this.#events.isDone(slot)) this.#finish(slot);
        else this.#act(slot);
      }
      for (const slot of this.#stateSlots) more = this.#tellStates(slot) || more;
      for (const task of this.#tasks) more = task() || more;
      if (!more) return any;
      any = true;
    }
  }

  /** A device has died: whoever was about to put a slot on the list may have died with it, so all are looked at. */
  lookAtAll(): void {
    this.pump();
    for (const slot of [...this.#watches.keys()]) if (this.#events.isDone(slot)) this.#finish(slot);
  }

  /** Does once what a blocked thread does while it waits: for those who ask again and again instead of waiting. */
  lend(): void {
    if (!this.pump()) this.#blockTasks.some((task) => task());
  }

  /**
   * Sleeps until the slot's command has ended; before that, looks again and again for `eager` nanoseconds.
   * What holds, and conformance/models (`sleep`) looks for in every order of steps: the bell's number is taken before the last look, so that an end after
   * that look changes the bell, and one before it is seen.
   * @throws OpenCLError CL_INVALID_OPERATION where this thread may not sleep
   */
  block(slot: number, eager = 0): void {
    const { words } = this.#control;
    const until = eager > 0 ? now() + eager : 0;
    do {
      for (let turn = 0; turn < spins; turn += 1) {
        if (!this.#events.isDone(slot)) continue;
        this.#beforeEnds();
        return;
      }
      // A command before this one may be the host's to run.
      if (until > 0) this.pump();
    } while (until > 0 && now() < until);
    let told = false;
    this.whenDone(slot, () => {
      told = true;
    });
    while (!told && !this.#closed) {
      if (this.pump() || this.#blockTasks.some((task) => task())) continue;
      if (!this.#control.memory || !mayBlock()) {
        throw new OpenCLError(
          'CL_INVALID_OPERATION',
          this.#control.memory
            ? 'this thread may not block: await event.done or queue.finished(), or pass a callback'
            : 'nothing can complete this wait: without threads, only this code could',
        );
      }
      const seen = Atomics.load(words, head.hostBell);
      Atomics.store(words, head.hostAsleep, 1);
      try {
        if (!this.pump() && !told) Atomics.wait(words, head.hostBell, seen, longestSleep);
      } finally {
        // Others would believe it asleep, and send no message any more.
        Atomics.store(words, head.hostAsleep, 0);
      }
      this.pump();
    }
  }

  /** The context is released: whoever waits is told now, though the commands have not ended. */
  close(): void {
    this.#beforeEnds();
    this.#closed = true;
    for (const keep of this.#keepAlive) keep(false);
    this.#keepAlive = [];
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    for (const { whenReached, whenDone } of watches) {
      for (const { then } of whenReached) then();
      for (const then of whenDone) then();
    }
  }

  #watch(slot: number): Watch {
    let watch = this.#watches.get(slot);
    if (!watch) {
      watch = { whenDone: [], whenReached: [], action: undefined, armed: false };
      this.#watches.set(slot, watch);
      this.#events.retain(slot);
      this.#awaited += 1;
      if (this.#awaited === 1) for (const keep of this.#keepAlive) keep(true);
    }
    return watch;
  }

  /** Asks for the end of the slot's command to be told, once. */
  #arm(slot: number, watch: Watch): void {
    if (watch.armed) return;
    watch.armed = true;
    // The other side may have completed it in between; then it is ours to tell.
    if (!this.#events.watchFromHost(slot)) this.#finish(slot);
  }

  #act(slot: number): void {
    const watch = this.#watches.get(slot);
    const action = watch?.action;
    if (!watch || !action || this.#events.status(slot) !== executionStatus.running) return;
    watch.action = undefined;
    action();
  }

  /** Tells who waits for the status that a command has reached now. True if there was somebody. */
  #tellStates(slot: number): boolean {
    const waiting = this.#watches.get(slot)?.whenReached;
    if (!waiting?.length) {
      this.#stateSlots.delete(slot);
      return false;
    }
    const status = this.#events.status(slot);
    const told = waiting.filter((each) => status <= each.status).sort((a, b) => b.status - a.status);
    const left = waiting.filter((each) => status > each.status);
    waiting.splice(0, waiting.length, ...left);
    if (left.length === 0) this.#stateSlots.delete(slot);
    for (const { then } of told) then();
    return told.length > 0;
  }

  #finish(slot: number): void {
    const watch = this.#watches.get(slot);
    if (!watch) return;
    this.#beforeEnds();
    this.#tellStates(slot);
    this.#watches.delete(slot);
    this.#awaited -= 1;
    if (this.#awaited === 0) for (const keep of this.#keepAlive) keep(false);
    this.#events.release(slot);
    for (const then of watch.whenDone) then();
  }
}

/** Milliseconds after which a blocked host looks around unasked, for what cannot ring (the end of a thread). */
const longestSleep = 50;

/** Looks at the status so often before it sleeps: some ten microseconds, about what a sleep and a wake cost. */
const spins = 400;
