/**
 * A product of typed arrays that several devices of one context compute by parts of C (balanced-gemm.ts). The factor that all parts need is
 * copied once, and each device packs some of it; the other factor and C are copied part by part.
 */
import * as C from './constants.ts';
import { type Bound, Call, type Core } from './core.ts';
import { applied, fullMatrix, type MatrixArgument, shapeFor, sizesOf } from './matrix-arguments.ts';
import { type MatrixView, partOf, stridesOf, transposed } from './matrix-view.ts';
import { cut, depthSections, multiply } from './multiply.ts';
import { type Indices, type Panels, type PanelsWanted, packColumns, panelBytes } from './panels.ts';
import { type Arguments, isZero } from './read-arguments.ts';
import { columnsOf, tileFor } from './tiles.ts';

export class SharedProduct {
  readonly #cores: readonly Core[];
  readonly #args: Arguments;
  readonly #lines: number;
  /** C = A B by rows; where C goes by columns they are those of the transposed product. */
  readonly #a: MatrixArgument;
  readonly #b: MatrixArgument;
  readonly #c: MatrixArgument;
  readonly #calls: readonly Call[];
  /** Panels of the whole factor by their width, and when they are packed. */
  readonly #panels = new Map<number, Promise<readonly Panels[]>>();
  /** When the launches of a device's last part have been enqueued. */
  readonly #enqueued: Promise<void>[];
  #bView: MatrixView | undefined;

  constructor(cores: readonly Core[], args: Arguments) {
    const [m, n, k] = sizesOf(args);
    this.#cores = cores;
    this.#args = args;
    const isByRows = args.is('order', C.CblasRowMajor);
    const a = matrix(args, 'a', shapeFor(args, 'transA', m, k), 'transA');
    const b = matrix(args, 'b', shapeFor(args, 'transB', k, n), 'transB');
    const c = matrix(args, 'c', { rows: m, columns: n, isWritten: true });
    [this.#a, this.#b, this.#c] = isByRows ? [a, b, c] : [across(b), across(a), across(c)];
    this.#lines = isByRows ? m : n;
    this.#calls = cores.map((core) => new Call(core));
    this.#enqueued = cores.map(() => Promise.resolve());
  }

  /** Bytes that are copied once for all parts. */
  get wholeBytes(): number {
    return this.#b.use.count * this.#args.kind.bytes;
  }

  nameOf(device: number): string {
    return this.#cores[device]!.program.device.name;
  }

  /** Copies the whole factor, and enqueues its packing for each of the devices: they do that while the first parts are copied. */
  async begin(): Promise<void> {
    const [bound] = await this.#calls[0]!.bind([this.#b.use]);
    this.#bView = this.#b.view(bound!);
    for (const width of new Set(this.#cores.map((core) => this.#widthFor(core)))) {
      const { panels, ends } = await this.#pack(width);
      const packed = ends.then(() => panels);
      // It is awaited with the first part.
      packed.catch(() => {});
      this.#panels.set(width, packed);
    }
  }

  #widthFor(core: Core): number {
    return columnsOf(tileFor(core.program.device.info, this.#args.kind));
  }

  /** The devices whose panels are so wide pack them together, some columns each. */
  async #pack(
    width: number,
  ): Promise<{ readonly panels: readonly Panels[]; readonly ends: Promise<unknown> }> {
    const { kind } = this.#args;
    const view = transposed(this.#bView!);
    const calls = this.#calls.filter(({ core }) => this.#widthFor(core) === width);
    const infos = calls.map(({ core }) => core.program.device.info);
    const tile = tileFor(infos[0]!, kind);
    const lines = Math.max(view.rows, this.#lines);
    const most = Math.min(...infos.map(({ maxMemAllocSize }) => maxMemAllocSize));
    const all = depthSections(tile, kind, lines, view.columns, most).map(async (columns) => {
      const wanted: PanelsWanted = {
        width,
        rows: { from: 0, count: view.rows },
        columns,
        count: 1,
        stride: 0,
      };
      const panels: Panels = { memory: calls[0]!.temporary(panelBytes(kind, wanted)), columns };
      const shares = cut(columns, Math.ceil(columns.count / calls.length));
      await Promise.all(
        shares.map((share, index) => packColumns(calls[index]!, kind, view, wanted, panels, share)),
      );
      return panels;
    });
    const panels = await Promise.all(all);
    return { panels, ends: Promise.all(calls.map((call) => call.end())) };
  }

  /** Computes lines of C on a device, rows where it goes by rows, else columns, behind those that it was given before. @returns bytes that were copied */
  async compute(device: number, part: Indices): Promise<number> {
    const { kind } = this.#args;
    const core = this.#cores[device]!;
    const [alpha, beta] = [this.#args.scalar('alpha'), this.#args.scalar('beta')];
    const call = new Call(core);
    try {
      const a = linesOf(this.#a, part, kind.parts);
      const c = linesOf(this.#c, part, kind.parts);
      const isOverwritten = isZero(beta) && hasNoGaps(c.view(nowhere));
      const [x, y] = await call.bind([a.use, { ...c.use, isOverwritten }], false);
      const terms = [{ alpha, a: a.view(x!), b: this.#bView! }];
      const packedB = await this.#panels.get(this.#widthFor(core))!;
      const enqueued = this.#enqueued[device]!.then(() =>
        multiply(call, { kind, terms, beta, c: c.view(y!), packedB }),
      );
      this.#enqueued[device] = enqueued.catch(() => {});
      await enqueued;
      await call.end();
      return (a.use.count + (isOverwritten ? 1 : 2) * c.use.count) * kind.bytes;
    } finally {
      call.release();
    }
  }

  release(): void {
    for (const call of this.#calls) call.release();
  }
}

/** A matrix argument, as `trans` says. */
function matrix(
  args: Arguments,
  name: string,
  description: Parameters<typeof fullMatrix>[2],
  trans?: string,
): MatrixArgument {
  const { use, view } = fullMatrix(args, name, description);
  return trans === undefined ? { use, view } : { use, view: (bound) => applied(args, trans, view(bound)) };
}

const across = ({ use, view }: MatrixArgument): MatrixArgument => ({
  use,
  view: (bound) => transposed(view(bound)),
});

/** What of a matrix goes with some rows: what it uses of the operand, and its view. */
function linesOf({ use, view }: MatrixArgument, { from, count }: Indices, parts: number): MatrixArgument {
  const at = (bound: Bound): MatrixView => {
    const whole = view(bound);
    return partOf(whole, from, 0, count, whole.columns, parts);
  };
  const part = at(nowhere);
  const { rs, cs } = stridesOf(part);
  const numbers = part.columns === 0 ? 0 : (part.rows - 1) * rs + (part.columns - 1) * cs + 1;
  return {
    use: { ...use, first: use.first + part.offset, count: numbers * parts },
    view: ({ memory, offset }) => at({ memory, offset: offset - part.offset }),
  };
}

/** For views of which only the shape is asked for. */
const nowhere: Bound = { memory: undefined as never, offset: 0 };

/** Whether rows have all numbers from the first to the last. */
function hasNoGaps(view: MatrixView): boolean {
  return view.rows === 1 || stridesOf(view).rs === view.columns;
}
