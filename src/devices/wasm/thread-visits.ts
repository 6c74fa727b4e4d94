/**
 * What each thread did, for those who profile: a ring a thread in control memory, in which it writes a record of each *visit* to a
 * launch. The rings are made when somebody first watches; `poolWords.visits` says where they are while anybody does, and else 0.
 *
 * A visit's end is written after each chunk of work-groups and before the chunk is accounted for, so all records of a launch are
 * there when its event is complete. Nothing waits for a reader: who reads too seldom is told how much was overwritten.
 */
import type { ControlMemory } from '../../runtime/control-memory.ts';
import { type EventTable, eventTime } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import type { LostVisits, ThreadVisit, ThreadWatch } from '../../runtime/thread-watch.ts';

/** Records of a ring; a power of two, so that their numbers may overflow. */
export const visitRecords = 4096;

/** A ring's words: how many records were ever written, and on other cache lines the records. */
const ring = { written: 0, records: 32, size: 32 + visitRecords * 8 } as const;

/** A record's words; times take two. */
const record = { event: 0, queued: 2, started: 4, ended: 6, size: 8 } as const;

function recordAt(start: number, number: number): number {
  return start + ring.records + (number & (visitRecords - 1)) * record.size;
}

/** The thread's side. */
export class VisitLog {
  readonly #control: ControlMemory;
  readonly #events: EventTable;
  readonly #place: number;
  readonly #thread: number;
  /** The record of the visit under way; 0 if there is none, or nobody watches. */
  #record = 0;

  /** @param place the word that says where the rings are */
  constructor(control: ControlMemory, events: EventTable, place: number, thread: number) {
    this.#control = control;
    this.#events = events;
    this.#place = place;
    this.#thread = thread;
  }

  /** A visit begins to the launch of an event, at a time if that was taken. */
  begin(event: number, since = 0): void {
    const rings = Atomics.load(this.#control.words, this.#place);
    this.#record = 0;
    if (rings !== 0) this.#write(rings, event, since || now());
  }

  /** The same, unless the visit under way is to that launch. */
  goOn(event: number): void {
    const { words, floats } = this.#control;
    const { queued } = eventTime;
    if (
      this.#record === 0 ||
      words[this.#record + record.event] !== event ||
      floats[(this.#record + record.queued) >> 1] !== this.#events.time(event, queued)
    ) {
      this.begin(event);
    }
  }

  /** The visit has lasted until now. */
  extend(): void {
    if (this.#record !== 0) this.#control.floats[(this.#record + record.ended) >> 1] = now();
  }

  /** There is nothing to do: what comes next is another visit. */
  pause(): void {
    this.#record = 0;
  }

  #write(rings: number, event: number, started: number): void {
    const start = rings + this.#thread * ring.size;
    this.#control.reach(start + ring.size - 1);
    const { words, floats } = this.#control;
    const number = Atomics.load(words, start + ring.written);
    const at = recordAt(start, number);
    words[at + record.event] = event;
    floats[(at + record.queued) >> 1] = this.#events.time(event, eventTime.queued);
    floats[(at + record.started) >> 1] = started;
    floats[(at + record.ended) >> 1] = 0;
    Atomics.store(words, start + ring.written, (number + 1) | 0);
    this.#record = at;
  }
}

/** The host's side: makes the rings, and reads them for everybody who watches. */
export class VisitRings {
  readonly #control: ControlMemory;
  readonly #place: number;
  readonly #threads: number;
  /** Where they begin; 0 before anybody has watched. They stay: a thread may be about to write. */
  #rings = 0;
  #watchers = 0;

  constructor(control: ControlMemory, place: number, threads: number) {
    this.#control = control;
    this.#place = place;
    this.#threads = threads;
  }

  watch(): ThreadWatch {
    this.#rings ||= this.#control.allocate(this.#threads * ring.size * 4);
    this.#watchers += 1;
    const { words } = this.#control;
    Atomics.store(words, this.#place, this.#rings);
    // Per thread the first record that may change or has not been read.
    const next = Array.from({ length: this.#threads }, (_, thread) =>
      Atomics.load(words, this.#ring(thread) + ring.written),
    );
    let watches = true;
    return {
      read: (tell) => this.#read(next, tell),
      end: () => {
        if (!watches) return;
        watches = false;
        this.#watchers -= 1;
        if (this.#watchers === 0) Atomics.store(this.#control.words, this.#place, 0);
      },
    };
  }

  #ring(thread: number): number {
    return this.#rings + thread * ring.size;
  }

  #read(next: number[], tell: (visit: ThreadVisit) => void): LostVisits {
    let [count, before] = [0, 0];
    for (let thread = 0; thread < this.#threads; thread += 1) {
      const from = next[thread]!;
      const place = this.#ring(thread) + ring.written;
      const written = Atomics.load(this.#control.words, place);
      const visits: ThreadVisit[] = [];
      // One place may be being written just now.
      for (let left = Math.min((written - from) | 0, visitRecords - 1); left > 0; left -= 1) {
        visits.push(this.#visit(thread, (written - left) | 0));
      }
      // Those that were overwritten meanwhile are not what they were.
      const since = (Atomics.load(this.#control.words, place) - written) | 0;
      const read = visits.slice(Math.max(0, since + visits.length - (visitRecords - 1)));
      for (const visit of read) tell(visit);
      const lost = ((written - from) | 0) - read.length;
      if (lost > 0) {
        count += lost;
        before = Math.max(before, read[0]?.started ?? now());
      }
      if (written !== from) next[thread] = (written - 1) | 0;
    }
    return { count, before };
  }

  #visit(thread: number, number: number): ThreadVisit {
    const { words, floats } = this.#control;
    const at = recordAt(this.#ring(thread), number);
    return {
      thread,
      number,
      event: words[at + record.event]!,
      queued: floats[(at + record.queued) >> 1]!,
      started: floats[(at + record.started) >> 1]!,
      ended: floats[(at + record.ended) >> 1]!,
    };
  }
}
