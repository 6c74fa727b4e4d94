/**
 * How much of the machine other programs take while something is measured. They spoil figures without a trace: a kernel that two
 * threads share takes twice as long where the system keeps both on one processor, since another program has the other one. To be
 * nice does not help between sessions: Linux gives each of them as much (`sched_autogroup`), whatever its programs' priority is.
 */
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** What counts up, in milliseconds. */
export interface ProcessorTimes {
  /** What all processors of the machine have spent on anything. */
  readonly busy: number;
  /** What they have spent on this process. */
  readonly own: number;
  /** What they could have spent. */
  readonly all: number;
}

export class OtherPrograms {
  readonly #read: () => ProcessorTimes;
  #taken = 0;
  #all = 0;

  constructor(read: () => ProcessorTimes = processorTimes) {
    this.#read = read;
  }

  /** Runs what is measured, and looks at the processors before and after. */
  during<Result>(work: () => Result): Result {
    const before = this.#read();
    const result = work();
    const after = this.#read();
    this.#taken += after.busy - before.busy - (after.own - before.own);
    this.#all += after.all - before.all;
    return result;
  }

  /**
   * From 0 to 1: their part of the processors' time in all that was measured. Systems count in hundredths of a second, so it says
   * little of less than some tenths.
   */
  get share(): number {
    return this.#all > 0 ? Math.min(Math.max(this.#taken / this.#all, 0), 1) : 0;
  }
}

function processorTimes(): ProcessorTimes {
  const processors = cpus();
  const { user, system } = process.cpuUsage();
  const busy = processors.reduce(
    (sum, { times }) => sum + times.user + times.nice + times.sys + times.irq,
    0,
  );
  return { busy, own: (user + system) / 1000, all: performance.now() * processors.length };
}
