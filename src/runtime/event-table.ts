/**
 * Events, as all threads see them: slots of control memory with status, profiling times and a count of references.
 *
 * A slot is held by everyone who may still look at it: the host's Event object, the command that will complete it, and
 * each command that waits for it. Who drops the last reference puts it on the free list, so ten million events use
 * as many slots as were ever alive at once.
 *
 * Who wants to be told of a completion sets a *watch* bit, and who completes sets `done` in the same word. Both are
 * atomic and see the other's old bits, so exactly one of the two finds that the telling is its business.
 *
 * What holds, and conformance/models (`events`) looks for in every order of steps: of several who complete a command one does; the host, if it asked
 * in time, is told once; a slot becomes free once, with its last holder, and none of the free list is lost.
 */
import { type ControlMemory, failureRing, head, messageRing } from './control-memory.ts';
import { now } from './host.ts';
import { executionStatus, statusCodes, statusName } from './status.ts';

/** Word offsets inside a slot. */
const field = {
  next: 0,
  status: 1,
  watch: 2,
  references: 3,
  message: 4,
  /** What its queue is known by to those who complete its command (DeviceQueue.owner); 0 for none. */
  owner: 5,
  /** One time, and the four others behind it. */
  completed: 6,
  times: 8,
} as const;
const slotWords = 16;
/** Nanoseconds within which a thread that lives ends a command that it has begun to end. */
const claimTime = 100e6;
const slotsPerBlock = 1024;

/**
 * `claimed` belongs to the first who completes: a device that is given up may still have a thread at work. `states`
 * means that the host wants to know of SUBMITTED and RUNNING.
 */
const watchBits = { done: 1, host: 2, processors: 4, claimed: 8, states: 16 } as const;

/**
 * The profiling times, by their place in a slot behind {@link field.times}. A command is complete later than it has ended
 * where it has led to others (OpenCL 2.0, 5.14).
 */
export const eventTime = { completed: -1, queued: 0, submitted: 1, started: 2, ended: 3 } as const;
export type EventTime = (typeof eventTime)[keyof typeof eventTime];

/** A command has failed by itself, not for what it waited for. */
export interface CommandFailure {
  readonly slot: number;
  /** See DeviceQueue.owner. */
  readonly owner: number;
  readonly status: number;
  /** Why, in words. */
  readonly text: string;
}

/** Words of an entry in the ring of failures. */
const failure = { number: 0, slot: 1, owner: 2, status: 3, message: 4 } as const;

export class EventTable {
  readonly #control: ControlMemory;
  readonly #postToHost: () => void;
  /** Free slots that this thread took from the shared list, linked by `next`. */
  #free = 0;
  /** Where the blocks of slots begin that this thread carved out of control memory. */
  readonly #blocks: number[] = [];
  /** How many failures this thread has looked at. */
  #failuresSeen = 0;

  /** `postToHost` sends the host thread a message, whatever its content. */
  constructor(control: ControlMemory, postToHost: () => void) {
    this.#control = control;
    this.#postToHost = postToHost;
  }

  /** How many slots this thread ever carved out of control memory; the rest were used again. */
  get capacity(): number {
    return this.#blocks.length * slotsPerBlock;
  }

