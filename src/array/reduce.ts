/**
 * Reductions: many elements become one, of the whole array or along an axis. What is reduced may be an expression; it is computed in
 * the same kernel. Work-items take elements in turn, so the operation must be associative and commutative. Where there are many
 * results each has a work-item, else several work-groups, whose results a second launch reduces.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import { Node } from './node.ts';
import { isFloat, type NumberType, numberTypes } from './number-types.ts';
import { type Shape, sizeOf } from './shape.ts';

/** What is kept while elements are reduced: a value, and for the place of an extreme its index. */
export interface Reduction {
  readonly helpers: string;
  /** The types of what is kept in OpenCL C. */
  readonly state: readonly string[];
  /** What an empty array has. */
  readonly neutral: readonly string[];
  /** Code of the first state of an element: `value` is the element, `at` its index along the axis. */
  readonly element: (value: string, at: string) => readonly string[];
  /** Statements that join the state `b0`, `b1` to the state `a0`, `a1`. */
  readonly join: string;
  /** What of the state is the result. */
  readonly result: number;
}

/** What an axis divides an array into: index = (outer * length + k) * inner + place. */
export interface Along {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

export function along(shape: Shape, axis: number | undefined): Along {
  if (axis === undefined) return { outer: 1, length: sizeOf(shape), inner: 1 };
  return {
    outer: sizeOf(shape.slice(0, axis)),
    length: shape[axis]!,
    inner: sizeOf(shape.slice(axis + 1)),
  };
}

/** Work-items of a group: on a processor so many as take their turn in one step, so that a group goes through memory once. */
const groupSizes = { gpu: 64, cpu: 16 } as const;

/** @param type of the result */
export async function reduce(
  engine: Engine,
  input: Node,
  { outer, length, inner }: Along,
  reduction: Reduction,
  type: NumberType,
  more: { readonly parameters: readonly string[]; readonly arguments: readonly KernelArgument[] } = {
    parameters: [],
    arguments: [],
  },
): Promise<DeviceBuffer> {
  const results = outer * inner;
  const groupSize = engine.isGpu ? groupSizes.gpu : groupSizes.cpu;
  const out = engine.buffer(type, results);
  if (results === 0) return out;
  const expression = await engine.expression(input);
  const parameters = [...more.parameters, ...expression.parameters];
  const values = [...more.arguments, ...expression.arguments];
  const helpers = expression.helpers + reduction.helpers;
  const { statements, value } = expression.code('i');
  const step = (at: string): string =>
    `${statements}${declare(reduction, 'b', reduction.element(value, at))}    ${reduction.join}\n`;
  const isLong = length >= 256 && results < 1024 && (inner === 1 || results < 64);
  if (!isLong) {
    const source = `${helpers}kernel void reduce(global ${numberTypes[type].c} *out, uint length, uint inner${list(parameters)}) {
  uint place = get_global_id(0), o = get_global_id(1);
  if (place >= inner) return;
${declare(reduction, 'a', reduction.neutral)}  uint i = o * length * inner + place;
  for (uint k = 0; k < length; k++, i += inner) {
${step('k')}  }
  out[o * inner + place] = a${reduction.result};
}
`;
    // With an inner dimension of one element the outer one is in its place.
    const flat = inner === 1;
    const flatSource = source
      .replace(
        'uint place = get_global_id(0), o = get_global_id(1);\n  if (place >= inner) return;',
        'uint o = get_global_id(0), place = 0;\n  if (o >= inner) return;',
      )
      .replace('o * length * inner + place', 'o * length')
      .replace('i += inner', 'i++')
      .replace('out[o * inner + place]', 'out[o]');
    await engine.launch(
      flat ? flatSource : source,
      { global: flat ? [roundUp(outer, groupSize)] : [roundUp(inner, groupSize), outer] },
      [out, length, flat ? outer : inner, ...values],
    );
    return out;
  }
  const groups = Math.max(1, Math.min(Math.ceil(length / 1024), 256, Math.ceil(4096 / results)));
  const states = reduction.state;
  if (groups === 1) {
    await engine.launch(
      groupsSource(groupSize, helpers, reduction, step, [numberTypes[type].c], parameters, true),
      { global: [groupSize, results], local: [groupSize, 1] },
      [out, length, inner, ...values],
    );
    return out;
  }
  const partial = states.map((c) => engine.program.buffer(results * groups * bytesOf(c)));
  try {
    await engine.launch(
      groupsSource(groupSize, helpers, reduction, step, states, parameters, false),
      { global: [groupSize * groups, results], local: [groupSize, 1] },
      [...partial, length, inner, ...values],
    );
    const joinStep = `${declare(
      reduction,
      'b',
      states.map((_, s) => `p${s}[i]`),
    )}    ${reduction.join}\n`;
    await engine.launch(
      groupsSource(
        groupSize,
        reduction.helpers,
        reduction,
        () => joinStep,
        [numberTypes[type].c],
        [...more.parameters, ...states.map((c, s) => `global const ${c} *p${s}`)],
        true,
      ),
      { global: [groupSize, results], local: [groupSize, 1] },
      [out, groups, 1, ...more.arguments, ...partial],
    );
  } finally {
    for (const buffer of partial) buffer.release();
  }
  return out;
}

const list = (items: readonly string[]): string => items.map((item) => `, ${item}`).join('');

const sizes: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(numberTypes).map(({ c, bytes }) => [c, bytes]),
);
const bytesOf = (c: string): number => sizes[c]!;

