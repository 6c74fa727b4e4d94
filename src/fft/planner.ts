/** From what a transform is to its steps: dimension by dimension, the last of them next to the real numbers, if there are any. */
import { bluesteinMakers } from './bluestein.ts';
import { isSmooth } from './factors.ts';
import { lineMakers } from './passes.ts';
import { halved, mirrored, tangled, untangled } from './real-lines.ts';
import type { Lines, Maker, Real, Signal, Step } from './steps.ts';

export type Kind = 'complex' | 'real-to-complex' | 'complex-to-real';

export interface Transform {
  readonly real: Real;
  /** Sizes of what is not halved, the last of neighbours in memory. */
  readonly shape: readonly number[];
  readonly batch: number;
  readonly kind: Kind;
  readonly sign: 1 | -1;
  readonly scale: number;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** Parts that each of the two memories between has room for. */
  readonly between: number;
}

function alongLines(real: Real, length: number, lines: Lines, sign: 1 | -1): Maker[] {
  const make = isSmooth(length) ? lineMakers : bluesteinMakers;
  return make(real, length, lines, sign);
}

export function planSteps({ real, shape, batch, kind, sign, scale }: Transform): Steps {
  const n = shape.at(-1)!;
  const isOdd = n % 2 === 1;
  const rows = shape.slice(0, -1).reduce((product, size) => product * size, batch);
  const half = Math.floor(n / 2) + 1;
  /** All dimensions but the last, where that has `width` numbers. */
  const before = (width: number): Maker[] => {
    const makers: Maker[] = [];
    let s = width;
    for (const size of shape.slice(0, -1).reverse()) {
      if (size > 1) makers.push(...alongLines(real, size, { s, outer: (rows * width) / (s * size) }, sign));
      s *= size;
    }
    return makers;
  };
  const last = (length: number): Maker[] => alongLines(real, length, { s: 1, outer: rows }, sign);
  const realLength = isOdd ? n : n / 2;
  let makers: Maker[];
  let [inputTotal, input, output]: [number, Signal['form'], Signal['form']] = [rows * n, 'pairs', 'pairs'];
  if (kind === 'complex') makers = [...last(n), ...before(n)];
  else if (kind === 'real-to-complex') {
    makers = [...last(realLength), (isOdd ? halved : untangled)(real, n, rows), ...before(half)];
    inputTotal = rows * realLength;
    if (isOdd) input = 'real';
  } else {
    makers = [...before(half), (isOdd ? mirrored : tangled)(real, n, rows), ...last(realLength)];
    inputTotal = rows * half;
    if (isOdd) output = 'real';
  }
  return placed(makers, { slot: 'input', form: input }, inputTotal, { slot: 'output', form: output }, scale);
}

/** Gives steps their memories: each writes what the next reads. */
function placed(
  makers: readonly Maker[],
  input: Signal,
  inputTotal: number,
  output: Signal,
  scale: number,
): Steps {
  let [from, total, between] = [input, inputTotal, 0];
  const steps = makers.map((maker, index): Step => {
    const isLast = index === makers.length - 1;
    const to: Signal = isLast ? output : { slot: index % 2 === 0 ? 'first' : 'second', form: 'split' };
    const made = maker.make(from, to, isLast ? scale : 1);
    const step = { ...made, from, to, values: [total, maker.total, ...made.values] };
    if (!isLast) between = Math.max(between, 2 * maker.total);
    [from, total] = [to, maker.total];
    return step;
  });
  return { steps, between };
}