  /** A slot with status QUEUED and the time of now, held by `references` holders. Host thread only. */
  allocate(references: number): number {
    let slot = this.#free;
    if (slot === 0) {
      slot = Atomics.exchange(this.#control.words, head.freeSlots, 0);
      if (slot === 0) slot = this.#newBlock();
    }
    const { words, floats } = this.#control;
    this.#free = words[slot + field.next]!;
    words[slot + field.next] = 0;
    words[slot + field.watch] = 0;
    words[slot + field.message] = 0;
    words[slot + field.owner] = 0;
    words[slot + field.references] = references;
    const times = (slot + field.times) >> 1;
    floats[times] = now();
    floats[times + 1] = 0;
    floats[times + 2] = 0;
    floats[times + 3] = 0;
    floats[times + eventTime.completed] = 0;
    Atomics.store(words, slot + field.status, executionStatus.queued);
    return slot;
  }

  retain(slot: number): void {
    this.#control.reach(slot);
    Atomics.add(this.#control.words, slot + field.references, 1);
  }

  release(slot: number): void {
    this.#control.reach(slot);
    const { words } = this.#control;
    if (Atomics.sub(words, slot + field.references, 1) !== 1) return;
    pushOnto(words, head.freeSlots, slot, slot + field.next);
  }

  /** Whether only one holder is left. If the caller is that one, nobody else will ever look at the slot. */
  isHeldOnce(slot: number): boolean {
    this.#control.reach(slot);
    return Atomics.load(this.#control.words, slot + field.references) === 1;
  }

  /** CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error code. */
  status(slot: number): number {
    this.#control.reach(slot);
    return Atomics.load(this.#control.words, slot + field.status);
  }

  /** Whether the command has ended, well or not. */
  isDone(slot: number): boolean {
    return this.status(slot) <= executionStatus.complete;
  }

  /** Nanoseconds; 0 for a state not reached. */
  time(slot: number, which: EventTime): number {
    this.#control.reach(slot);
    return this.#control.floats[((slot + field.times) >> 1) + which]!;
  }

  setTime(slot: number, which: EventTime, nanoseconds: number): void {
    this.#control.reach(slot);
    this.#control.floats[((slot + field.times) >> 1) + which] = nanoseconds;
  }

  /** The time of now, or that of the state before: a page rounds its clocks, for each thread in another place. */
  #setNow(slot: number, which: EventTime, time = now()): void {
    this.setTime(slot, which, Math.max(time, this.time(slot, (which - 1) as EventTime)));
  }

  /** Takes a command from QUEUED to SUBMITTED. */
  submit(slot: number): void {
    this.#setNow(slot, eventTime.submitted);
    this.#setStatus(slot, executionStatus.submitted);
  }

  /** Takes a command to RUNNING, which it has been since then. */
  start(slot: number, since = now()): void {
    this.#setNow(slot, eventTime.started, since);
    this.#setStatus(slot, executionStatus.running);
  }

  #setStatus(slot: number, status: number): void {
    const { words } = this.#control;
    Atomics.store(words, slot + field.status, status);
    // The host looks at the slots it watches; a list would not take one twice.
    if (Atomics.load(words, slot + field.watch) & watchBits.states) this.wakeHost();
  }

  /**
   * Ends a command with CL_COMPLETE (0) or a negative code, and tells who watches. `message` is what
   * {@link writeMessage} gave, or 0. Missing times of earlier states are filled in. Only the first call for a command
   * counts.
   */
  complete(slot: number, status: number, message = 0): void {
    this.#control.reach(slot);
    const { words } = this.#control;
    if (Atomics.or(words, slot + field.watch, watchBits.claimed) & watchBits.claimed) return;
    this.#end(slot, status, message);
  }

  /** Ends a command that is the caller's to end. */
  #end(slot: number, status: number, message: number): void {
    const { words, floats } = this.#control;
    const times = (slot + field.times) >> 1;
    const end = Math.max(floats[times + 3] || now(), floats[times]!, floats[times + 2]!);
    floats[times + 3] = end;
    if (floats[times + 2] === 0) floats[times + 2] = end;
    if (floats[times + 1] === 0) floats[times + 1] = floats[times + 2]!;
    floats[times + eventTime.completed] = Math.max(end, floats[times + eventTime.completed]! || now());
    words[slot + field.message] = message;
    const isFailure = status < executionStatus.complete && status !== waitListError;
    if (isFailure) this.#noteFailure(slot, status, message);
    Atomics.store(words, slot + field.status, status);
    const before = Atomics.or(words, slot + field.watch, watchBits.done);
    if (before & watchBits.done) return;
    if (before & watchBits.processors) this.ringProcessors();
    if (before & watchBits.host) this.callHost(slot);
    else if (isFailure) this.wakeHost();
  }

  /** The host learns of it although nobody watches the event. */
  #noteFailure(slot: number, status: number, message: number): void {
    const { words } = this.#control;
    const owner = words[slot + field.owner]!;
    if (owner === 0) return;
    const number = Atomics.add(words, head.failureCount, 1) + 1;
    const entry = failureEntry(number);
    words[entry + failure.slot] = slot;
    words[entry + failure.owner] = owner;
    words[entry + failure.status] = status;
    words[entry + failure.message] = message;
    Atomics.store(words, entry + failure.number, number);
  }

