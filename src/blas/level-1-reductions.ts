/**
 * Level 1, what makes one number of vectors: dot products, norms, sums, the largest element. All are one template: each work-item takes
 * elements in turn and keeps a state; the host joins the states, a few hundred at most, in double precision.
 */
import type { NumberKind } from './number-kinds.ts';
import { type Complex, prologueOf } from './number-kinds.ts';
import type { Arguments } from './read-arguments.ts';
import { type Routine, routines, type Work } from './routine.ts';
import { each, kernelText } from './text.ts';
import { vectorCode, vectorUse, vectorView } from './vectors.ts';

interface ReductionWork<Result> {
  readonly name: string;
  /** The number of what is kept, and its type. */
  readonly states: number;
  readonly type: 'R' | 'double';
  /** What it is at the beginning. */
  readonly first: number;
  /** Changes `s0`, `s1`, ... by the elements `x` and `y` at `i`. */
  readonly statement: string;
  /** Makes the result of all states, one work-item's behind the other. */
  readonly join: (states: Float32Array | Float64Array) => Result;
}

function reduced<Result>(args: Arguments, vectors: string, work: ReductionWork<Result>): Work {
  const n = args.number('n');
  const names = [...vectors];
  const uses = names.map((name) => vectorUse(args, name, n, false));
  return async (call) => {
    if (n === 0) return work.join(new Float64Array(0));
    const bound = await call.bind(uses);
    const codes = names.map((name, v) => vectorCode(vectorView(args, name, n, bound[v]!), name, false));
    const items = n < 1024 ? Math.min(n, 16) : Math.min(Math.ceil(n / 512) * 16, call.core.manyItems);
    const array = work.type === 'double' ? Float64Array : args.kind.array;
    const out = call.temporary(items * work.states * array.BYTES_PER_ELEMENT);
    const body = `${codes.map(({ begin }) => begin).join('')}  ${work.type} ${each(work.states, (s) => `${s > 0 ? ', ' : ''}s${s} = ${work.first}`)};
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    T ${names.map((name, v) => `${name} = ${codes[v]!.load('i')}`).join(', ')};
    ${work.statement}
  }
${each(work.states, (s) => `  out[get_global_id(0) * ${work.states} + ${s}] = s${s};\n`)}`;
    const source = kernelText(
      prologueOf(args.kind),
      work.name,
      ['int n', `global ${work.type} *out`, ...codes.flatMap((code) => code.parameters)],
      body,
    );
    await call.launch(source, { global: [items] }, [n, out, ...codes.flatMap((code) => code.arguments)]);
    return work.join(await call.read<Float32Array | Float64Array>(out, array, items * work.states));
  };
}

const sum = (values: ArrayLike<number>, first = 0, step = 1): number => {
  let total = 0;
  for (let i = first; i < values.length; i += step) total += values[i]!;
  return total;
};

const rounded = ({ real }: NumberKind, value: number): number =>
  real === 'float' ? Math.fround(value) : value;

function dot(args: Arguments): Work {
  const { kind } = args;
  return reduced(args, 'xy', {
    name: 'dot',
    states: 1,
    type: 'R',
    first: 0,
    statement: 's0 += x * y;',
    join: (states) => rounded(kind, sum(states)),
  });
}

/** Products of floats that are added in double precision. */
function doubleDot(args: Arguments, result: (sum: number) => number): Work {
  return reduced(args, 'xy', {
    name: 'dot',
    states: 1,
    type: 'double',
    first: 0,
    statement: 's0 += (double)x * y;',
    join: (states) => result(sum(states)),
  });
}

function complexDot(args: Arguments, conjugate: boolean): Work {
  const { kind } = args;
  return reduced(args, 'xy', {
    name: 'dot',
    states: 2,
    type: 'R',
    first: 0,
    statement: `T p = MUL(${conjugate ? 'CONJ(x)' : 'x'}, y); s0 += p.x; s1 += p.y;`,
    join: (states): Complex => [rounded(kind, sum(states, 0, 2)), rounded(kind, sum(states, 1, 2))],
  });
}