const declare = ({ state }: Reduction, name: string, values: readonly string[]): string =>
  state.map((c, s) => `  ${c} ${name}${s} = ${values[s]};\n`).join('');

/** A work-group for each part of each result, which is one piece of memory; its work-items join what they have in local memory. */
function groupsSource(
  groupSize: number,
  helpers: string,
  reduction: Reduction,
  step: (at: string) => string,
  outs: readonly string[],
  parameters: readonly string[],
  isLast: boolean,
): string {
  const { state, join } = reduction;
  const targets = outs.map((c, o) => `global ${c} *out${o}`).join(', ');
  const locals = state.map((c, s) => `  local ${c} l${s}[${groupSize}];\n`).join('');
  const keep = state.map((_, s) => `l${s}[l] = a${s};`).join(' ');
  const take = state.map((c, s) => `${c} b${s} = l${s}[l + distance];`).join(' ');
  const write = isLast
    ? `out0[r] = a${reduction.result};`
    : state.map((_, s) => `out${s}[r * get_num_groups(0) + get_group_id(0)] = a${s};`).join(' ');
  return `${helpers}kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
void reduce(${targets}, uint length, uint inner${list(parameters)}) {
${locals}  uint r = get_global_id(1), l = get_local_id(0);
  uint start = r / inner * length * inner + r % inner;
  uint part = (length / ${groupSize} / (uint)get_num_groups(0) + 1) * ${groupSize};
  uint first = (uint)get_group_id(0) * part, end = min(first + part, length);
${declare(reduction, 'a', reduction.neutral)}  for (uint k = first + l; k < end; k += ${groupSize}) {
    uint i = start + k * inner;
${step('k')}  }
  ${keep}
  for (uint distance = ${groupSize / 2}; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < distance) { ${take} ${join} ${keep} }
  }
  if (l == 0) { ${write} }
}
`;
}

const plain = (c: string, neutral: string, join: string, element = (value: string) => value): Reduction => ({
  helpers: '',
  state: [c],
  neutral: [neutral],
  element: (value) => [element(value)],
  join: `a0 = ${join};`,
  result: 0,
});

/** The least or largest value of a type, which any other replaces. */
function limit(type: NumberType, isLeast: boolean): string {
  const { c, min, max } = numberTypes[type];
  if (isFloat(type)) return isLeast ? '-INFINITY' : 'INFINITY';
  // The least number of 64 bits is no literal.
  if (isLeast && type === 'int64') return 'LONG_MIN';
  return `(${c})${isLeast ? min : max}${type === 'uint64' ? 'UL' : type === 'int64' ? 'L' : ''}`;
}

/** @param type of what is summed and of the result */
export function sumOf(type: NumberType): Reduction {
  return plain(numberTypes[type].c, '0', 'a0 + b0');
}

export function productOf(type: NumberType): Reduction {
  return plain(numberTypes[type].c, '1', 'a0 * b0');
}

export function extremeOf(type: NumberType, sign: '<' | '>'): Reduction {
  const better = isFloat(type) ? `(b0 ${sign} a0 || isnan(b0)) && !isnan(a0)` : `b0 ${sign} a0`;
  return plain(numberTypes[type].c, limit(type, sign === '>'), `${better} ? b0 : a0`);
}

export const anyOf = plain('uchar', '0', '(uchar)(a0 | b0)');
export const allOf = plain('uchar', '1', '(uchar)(a0 & b0)');

/** The first index of the extreme, or of the first NaN. */
export function placeOfExtreme(type: NumberType, sign: '<' | '>'): Reduction {
  const isBetter = isFloat(type)
    ? `(isnan(b0) ? (!isnan(a0) || b1 < a1) : !isnan(a0) && (b0 ${sign} a0 || (b0 == a0 && b1 < a1)))`
    : `(b0 ${sign} a0 || (b0 == a0 && b1 < a1))`;
  return {
    helpers: '',
    state: [numberTypes[type].c, 'int'],
    neutral: [limit(type, sign === '>'), 'INT_MAX'],
    element: (value, at) => [value, `(int)${at}`],
    join: `if (${isBetter}) { a0 = b0; a1 = b1; }`,
    result: 1,
  };
}

/** A node that is reduced along an axis, or of all its elements, when it is computed. */
export function reduced(
  engine: Engine,
  input: Node,
  axis: number | undefined,
  keepDims: boolean,
  reduction: Reduction,
  type: NumberType,
): Node {
  const { shape } = input;
  const rest = keepDims
    ? shape.map((length, d) => (axis === undefined || d === axis ? 1 : length))
    : shape.filter((_, d) => axis !== undefined && d !== axis);
  return new Node(type, rest, {
    kind: 'task',
    inputs: [input],
    run: () => reduce(engine, input, along(shape, axis), reduction, type),
  });
}