  /** The command itself has run, and what it has led to is under way. */
  ended(slot: number): void {
    this.#setNow(slot, eventTime.ended);
  }

  /** Says which queue the command of a slot stands in, for {@link failOwned} and {@link newFailures}. Host thread only. */
  setOwner(slot: number, record: number): void {
    this.#control.words[slot + field.owner] = record;
  }

  /**
   * Ends all commands of a queue that have not ended: nobody else will. A thread may have been ended in the middle of ending one; it
   * is given a moment, for it may be another thread that still lives. Host thread only.
   */
  failOwned(record: number, status: number, text: string): void {
    const { words } = this.#control;
    let message = 0;
    const claimed: number[] = [];
    const isEnded = (slot: number): boolean =>
      (Atomics.load(words, slot + field.watch) & watchBits.done) !== 0;
    for (const slot of this.#ownedBy(record)) {
      if (isEnded(slot)) continue;
      message ||= this.writeMessage(text);
      this.complete(slot, status, message);
      if (!isEnded(slot)) claimed.push(slot);
    }
    const until = now() + claimTime;
    for (const slot of claimed) {
      while (!isEnded(slot) && now() < until);
      if (!isEnded(slot)) this.#end(slot, this.isDone(slot) ? this.status(slot) : status, message);
    }
  }

  /** Whether a command of a queue has not ended, well or not. Looks at all slots. Host thread only. */
  hasOpen(record: number): boolean {
    for (const slot of this.#ownedBy(record)) if (!this.isDone(slot)) return true;
    return false;
  }

  /** The slots of a queue's commands, those that have ended among them. */
  *#ownedBy(record: number): Generator<number> {
    const { words } = this.#control;
    for (const block of this.#blocks) {
      for (let slot = block; slot < block + slotsPerBlock * slotWords; slot += slotWords) {
        if (words[slot + field.owner] === record && words[slot + field.references] !== 0) yield slot;
      }
    }
  }

