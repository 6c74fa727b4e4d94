/**
 * A product over several devices, as ACML-GPU had it: the lines of C are cut into parts, and each device takes the next part when it has
 * room for one. Parts are as large as the measured speed of the device makes worth it, smaller towards the end, so that all end together. While a
 * device computes one part the host copies the next to it and the last one's results from it.
 */
import * as C from './constants.ts';
import type { Core } from './core.ts';
import { sizesOf } from './matrix-arguments.ts';
import type { Indices } from './panels.ts';
import { type Arguments, isZero } from './read-arguments.ts';
import { SharedProduct } from './shared-product.ts';
import { roundUp } from './text.ts';
import { tileFor } from './tiles.ts';

/** What a device has done of a product. */
export interface DeviceShare {
  readonly device: string;
  /** Rows of C where it goes by rows, else columns. */
  readonly lines: number;
  readonly parts: number;
  /** Operations a second, in thousands of millions, while it had work. */
  readonly gflops: number;
  /** To the device and from it. What is copied once for all counts for the first. */
  readonly bytes: number;
}

/** Who did what of a product over several devices. */
export interface BalanceReport {
  readonly routine: string;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly milliseconds: number;
  readonly shares: readonly DeviceShare[];
}

/** Smaller products are the first device's. */
const leastOperations = 2 ** 27;

/** Parts that a device may have at a time: one that it computes, one that is copied. */
const partsAtOnce = 2;

/**
 * What a device takes of its share, by its speed, while speeds are as they were: a part to begin with, and one that is copied meanwhile. Few
 * large parts are best, for each costs the host some launches. Then it takes half of what its share still lacks, by the speeds as they are
 * now, so that the last parts are small and all devices end together.
 */
const begins = [0.6, 0.25] as const;

export class Balance {
  readonly #cores: readonly Core[];
  /** Operations a millisecond, by letter of the kind; measured. */
  readonly #speeds: Map<string, number>[];
  report: BalanceReport | undefined;

  constructor(cores: readonly Core[]) {
    this.#cores = cores;
    this.#speeds = cores.map(() => new Map());
  }

  /** Whether a product is worth it. What is in memory of a device stays there. */
  takes(args: Arguments): boolean {
    if (this.#cores.length < 2) return false;
    const [m, n, k] = sizesOf(args);
    const onHost = ['a', 'b', 'c'].every((name) => args.operand(name) instanceof args.kind.array);
    return onHost && 2 * m * n * k >= leastOperations && !isZero(args.scalar('alpha'));
  }

  async multiply(args: Arguments): Promise<void> {
    const [m, n, k] = sizesOf(args);
    const byRows = args.is('order', C.CblasRowMajor);
    const lines = byRows ? m : n;
    const operations = (2 * m * n * k * (args.kind.isComplex ? 4 : 1)) / lines;
    const work: Work = { lines, given: this.#cores.map(() => 0), parts: this.#cores.map(() => 0) };
    const begin = now();
    const product = new SharedProduct(this.#cores, args);
    const all = async (): Promise<DeviceShare[]> => {
      try {
        await product.begin();
        const shares = this.#cores.map((core, index) => {
          const tile = tileFor(core.program.device.info, args.kind);
          // Lines of half a row of work-groups: smaller parts read too much of the other matrix for what they compute.
          const grain = (tile.rows * tile.group[0]) / 2;
          const next: NextPart = (isIdle) => this.#take(work, index, args.kind.letter, grain, isIdle);
          const measured = (speed: number): void => {
            this.#speeds[index]!.set(args.kind.letter, speed);
          };
          return deviceShare(product, index, next, operations, measured);
        });
        await Promise.allSettled(shares);
        return await Promise.all(shares);
      } finally {
        product.release();
      }
    };
    // What comes behind it on the first device waits for all; the others do nothing else.
    const shares = await this.#cores[0]!.run(all);
    shares[0] = { ...shares[0]!, bytes: shares[0]!.bytes + product.wholeBytes };
    const { routine } = args;
    this.report = { routine, m, n, k, milliseconds: now() - begin, shares };
  }

  /** The next part of a device, which has none at work any more if it `isIdle`; `later`: its share is at work, ask again when a part is done. */
  #take(
    work: Work,
    index: number,
    letter: string,
    grain: number,
    isIdle: boolean,
  ): Indices | 'later' | undefined {
    const left = work.lines - work.given.reduce((sum, lines) => sum + lines, 0);
    if (left === 0) return undefined;
    const known = this.#speeds.map((speeds) => speeds.get(letter));
    const own = known[index];
    let wanted: number;
    // What has not been measured gets little.
    if (own === undefined) wanted = left / (8 * known.length);
    else {
      const share = (work.lines * own) / known.reduce<number>((sum, speed) => sum + (speed ?? own), 0);
      const lacks = share - work.given[index]!;
      // Others are slower than they were, or it is: the last lines are for whoever is done first.
      if (lacks < grain / 2 && !isIdle) return 'later';
      const begin = begins[work.parts[index]!];
      wanted = begin === undefined ? lacks / 2 : share * begin;
    }
    const count = Math.min(left, roundUp(Math.max(1, Math.floor(wanted)), grain));
    const from = work.lines - left;
    work.given[index]! += count;
    work.parts[index]! += 1;
    return { from, count };
  }
}

interface Work {
  readonly lines: number;
  /** Lines and parts that each device has taken. */
  readonly given: number[];
  readonly parts: number[];
}

type NextPart = (isIdle: boolean) => Indices | 'later' | undefined;

const now = (): number => performance.now();

/** Takes parts until there are none. */
async function deviceShare(
  product: SharedProduct,
  device: number,
  next: NextPart,
  operations: number,
  measured: (speed: number) => void,
): Promise<DeviceShare> {
  const begin = now();
  const running = new Set<Promise<void>>();
  let [lines, parts, bytes, busy] = [0, 0, 0, 0];
  const compute = async (part: Indices): Promise<void> => {
    const copied = await product.compute(device, part);
    bytes += copied;
    lines += part.count;
    parts += 1;
    busy = now() - begin;
    measured((lines * operations) / busy);
  };
  try {
    for (let part = next(true); part; part = next(running.size === 0)) {
      if (part === 'later') {
        await Promise.race(running);
        continue;
      }
      const task = compute(part).finally(() => running.delete(task));
      // It is awaited below; until then nobody looks at it.
      task.catch(() => {});
      running.add(task);
      if (running.size >= partsAtOnce) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
  const gflops = busy > 0 ? (lines * operations) / busy / 1e6 : 0;
  return { device: product.nameOf(device), lines, parts, gflops, bytes };
}
