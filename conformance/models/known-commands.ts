/**
 * What models know of commands that wait for others: what must have ended when one begins (OpenCL 1.2, 5.8 to 5.10), what each ends with, and who holds its
 * event. They look whether that is so when the code begins a command or ends it unbegun, and at the end of all.
 */
import { head } from '../../src/runtime/control-memory.ts';
import { statusCodes } from '../../src/runtime/status.ts';
import type { WatchedWords } from './explore.ts';
import { type Made, must, now, same } from './protocol.ts';

/** A command, or an event of the program. */
export interface Wish {
  readonly kind: 'launch' | 'marker' | 'barrier' | 'host' | 'user';
  /** The queue that it is given to. */
  readonly queue?: string;
  /** The names of what it waits for. */
  readonly waits?: readonly string[];
  /** What it ends with, if not well. */
  readonly fails?: number;
  /** Its kernel, or the program, does not end it before all of these have begun. */
  readonly until?: readonly string[];
}

export interface Wishes {
  readonly queues: Readonly<Record<string, { readonly outOfOrder: boolean; readonly device?: 0 | 1 }>>;
  readonly commands: Readonly<Record<string, Wish>>;
}

/** A command and what is known of it. */
export interface Known extends Wish {
  readonly name: string;
  readonly event: number;
  /** What must have ended when it begins. */
  after: readonly Known[];
  begun: number;
}

const waitListError = statusCodes.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

/** The words of an event's slot that are looked at here. */
const slotWords = { status: 1, references: 3 } as const;

export class KnownCommands {
  readonly all: readonly Known[];
  readonly #words: WatchedWords;
  readonly #wishes: Wishes;
  /** Those that each queue has been given. */
  readonly #given = new Map<string, Known[]>();
  /** What was wrong first, for code that takes every error for a kernel's. */
  #wrong: string | undefined;

  /** @param events the host's table. The program has let go of all: who holds an event is who ends it, and those that wait */
  constructor(words: WatchedWords, wishes: Wishes, events: Made) {
    this.#words = words;
    this.#wishes = wishes;
    const awaited = Object.values(wishes.commands).flatMap(({ waits = [] }) => waits);
    this.all = Object.entries(wishes.commands).map(([name, wish]) => {
      const waiters = awaited.filter((one) => one === name).length;
      const event = now(events['allocate']!(1 + waiters)) as number;
      return { ...wish, name, event, after: [], begun: 0 };
    });
    for (const queue of Object.keys(wishes.queues)) this.#given.set(queue, []);
  }

  named(name: string): Known {
    return this.all.find((known) => known.name === name)!;
  }

  byEvent(event: number): Known {
    return this.all.find((known) => known.event === event)!;
  }

  has(kind: Wish['kind']): boolean {
    return this.all.some((known) => known.kind === kind);
  }

  /** Those that a queue has been given. */
  givenTo(queue: string): readonly Known[] {
    return this.#given.get(queue)!;
  }

  /** What it ends with, by what it waits for and what it does itself. */
  due({ waits = [], fails = 0 }: Known): number {
    return waits.some((one) => this.due(this.named(one)) < 0) ? waitListError : fails;
  }

  /** Whether all that it is to be kept up for have begun. */
  mayEnd({ until = [] }: Known): boolean {
    return until.every((one) => this.named(one).begun > 0);
  }

  /** A command is given to its queue now. @returns the events that it waits for */
  give(known: Known): number[] {
    const queue = known.queue!;
    const waits = (known.waits ?? []).map((one) => this.named(one));
    const earlier = this.#given.get(queue)!;
    const gathers = (known.kind === 'marker' || known.kind === 'barrier') && waits.length === 0;
    const isAfterAll = !this.#wishes.queues[queue]!.outOfOrder || gathers;
    known.after = [...waits, ...(isAfterAll ? earlier : earlier.filter(({ kind }) => kind === 'barrier'))];
    earlier.push(known);
    return waits.map(({ event }) => event);
  }

  /** The code begins it. */
  begin(event: number): Known {
    const known = this.byEvent(event);
    this.#must(this.due(known) !== waitListError, `${known.name} begins, and what it waits for has failed`);
    this.#mayGoOn(known, 'begins');
    known.begun += 1;
    return known;
  }

  /** The code ends it, begun or not. */
  end(event: number): void {
    this.#mayGoOn(this.byEvent(event), 'ends');
  }

  #mayGoOn({ name, after }: Known, what: string): void {
    for (const one of after) {
      // Through the memory that is watched: the order of this and of that one's end counts.
      const status = this.#words.seen[one.event + slotWords.status]!;
      this.#must(status <= 0, `${name} ${what} before ${one.name} has ended`);
    }
  }

  #must(holds: boolean, text: string): void {
    if (!holds) this.#wrong ??= text;
    must(holds, text);
  }

  /** A queue says that so many of its commands, and all before them, have ended. */
  counted(queue: string, count: number): void {
    const { raw } = this.#words;
    const open = this.givenTo(queue)
      .slice(0, count)
      .find(({ event }) => raw[event + slotWords.status]! > 0);
    must(open === undefined, `${queue} counts ${count} commands as done, and ${open?.name} is not`);
  }

  /** All is over: each has ended as it is due to, has been run once if at all, and nobody holds its event. */
  check(): void {
    const { raw } = this.#words;
    must(this.#wrong === undefined, this.#wrong ?? '');
    for (const known of this.all) {
      const { name, kind, event, begun } = known;
      const [status, due] = [raw[event + slotWords.status]!, this.due(known)];
      must(status === due, `${name} ended with ${status}, not ${due}`);
      const times = kind === 'user' || due === waitListError ? 0 : 1;
      must(begun === times, `${name} was run ${begun} times`);
      const holders = raw[event + slotWords.references]!;
      must(holders === 0, `${name} is held by ${holders}`);
    }
    const free: number[] = [];
    for (let at = raw[head.freeSlots]!; at !== 0 && free.length < 20; at = raw[at]!) free.push(at);
    const slots = this.all.map(({ event }) => event);
    must(same(free, slots), `free: ${free}, of ${slots}`);
    const failed = this.all.filter(({ kind, fails }) => kind !== 'user' && fails !== undefined);
    const due = failed.filter((known) => this.due(known) === known.fails).length;
    must(raw[head.failureCount] === due, `${raw[head.failureCount]} failures were noted, not ${due}`);
  }
}