  /** Asks for the slot to be put on the host's list when it ends. False if it has ended already. */
  watchFromHost(slot: number): boolean {
    const before = Atomics.or(this.#control.words, slot + field.watch, watchBits.host);
    return (before & watchBits.done) === 0;
  }

  /** Asks for the host to be woken when the slot's command is submitted and when it starts. */
  watchStates(slot: number): void {
    Atomics.or(this.#control.words, slot + field.watch, watchBits.states);
  }

  /** Asks for all doorbells to be rung when the slot ends. False if it has ended already. */
  watchFromProcessor(slot: number): boolean {
    this.#control.reach(slot);
    const before = Atomics.or(this.#control.words, slot + field.watch, watchBits.processors);
    return (before & watchBits.done) === 0;
  }

  /** Puts a slot on the host's list and wakes the host. The slot must be held until the host has looked. */
  callHost(slot: number): void {
    this.#control.reach(slot);
    pushOnto(this.#control.words, head.hostList, slot, slot + field.next);
    this.wakeHost();
  }

  /** Makes the host look around: out of its sleep if it sleeps, else by a message. */
  wakeHost(): void {
    const { words } = this.#control;
    Atomics.add(words, head.hostBell, 1);
    if (Atomics.load(words, head.hostAsleep) !== 0) Atomics.notify(words, head.hostBell);
    else if (Atomics.exchange(words, head.hostMessage, 1) === 0) this.#postToHost();
  }

  /**
   * Threads of which nothing is heard any more may have sent the last message; the host sends itself one if there is something to
   * look at. Host thread only, when these threads have nothing more to say.
   */
  replaceMessage(): void {
    const { words } = this.#control;
    Atomics.store(words, head.hostMessage, 0);
    const hasNews =
      Atomics.load(words, head.hostList) !== 0 ||
      Atomics.load(words, head.failureCount) !== this.#failuresSeen;
    if (hasNews) this.wakeHost();
  }

  /** The slots put on the host's list since the last call, oldest first. Host thread only. */
  takeHostList(): number[] {
    const { words } = this.#control;
    const slots: number[] = [];
    let slot = Atomics.exchange(words, head.hostList, 0);
    while (slot !== 0) {
      slots.push(slot);
      slot = Atomics.load(words, slot + field.next);
    }
    return slots.reverse();
  }

  /** Makes every device's processor look at what it waits for. */
  ringProcessors(): void {
    const { words } = this.#control;
    const count = Atomics.load(words, head.bellCount);
    for (let index = 0; index < count; index += 1) {
      const bell = words[head.bells + index]!;
      this.#control.reach(bell);
      Atomics.add(this.#control.words, bell, 1);
      Atomics.notify(this.#control.words, bell);
    }
  }

  /** Keeps the text of an error, until 64 later ones have been kept; gives its number for {@link complete}. */
  writeMessage(text: string): number {
    const { words, bytes } = this.#control;
    const number = Atomics.add(words, head.messageCount, 1) + 1;
    const entry = messageEntry(number);
    const limit = (messageRing.entryWords - 2) * 4;
    const encoded = new TextEncoder().encode(text).slice(0, limit);
    bytes.set(encoded, (entry + 2) * 4);
    words[entry + 1] = encoded.length;
    Atomics.store(words, entry, number);
    return number;
  }

  /** What was said about the failure of a slot's command; undefined if nothing was, or it has been overwritten. */
  message(slot: number): string | undefined {
    this.#control.reach(slot);
    return this.text(this.#control.words[slot + field.message]!);
  }

  /** What {@link writeMessage} kept under a number; undefined for 0, or if it has been overwritten. */
  text(number: number): string | undefined {
    const { words, bytes } = this.#control;
    if (number === 0) return undefined;
    const entry = messageEntry(number);
    if (Atomics.load(words, entry) !== number) return undefined;
    const start = (entry + 2) * 4;
    return new TextDecoder().decode(bytes.slice(start, start + words[entry + 1]!));
  }

  /** The commands that have failed since this was last asked, of the last 256; for the host thread. */
  newFailures(): CommandFailure[] {
    const { words } = this.#control;
    const count = Atomics.load(words, head.failureCount);
    if (count === this.#failuresSeen) return noFailures;
    const failures: CommandFailure[] = [];
    while (this.#failuresSeen < count) {
      const number = this.#failuresSeen + 1;
      const entry = failureEntry(number);
      const written = Atomics.load(words, entry + failure.number);
      // Somebody is still writing it.
      if (written < number) break;
      if (written === number) {
        const status = words[entry + failure.status]!;
        failures.push({
          slot: words[entry + failure.slot]!,
          owner: words[entry + failure.owner]!,
          status,
          text: this.text(words[entry + failure.message]!) ?? `the command failed with ${statusName(status)}`,
        });
      }
      this.#failuresSeen = number;
    }
    return failures;
  }

  #newBlock(): number {
    const start = this.#control.allocate(slotsPerBlock * slotWords * 4);
    const { words } = this.#control;
    for (let index = 0; index < slotsPerBlock - 1; index += 1) {
      words[start + index * slotWords + field.next] = start + (index + 1) * slotWords;
    }
    this.#blocks.push(start);
    return start;
  }
}

/** Error code of a command whose wait list held a failed one. */
export const waitListError = statusCodes.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

const noFailures: CommandFailure[] = [];

function failureEntry(number: number): number {
  return failureRing.start + ((number - 1) % failureRing.entries) * failureRing.entryWords;
}

function messageEntry(number: number): number {
  return messageRing.start + ((number - 1) % messageRing.entries) * messageRing.entryWords;
}

/** Puts `item` in front of the list whose head is the word `list`; `link` is the item's word for the next one. */
export function pushOnto(words: Int32Array, list: number, item: number, link: number): void {
  for (;;) {
    const first = Atomics.load(words, list);
    Atomics.store(words, link, first);
    if (Atomics.compareExchange(words, list, first, item) === first) return;
  }
}

/**
 * Takes all items of a list that {@link pushOnto} made, last one first. Items are records of control memory with a word for the next
 * one. @returns whether there was one
 */
export function takeAll(
  control: ControlMemory,
  list: number,
  { link, size }: { readonly link: number; readonly size: number },
  take: (item: number) => void,
): boolean {
  if (Atomics.load(control.words, list) === 0) return false;
  let item = Atomics.exchange(control.words, list, 0);
  while (item !== 0) {
    control.reach(item + size);
    const next = control.words[item + link]!;
    take(item);
    item = next;
  }
  return true;
}
