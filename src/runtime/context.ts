/**
 * A context: devices, the memory they share, the event table, and what must outlive the commands that use it.
 */

import { ControlMemory, head, maximumBells } from './control-memory.ts';
import type { Device, DeviceHost, OpenDevice } from './device.ts';
import { DeviceMemory } from './device-memory.ts';
import { GivenEvents } from './event.ts';
import { EventTable } from './event-table.ts';
import { everyNowAndThen } from './host.ts';
import type { MemoryPool } from './memory-pool.ts';
import { Notifications } from './notifications.ts';
import { backInProgram } from './observe-calls.ts';
import { noticeCollection, OutsideHeap } from './outside-heap.ts';
import { PendingReads } from './pending-reads.ts';
import { Printing } from './printing.ts';
import type { CommandQueue } from './queue.ts';
import { OpenCLError, statusCodes } from './status.ts';
import { SvmBuffers } from './svm-buffers.ts';

/** How far a queue must have come: see CommandQueue.mark. */
export interface QueueMark {
  readonly queue: CommandQueue;
  readonly count: number;
}

interface Deferred {
  readonly task: () => void;
  marks: QueueMark[];
}

/** What holds for all launches of a context. */
export interface LaunchRules {
  /** Milliseconds that one may run in queues that say nothing else; default 0, for ever. */
  readonly timeout?: number | undefined;
  /** Told on this thread why a command has failed while it ran, before anybody learns of its end. */
  readonly onFailure?: ((message: string) => void) | undefined;
}

export interface ContextOptions extends LaunchRules {
  /** `false` keeps everything on this thread, as where there is no shared memory. */
  readonly shared?: boolean | undefined;
  /** Where device memory comes from, if it is not the context's own. */
  readonly pool?: MemoryPool | undefined;
  /** Calls the program's callbacks; without it they are called in a later turn of the event loop. */
  readonly callBack?: ((task: () => void) => void) | undefined;
  /** Whoever uses the context releases its events as C does: none has to be found that was dropped. Default false. */
  readonly releasesAll?: boolean | undefined;
}

/** Two threads and the processor take so many bytes, more or less, and what every context has in its memories. */
const contextBytes = 32 << 20;

/** Milliseconds between two looks at whether an abandoned context's commands have ended. */
const lookTime = 250;

/** So many tasks that wait are looked at again for each one more. */
const fewDeferred = 64;

