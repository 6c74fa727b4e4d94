/**
 * A product over several devices, as ACML-GPU had it: the lines of C are cut into parts, and each device takes the next part when it has
 * room for one. Parts are as large as the measured speed of the device makes worth it, smaller towards the end, so that all end together. While a
 * device computes one part the host copies the next to it and the last one's results from it.
 */
import * as C from './constants.ts';
import { Call, type Core, type Use } from './core.ts';
import { applied, fullMatrix, shapeFor } from './matrix-arguments.ts';
import { type MatrixView, partOf } from './matrix-view.ts';
import { multiply, type Reused } from './multiply.ts';
import { type Arguments, isZero } from './read-arguments.ts';
import { columnsOf, tileFor } from './tiles.ts';

/** What a device has done of a product. */
export interface DeviceShare {
  readonly device: string;
  /** Rows of C where it goes by rows, else columns. */
  readonly lines: number;
  readonly parts: number;
  /** Operations a second, in thousands of millions, while it had work. */
  readonly gflops: number;
  /** To the device and from it. */
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

/** What a share lacks is not halved any more where it is no more than so many work-groups' lines. */
const leastRest = 2;

/** Parts that a device may have at a time: one that it computes, one that is copied. */
const partsAtOnce = 2;

/**
 * What a device takes of its share, by its speed, while speeds are as they were: a part to begin with, and one that is copied meanwhile. Few
 * large parts are best, for each passes the other matrix through the caches. Then it takes half of what its share still lacks, by the speeds
 * as they are now.
 */
const begins = [0.3, 0.55] as const;

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
    // What comes behind it on the first device waits for all.
    const all = () =>
      Promise.all(
        this.#cores.map((core, index) => {
          const tile = tileFor(core.program.device.info, args.kind);
          // Lines of a row or column of work-groups: a part that fills none wastes what it reads.
          const grain = byRows ? tile.rows * tile.group[0] : columnsOf(tile) * tile.group[1];
          const next: NextPart = (isIdle) => this.#take(work, index, args.kind.letter, grain, isIdle);
          const measured = (speed: number): void => {
            this.#speeds[index]!.set(args.kind.letter, speed);
          };
          const share = () => deviceShare(core, args, next, operations, measured);
          return index === 0 ? share() : core.run(share);
        }),
      );
    const shares = await this.#cores[0]!.run(all);
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
  ): Part | 'later' | undefined {
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
      wanted = begin === undefined ? Math.max(lacks / 2, Math.min(lacks, leastRest * grain)) : share * begin;
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

type NextPart = (isIdle: boolean) => Part | 'later' | undefined;

interface Part {
  readonly from: number;
  readonly count: number;
}

const now = (): number => performance.now();
const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

const sizesOf = (args: Arguments): readonly [number, number, number] => [
  args.number('m'),
  args.number('n'),
  args.number('k'),
];

/** Takes parts until there are none. */
async function deviceShare(
  core: Core,
  args: Arguments,
  next: NextPart,
  operations: number,
  measured: (speed: number) => void,
): Promise<DeviceShare> {
  const { kind } = args;
  const byRows = args.is('order', C.CblasRowMajor);
  const [m, n, k] = sizesOf(args);
  const a = fullMatrix(args, 'a', shapeFor(args, 'transA', m, k));
  const b = fullMatrix(args, 'b', shapeFor(args, 'transB', k, n));
  const c = fullMatrix(args, 'c', { rows: m, columns: n, isWritten: true });
  const [alpha, beta] = [args.scalar('alpha'), args.scalar('beta')];
  // The matrix that all parts need is copied once.
  const shared = new Call(core);
  const [whole, cut] = byRows ? [b, a] : [a, b];
  const [wholeName, cutName] = byRows ? (['transB', 'transA'] as const) : (['transA', 'transB'] as const);
  const [boundWhole] = await shared.bind([whole.use]);
  const wholeView = applied(args, wholeName, whole.view(boundWhole!));
  const reused: Reused = { factor: byRows ? 'b' : 'a', owner: shared, panels: new Map() };
  const running = new Set<Promise<void>>();
  let [lines, parts, bytes, begin, busy] = [0, 0, whole.use.count * kind.bytes, now(), 0];
  const compute = async (part: Part): Promise<void> => {
    const call = new Call(core);
    try {
      const uses = [
        linesOf(cut.use, cut.view, args, cutName, part, byRows, kind.parts),
        linesOf(c.use, c.view, args, undefined, part, byRows, kind.parts),
      ];
      const [x, y] = await call.bind(
        uses.map(({ use }) => use),
        false,
      );
      const [cutView, cView] = [uses[0]!.view(x!), uses[1]!.view(y!)];
      const factors = byRows ? { alpha, a: cutView, b: wholeView } : { alpha, a: wholeView, b: cutView };
      await multiply(call, { kind, terms: [factors], beta, c: cView, reused });
      bytes += (uses[0]!.use.count + (isZero(beta) ? 1 : 2) * uses[1]!.use.count) * kind.bytes;
      await call.end();
      lines += part.count;
      parts += 1;
      busy = now() - begin;
      measured((lines * operations) / busy);
    } finally {
      call.release();
    }
  };
  try {
    begin = now();
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
    await shared.end();
  } finally {
    await Promise.allSettled(running);
    shared.release();
  }
  const gflops = busy > 0 ? (lines * operations) / busy / 1e6 : 0;
  return { device: core.program.device.name, lines, parts, gflops, bytes };
}

/** The part of a matrix that goes with lines of C: what of the operand it uses, and its view. */
function linesOf(
  use: Use,
  view: (bound: { memory: never; offset: number }) => MatrixView,
  args: Arguments,
  trans: string | undefined,
  { from, count }: Part,
  byRows: boolean,
  parts: number,
): { readonly use: Use; readonly view: (bound: { memory: unknown; offset: number }) => MatrixView } {
  const at = (offset: number): MatrixView => {
    const plain = view({ memory: undefined as never, offset });
    const applies = trans === undefined ? plain : applied(args, trans, plain);
    return byRows
      ? partOf(applies, from, 0, count, applies.columns, parts)
      : partOf(applies, 0, from, applies.rows, count, parts);
  };
  const part = at(0);
  const { form, rows, columns } = part;
  if (form.kind !== 'strided') throw new Error('a product has no packed matrices');
  const numbers = (rows - 1) * form.rs + (columns - 1) * form.cs + 1;
  const first = part.offset;
  return {
    use: { ...use, first: use.first + first, count: rows * columns === 0 ? 0 : numbers * parts },
    view: ({ memory, offset }) => ({ ...at(offset - first), memory: memory as MatrixView['memory'] }),
  };
}
