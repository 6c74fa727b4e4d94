/**
 * The tiers of a kernel's code. Baseline code is what `-cl-opt-disable` compiles: it is there in a tenth of the time and runs several
 * times as long. A kernel has it for its first launches, if these are so small that better code would come too late:
 *
 *     launch 1    about 2 ms of baseline code, better code would take 80 ms: baseline
 *     launch 2    2 ms                                                       baseline
 *     ...
 *     launch 40   all launches together come to as long as compiling would take: compiled with all passes, from now on
 *
 * So nobody waits more than twice as long as who knew all launches beforehand. What a launch takes is estimated
 * (passes/analysis/cost/work-estimate.ts), never measured: the same launches are always run by the same code. A launch that has begun
 * keeps its code.
 *
 * On the device of machine code (devices/native/wasm-tier.ts) there are three tiers and two accounts, which both count all launches from the
 * first on. The one decides between baseline code and optimised WebAssembly, as everywhere; the other, with other figures, between
 * WebAssembly and machine code, and is asked before.
 *
 * MILLRACE_TIERS=0 leaves the earlier tiers out; `exact` does so for kernels where they may round otherwise: by contraction in vectors
 * and by the order of sums, where options allow either.
 */
import type { LaunchNumber, WorkEstimate } from '../../../passes/analysis/cost/work-estimate.ts';
import type { KernelArgument, Triple } from '../../../runtime/command.ts';
import type { BaselineFacts } from './compile-baseline.ts';

/** How fast the code of a tier is, and how long the better code takes to make that is to follow. */
export interface TierFigures {
  /** It runs about so many instructions of the IR in a nanosecond, on each thread. */
  readonly speed: number;
  /** Nanoseconds that compiling the better code takes longer: for any kernel, and for each of its instructions. */
  readonly kernel: number;
  readonly instruction: number;
  /** Launches of more work-items a thread are never small. */
  readonly mostItems: number;
}

/** Those of baseline code before optimised WebAssembly. */
export const baselineFigures: TierFigures = {
  speed: 2.5,
  kernel: 2e6,
  instruction: 30_000,
  mostItems: 400_000,
};

/** A number that is missing, or hidden in memory. */
const usualNumber = 32;

/** Whether a launch may be a small one, before anything is compiled. */
export function mayBeSmall(global: Triple, threads: number, { mostItems }: TierFigures): boolean {
  return itemsOf(global) <= mostItems * threads;
}

/** The launches of a kernel, until they come to as much as compiling it does. */
export class LaunchAccount {
  /** Of a kernel that has earlier code only. */
  static readonly endless = new LaunchAccount(
    { works: {}, instructions: Number.POSITIVE_INFINITY, isExact: true, launches: false },
    '',
    1,
    baselineFigures,
  );

  #left: number;
  readonly #work: WorkEstimate;
  readonly #threads: number;
  readonly #speed: number;

  constructor({ works, instructions }: BaselineFacts, kernel: string, threads: number, figures: TierFigures) {
    this.#left = figures.kernel + figures.instruction * instructions;
    this.#speed = figures.speed;
    this.#work = works[kernel] ?? [];
    this.#threads = threads;
  }

  /** Notes a launch. @returns whether the tier's code is to run it */
  take(values: readonly KernelArgument[], global: Triple): boolean {
    this.#left -= instructionsOf(this.#work, values, itemsOf(global)) / this.#speed / this.#threads;
    return this.#left >= 0;
  }
}

function itemsOf([x, y, z]: Triple): number {
  return x * y * z;
}

/** By what is known of a launch. */
function instructionsOf(work: WorkEstimate, values: readonly KernelArgument[], items: number): number {
  const numbers = values.map(numberOf);
  const numberAs = (number: LaunchNumber): number => {
    if (number === 'items') return items;
    if (number === 'most') return Math.max(0, ...numbers) || usualNumber;
    return numbers[number] || usualNumber;
  };
  return workOf(work, items, numberAs);
}

/** The estimate for all work-items of a launch. */
export function workOf(
  estimate: WorkEstimate,
  items: number,
  numberAs: (number: LaunchNumber) => number,
): number {
  let sum = 0;
  for (const { count, times, shared } of estimate) {
    let product = count;
    for (const number of times) product *= numberAs(number);
    // However many share it, each looks at it once.
    for (let at = 0; at < shared; at += 1) product = Math.max(product / items, count);
    sum += product;
  }
  return sum * items;
}

/** What an argument is as an integer; 0 for what cannot be one, or is negative. */
function numberOf(value: KernelArgument): number {
  if (value.kind !== 'value') return 0;
  const { bytes } = value;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const low = bytes.length === 4 || bytes.length === 8 ? view.getInt32(0, true) : 0;
  return bytes.length === 8 && view.getInt32(4, true) !== 0 ? 0 : Math.max(0, low);
}