/**
 * Squares of floats are added as doubles, which have room for all of them. Doubles go by their size to one of three sums, two of which
 * are scaled by powers of two (Blue, 1978, as LAPACK 3.10 has it).
 */
function norm(args: Arguments): Work {
  const { kind } = args;
  const parts = kind.isComplex ? ['x.x', 'x.y'] : ['x'];
  if (kind.real === 'float') {
    return reduced(args, 'x', {
      name: 'nrm2',
      states: 1,
      type: 'double',
      first: 0,
      statement: parts.map((part) => `s0 += (double)${part} * ${part};`).join(' '),
      join: (states) => Math.fround(Math.sqrt(sum(states))),
    });
  }
  const step = (part: string): string =>
    `{ double a = fabs(${part}); if (a > 0x1.0p+486) { a *= 0x1.0p-538; s0 += a * a; } else if (a < 0x1.0p-511) { a *= 0x1.0p+537; s2 += a * a; } else s1 += a * a; }`;
  return reduced(args, 'x', {
    name: 'nrm2',
    states: 3,
    type: 'double',
    first: 0,
    statement: parts.map(step).join(' '),
    join: (states) => {
      const [big, medium, small] = [sum(states, 0, 3), sum(states, 1, 3), sum(states, 2, 3)] as const;
      if (big > 0 || Number.isNaN(big)) return Math.sqrt(big + medium * 2 ** -538 * 2 ** -538) * 2 ** 538;
      if (!(small > 0)) return Math.sqrt(medium);
      if (!(medium > 0) && !Number.isNaN(medium)) return Math.sqrt(small) * 2 ** -537;
      const [a, b] = [Math.sqrt(medium), Math.sqrt(small) * 2 ** -537] as const;
      const [most, least] = a > b ? [a, b] : [b, a];
      return most * Math.sqrt(1 + (least / most) ** 2);
    },
  });
}

function absoluteSum(args: Arguments): Work {
  const { kind } = args;
  if (args.number('incx') <= 0) return async () => 0;
  return reduced(args, 'x', {
    name: 'asum',
    states: 1,
    type: 'R',
    first: 0,
    statement: 's0 += ABS1(x);',
    join: (states) => rounded(kind, sum(states)),
  });
}

/** The first of the largest; as in the reference, NaN is larger only where it is the first element. */
function largest(args: Arguments): Work {
  if (args.number('incx') <= 0) return async () => 0;
  return reduced(args, 'x', {
    name: 'iamax',
    states: 2,
    type: 'double',
    first: -1,
    statement:
      'double a = ABS1(x); if (isnan(a)) a = i == 0 ? INFINITY : -1; if (a > s0) { s0 = a; s1 = i; }',
    join: (states) => {
      let [best, place] = [-1, 0];
      for (let s = 0; s < states.length; s += 2) {
        const [value, index] = [states[s]!, states[s + 1]!] as const;
        if (value > best || (value === best && value >= 0 && index < place)) [best, place] = [value, index];
      }
      return place;
    },
  });
}

const one = 'n:size x:vector incx:anyInc';
const both = `${one} y:vector incy:anyInc`;

export const reductionRoutines: readonly Routine[] = [
  ...routines('sd', '?dot', both, dot),
  ...routines('s', 'sdsdot', `n:size alpha:real x:vector incx:anyInc y:vector incy:anyInc`, (args) =>
    doubleDot(args, (value) => Math.fround(value + Math.fround(args.number('alpha')))),
  ),
  ...routines('s', 'dsdot', both, (args) => doubleDot(args, (value) => value)),
  ...routines('cz', '?dotu', both, (args) => complexDot(args, false)),
  ...routines('cz', '?dotc', both, (args) => complexDot(args, true)),
  ...routines('sd', '?nrm2', one, norm),
  ...routines('c', 'scnrm2', one, norm),
  ...routines('z', 'dznrm2', one, norm),
  ...routines('sd', '?asum', one, absoluteSum),
  ...routines('c', 'scasum', one, absoluteSum),
  ...routines('z', 'dzasum', one, absoluteSum),
  ...routines('sdcz', 'i?amax', one, largest),
];