export class Context {
  readonly devices: readonly Device[];
  readonly memory: DeviceMemory;
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly notifications: Notifications;
  readonly printing: Printing;
  readonly svm: SvmBuffers;
  readonly given = new GivenEvents();
  /** Arrays that commands of any of its queues will fill. */
  readonly reads = new PendingReads();
  readonly queues = new Set<CommandQueue>();
  /** See {@link ContextOptions}. */
  readonly callBack: (task: () => void) => void;
  readonly releasesAll: boolean;
  readonly timeout: number;
  readonly #open = new Map<Device, OpenDevice>();
  readonly #freeTasks: ((address: number) => void)[] = [];
  readonly #deferred: Deferred[] = [];
  readonly #outsideHeap: OutsideHeap;
  // They are the context's own, for what they are told keeps it: a context of which nothing is left but such objects, that nobody
  // refers to either, is collected with them.
  readonly #droppedEvents = new FinalizationRegistry<number>((slot) => {
    if (!this.#closed) this.releaseEvent(slot);
  });
  readonly #dropped = new FinalizationRegistry<() => void>((then) => {
    if (!this.#closed) then();
    noticeCollection();
  });
  /** Events that only the program can end, by their slots. */
  readonly #userEvents = new Set<number>();
  /** How many of them there are when all are looked at again. */
  #collectAt = fewDeferred;
  #hasCopies = false;
  #closed = false;
  #lost: OpenCLError | undefined;
  readonly #whenFailed: ((error: OpenCLError) => void)[] = [];

  constructor(devices: readonly Device[], options: ContextOptions = {}) {
    this.devices = devices;
    // In a page the function itself may not be called as a method of something else.
    this.callBack = options.callBack ?? ((task) => queueMicrotask(() => backInProgram(task)));
    this.releasesAll = options.releasesAll ?? false;
    this.timeout = options.timeout ?? 0;
    this.memory = new DeviceMemory(options.pool ?? options.shared);
    this.control = ControlMemory.create(this.memory.shared);
    this.events = new EventTable(this.control, () => queueMicrotask(() => this.notifications.pump()));
    this.notifications = new Notifications(this.control, this.events);
    this.printing = new Printing(this.events, this.notifications);
    const { onFailure } = options;
    if (onFailure) this.whenFailed((error) => onFailure(error.message));
    this.notifications.beforeEnds(() => this.lookForFailures());
    this.notifications.addTask(() => this.lookForFailures());
    this.svm = new SvmBuffers(this);
    this.#outsideHeap = new OutsideHeap(this.memory.isLent ? this.control : this.memory.memory);
    this.#count();
    try {
      for (const device of devices) this.#open.set(device, device.open(this.#host()));
    } catch (error) {
      // Those that are open already, and what there is of the memory, belong to nobody.
      this.close();
      if (!(error instanceof OpenCLError) || error.name !== 'CL_MEM_OBJECT_ALLOCATION_FAILURE') throw error;
      throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', `no memory for a context: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Calls `then` once `object` has been collected, unless the context has ended before, or {@link forget} was called. */
  whenCollected(object: object, then: () => void): void {
    this.#dropped.register(object, then, object);
  }

  /** The object has been released. */
  forget(object: object): void {
    this.#dropped.unregister(object);
  }

  /** The same for events, of which there are many: a reference of the slot is given back. */
  watchEvent(event: object, slot: number): void {
    this.#droppedEvents.register(event, slot, event);
  }

  forgetEvent(event: object): void {
    this.#droppedEvents.unregister(event);
  }

  /** Gives back the program's reference of an event's slot. */
  releaseEvent(slot: number): void {
    if (this.#userEvents.size > 0 && this.#userEvents.has(slot)) {
      // Nobody can end it any more. Commands that wait for it do so until the context ends: see abandon.
      if (!this.events.isHeldOnce(slot)) return;
      this.#userEvents.delete(slot);
    }
    this.events.release(slot);
  }

  /** The slot of an event that only the program can end. */
  addUserEvent(slot: number): void {
    this.#userEvents.add(slot);
  }

  /** It has ended. */
  removeUserEvent(slot: number): void {
    this.#userEvents.delete(slot);
  }

  /**
   * Nothing of the context can be reached any more, and so nothing be added: it ends when its commands have. What these wait for
   * and only the program could have completed fails. No process lives on for it.
   */
  abandon(): void {
    if (this.#closed) return;
    for (const slot of this.#userEvents) this.events.complete(slot, statusCodes.CL_INVALID_CONTEXT);
    this.#userEvents.clear();
    const closesNow = (): boolean => {
      if (this.#closed) return true;
      this.notifications.pump();
      if (this.notifications.isAwaited || ![...this.queues].every((queue) => queue.isIdle)) return false;
      this.close();
      return true;
    };
    if (!closesNow()) everyNowAndThen(lookTime, () => !closesNow());
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Why a device of the context has died; undefined while all live. */
  get lost(): OpenCLError | undefined {
    return this.#lost;
  }

  /** Calls `then`, on this thread, for each command that fails by itself, and once when a device of the context dies. */
  whenFailed(then: (error: OpenCLError) => void): void {
    this.#whenFailed.push(then);
  }

  /** Tells of commands that have failed since the last look, and notes that for their queues. True if there were some. */
  lookForFailures(): boolean {
    const failures = this.events.newFailures();
    for (const { slot, owner, status, text } of failures) {
      const error = new OpenCLError(status, text);
      for (const queue of this.queues) if (queue.owner === owner) queue.addFailure(slot, error);
      // What ends with a device is told of once.
      const isLoss = status === statusCodes.CL_DEVICE_NOT_AVAILABLE && this.#lost !== undefined;
      if (!isLoss) for (const tell of this.#whenFailed) tell(error);
    }
    return failures.length > 0;
  }

  /**
   * Whether a device keeps copies of buffers, so that the bytes here may be old: whoever wants to see or change them asks
   * a queue to (`host` commands, markers with ranges).
   */
  get hasCopies(): boolean {
    return this.#hasCopies;
  }

  /** The device at work in this context; it must be one of {@link devices}. */
  opened(device: Device): OpenDevice {
    const open = this.#open.get(device);
    if (!open) throw new OpenCLError('CL_INVALID_DEVICE', `${device.info.name} is not in this context`);
    return open;
  }

  /**
   * Bytes of device memory. When there is no room it waits, where it may, for commands that still hold memory of
   * released objects.
   * @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate(bytes: number): number {
    for (;;) {
      try {
        return this.allocateNow(bytes);
      } catch (error) {
        if (!this.#waitForDeferred()) throw error;
      }
    }
  }

  /** As {@link allocate}, without waiting for commands that still use memory which is free then. */
  allocateNow(bytes: number): number {
    if (this.#deferred.length > 0) this.#collect(fewDeferred);
    const address = this.memory.allocate(bytes);
    this.#count();
    return address;
  }

  /** Frees device memory once all queues have passed the given marks. */
  freeAfter(address: number, marks: Iterable<QueueMark>): void {
    this.runAfter(marks, () => {
      for (const task of this.#freeTasks) task(address);
      this.memory.free(address);
      this.#count();
    });
  }

  /** Does something, at the latest when memory is next short, after all queues have passed the given marks. */
  runAfter(marks: Iterable<QueueMark>, task: () => void): void {
    if (this.#closed) return;
    const open = [...marks].filter((mark) => !mark.queue.hasPassed(mark.count));
    if (open.length === 0) task();
    else this.#deferred.push({ task, marks: open });
    if (this.#deferred.length > this.#collectAt) {
      this.#collect();
      this.#collectAt = Math.max(fewDeferred, 2 * this.#deferred.length);
    }
  }

  #count(): void {
    if (!this.#closed) this.#outsideHeap.set(contextBytes + this.memory.used);
  }

  /** Where all queues stand now. */
  marks(): QueueMark[] {
    return [...this.queues].map((queue) => queue.mark());
  }

  /** Ends all devices. Commands that still run are abandoned; finish the queues first. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.given.clear();
    this.#userEvents.clear();
    this.notifications.close();
    for (const open of this.#open.values()) open.close();
    this.memory.close();
    // Nobody gives memory back but the engine, when it collects.
    this.#outsideHeap.set((this.memory.isLent ? 0 : this.memory.sharedBytes) + this.control.sharedBytes);
  }

  /**
   * Does what can be done now. The oldest come first and `patience` is how many that still have to wait are looked at: with
   * thousands of launches queued, each of which leaves something to free, looking at all of them for each one more would
   * take longer than the launches.
   */
  #collect(patience = Number.POSITIVE_INFINITY): void {
    const deferred = this.#deferred;
    const ready: Deferred[] = [];
    let waiting = 0;
    let seen = 0;
    for (; seen < deferred.length && waiting < patience; seen += 1) {
      const pending = deferred[seen]!;
      pending.marks = pending.marks.filter((mark) => !mark.queue.hasPassed(mark.count));
      if (pending.marks.length > 0) {
        deferred[waiting] = pending;
        waiting += 1;
      } else ready.push(pending);
    }
    deferred.splice(waiting, seen - waiting);
    for (const { task } of ready) task();
  }

  /** Waits until some pending memory is free. False if there is none, or this thread may not wait. */
  #waitForDeferred(): boolean {
    const pending = this.#deferred[0];
    if (!pending) return false;
    try {
      for (const mark of pending.marks) mark.queue.finish();
    } catch {
      return false;
    }
    const before = this.#deferred.length;
    // The device counts a command some microseconds after its event is complete.
    while (this.#deferred.length === before) {
      this.notifications.pump();
      this.#collect();
    }
    return true;
  }

  #host(): DeviceHost {
    const { control, notifications } = this;
    return {
      memory: this.memory,
      control,
      events: this.events,
      printing: this.printing,
      svm: this.svm,
      addDoorbell: (word) => {
        const count = control.words[head.bellCount]!;
        if (count >= maximumBells) throw new OpenCLError('CL_OUT_OF_RESOURCES', 'too many devices');
        control.words[head.bells + count] = word;
        Atomics.store(control.words, head.bellCount, count + 1);
      },
      removeDoorbell: (word) => {
        const count = control.words[head.bellCount]!;
        const bells = control.words.subarray(head.bells, head.bells + count);
        const index = bells.indexOf(word);
        if (index < 0) return;
        bells[index] = bells[count - 1]!;
        Atomics.store(control.words, head.bellCount, count - 1);
      },
      pump: () => {
        notifications.pump();
      },
      onPump: (task) => notifications.addTask(task),
      onBlock: (task) => notifications.addBlockTask(task),
      whenDone: (slot, then) => notifications.whenDone(slot, then),
      deviceCount: this.devices.length,
      keepsCopies: () => {
        this.#hasCopies = true;
      },
      onFree: (task) => this.#freeTasks.push(task),
      freeLater: (address) => this.freeAfter(address, this.marks()),
      afterCommands: (task) => this.runAfter(this.marks(), task),
      lost: (error) => {
        const isFirst = !this.#lost;
        this.#lost ??= error;
        if (isFirst) for (const tell of this.#whenFailed) tell(error);
        notifications.lookAtAll();
      },
      setKeepAlive: (keep) => notifications.addKeepAlive(keep),
    };
  }
}
