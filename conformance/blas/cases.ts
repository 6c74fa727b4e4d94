/**
 * Random calls of BLAS's routines, and what is right: OpenBLAS in double precision. A result may differ by 16 units of its precision of the sum
 * of absolute values that it is a sum of, as the testers of the reference have it.
 */
import * as C from '../../src/blas/constants.ts';
import { numberKinds } from '../../src/blas/number-kinds.ts';
import { type Parameter, signatureOf } from '../../src/blas/read-arguments.ts';
import type { Routine } from '../../src/blas/routine.ts';
import { Random } from '../../test/support/random.ts';
import { doubled, gaugeName, type Reference } from './openblas.ts';

export interface Case {
  readonly routine: Routine;
  readonly parameters: readonly Parameter[];
  /** Typed arrays are new: they may be written. */
  readonly given: readonly unknown[];
}

type Numbers = Float32Array | Float64Array;
const isNumbers = (value: unknown): value is Numbers =>
  value instanceof Float32Array || value instanceof Float64Array;

/** A random call. `largest` is that of its sizes. */
export function randomCase(routine: Routine, seed: number, largest: number): Case {
  const random = new Random(seed);
  const { name, kind, signature } = routine;
  const parameters = signatureOf(signature);
  const values = new Map<string, unknown>();
  const size = (): number => {
    const roll = random.next();
    if (roll < 0.03) return 0;
    return roll < 0.5 ? 1 + random.below(Math.min(largest, 9)) : 1 + random.below(largest);
  };
  const scalar = (): number =>
    random.next() < 0.2 ? random.pick([0, 1, -1]) : round(kind, random.next() * 2 - 1);
  const number = (of: string): number => values.get(of) as number;
  for (const { name: parameter, kind: what } of parameters) {
    switch (what) {
      case 'order':
        values.set(parameter, random.pick([C.CblasRowMajor, C.CblasColMajor]));
        break;
      case 'trans':
        values.set(parameter, random.pick(transposesOf(name)));
        break;
      case 'uplo':
        values.set(parameter, random.pick([C.CblasUpper, C.CblasLower]));
        break;
      case 'diag':
        values.set(parameter, random.pick([C.CblasUnit, C.CblasNonUnit]));
        break;
      case 'side':
        values.set(parameter, random.pick([C.CblasLeft, C.CblasRight]));
        break;
      case 'size':
        values.set(parameter, parameter === 'batch' ? 1 + random.below(4) : size());
        break;
      case 'real':
        values.set(parameter, scalar());
        break;
      case 'scalar':
        values.set(parameter, kind.isComplex ? [scalar(), random.next() < 0.3 ? 0 : scalar()] : scalar());
        break;
      case 'inc':
        values.set(parameter, random.pick([1, 1, 1, 2, 3, 5, -1, -2, -3]));
        break;
      case 'anyInc':
        values.set(
          parameter,
          random.pick(/nrm2|asum|scal|amax/.test(name) ? [1, 1, 2, 3, 7] : [1, 1, 1, 2, 3, -1, -2]),
        );
        break;
    }
  }
  if (/gbmv$/.test(name)) {
    values.set('kl', Math.min(number('kl'), Math.max(0, number('m') - 1)));
    values.set('ku', Math.min(number('ku'), Math.max(0, number('n') - 1)));
  }
  const isSolve = /^.t[rbp]s[vm]$/.test(name);
  const numbers = (count: number): Numbers => {
    const array = new kind.array(count * kind.parts);
    for (let i = 0; i < array.length; i += 1) array[i] = random.next() * 2 - 1;
    return array;
  };
  for (const { name: parameter, kind: what } of parameters) {
    if (what === 'vector' && parameter === 'param') {
      const param = new kind.array(5).map(() => random.next() * 2 - 1);
      param[0] = random.pick([-2, -1, 0, 1]);
      values.set(parameter, param);
    } else if (what === 'vector') {
      const inc = Math.abs(number(`inc${parameter}`));
      values.set(parameter, numbers(Math.max(1, lengthOf(name, parameter, values)) * Math.max(inc, 1)));
    } else if (what === 'matrix') {
      const { along, lines } = storageOf(name, parameter, values);
      const ld = Math.max(1, along) + (random.next() < 0.5 ? 0 : random.below(5));
      if (parameter !== 'ap') values.set(`ld${parameter}`, ld);
      const matrices = values.has('batch') ? number('batch') : 1;
      const one = parameter === 'ap' ? along : ld * lines;
      const step = one + random.below(7);
      if (values.has('batch')) values.set(`stride${parameter.toUpperCase()}`, step);
      const array = numbers(Math.max(1, (matrices - 1) * step + one));
      if (isSolve && parameter !== 'b') makeSolvable(name, values, array, kind.parts, ld);
      values.set(parameter, array);
    }
  }
  return { routine, parameters, given: parameters.map(({ name: parameter }) => values.get(parameter)) };
}

const round = ({ real }: { real: string }, value: number): number =>
  real === 'float' ? Math.fround(value) : value;

function transposesOf(name: string): number[] {
  if (/syrk|syr2k/.test(name))
    return /^[sd]/.test(name)
      ? [C.CblasNoTrans, C.CblasTrans, C.CblasConjTrans]
      : [C.CblasNoTrans, C.CblasTrans];
  if (/herk|her2k/.test(name)) return [C.CblasNoTrans, C.CblasConjTrans];
  return [C.CblasNoTrans, C.CblasTrans, C.CblasConjTrans];
}

const isTransposed = (value: unknown): boolean => value === C.CblasTrans || value === C.CblasConjTrans;

function lengthOf(name: string, parameter: string, values: ReadonlyMap<string, unknown>): number {
  const n = values.get('n') as number;
  if (!values.has('m')) return n;
  const m = values.get('m') as number;
  if (/ger[uc]?$/.test(name)) return parameter === 'x' ? m : n;
  return (parameter === 'x') === isTransposed(values.get('trans')) ? m : n;
}

/** Numbers of a line of a matrix's storage, and its lines. */
function storageOf(name: string, parameter: string, values: ReadonlyMap<string, unknown>) {
  const number = (of: string): number => values.get(of) as number;
  const n = number('n');
  const byRows = values.get('order') === C.CblasRowMajor;
  if (parameter === 'ap') return { along: (n * (n + 1)) / 2, lines: 1 };
  if (/gbmv$/.test(name)) return { along: number('kl') + number('ku') + 1, lines: byRows ? number('m') : n };
  if (/.(sb|hb|tb)[ms]v$/.test(name)) return { along: number('k') + 1, lines: n };
  const [rows, columns] = shapeOf(name, parameter, values);
  return byRows ? { along: columns, lines: rows } : { along: rows, lines: columns };
}

function shapeOf(name: string, parameter: string, values: ReadonlyMap<string, unknown>): [number, number] {
  const number = (of: string): number => values.get(of) as number;
  const given = (rows: number, columns: number, trans: string): [number, number] =>
    isTransposed(values.get(trans)) ? [columns, rows] : [rows, columns];
  const n = number('n');
  if (/gemm/.test(name)) {
    if (parameter === 'c') return [number('m'), n];
    return parameter === 'a' ? given(number('m'), number('k'), 'transA') : given(number('k'), n, 'transB');
  }
  if (/(syrk|herk|syr2k|her2k)$/.test(name))
    return parameter === 'c' ? [n, n] : given(n, number('k'), 'trans');
  if (values.has('side')) {
    if (parameter !== 'a') return [number('m'), n];
    const size = values.get('side') === C.CblasLeft ? number('m') : n;
    return [size, size];
  }
  return values.has('m') ? [number('m'), n] : [n, n];
}

/** Small numbers but for the diagonal, so that solutions are not much larger than the right sides. */
function makeSolvable(
  name: string,
  values: ReadonlyMap<string, unknown>,
  array: Numbers,
  parts: number,
  ld: number,
): void {
  const n = (
    values.has('side')
      ? values.get('side') === C.CblasLeft
        ? values.get('m')
        : values.get('n')
      : values.get('n')
  ) as number;
  const byRows = values.get('order') === C.CblasRowMajor;
  const isUpper = values.get('uplo') === C.CblasUpper;
  array.forEach((value, i) => {
    array[i] = value / Math.max(1, n);
  });
  for (let i = 0; i < n; i += 1) {
    let place: number;
    if (/tp/.test(name)) place = byRows === isUpper ? i + (i * (2 * n - i - 1)) / 2 : i + (i * (i + 1)) / 2;
    else if (/tb/.test(name)) place = i * ld + (byRows === isUpper ? 0 : (values.get('k') as number));
    else place = i * ld + i;
    array[place * parts] = (array[place * parts]! < 0 ? -1 : 1) * (1 + Math.abs(array[place * parts]!));
  }
}

/** What is wrong with the results of a call, or undefined. */
export function checkCase(
  { routine, parameters, given }: Case,
  after: readonly unknown[],
  returned: unknown,
  all: ReadonlyMap<string, Routine>,
  reference: Reference,
): string | undefined {
  const { name, kind } = routine;
  if (/batch/.test(name)) return checkBatch({ routine, parameters, given }, after, all, reference);
  const wide = doubled(name);
  const used = wide === undefined ? routine : all.get(wide)!;
  const copies = given.map((value) =>
    isNumbers(value) ? (wide === undefined ? value.slice() : Float64Array.from(value)) : value,
  );
  const expected = reference(used, parameters, copies);
  const unit = kind.real === 'float' ? 2 ** -23 : 2 ** -52;
  const gauge = gaugeOf({ routine, parameters, given }, all, reference);
  for (const [p, value] of after.entries()) {
    if (!isNumbers(value)) continue;
    const right = copies[p] as Numbers;
    const scale = gauge?.[p] as Numbers | undefined;
    const largest = scale
      ? 0
      : (right as Float64Array).reduce((most, each) => Math.max(most, Math.abs(each)), 1) *
        (/^.t.s/.test(name) ? 8 : 1);
    for (let i = 0; i < value.length; i += 1) {
      const most = 16 * unit * (scale ? scale[Math.floor(i / kind.parts)]! : largest);
      if (Math.abs(value[i]! - right[i]!) <= most) continue;
      return `${parameters[p]!.name}[${i}] is ${value[i]}, not ${right[i]} (by at most ${most})`;
    }
  }
  return returned === undefined || expected === undefined
    ? undefined
    : checkReturned(routine, given, parameters, returned, expected, unit);
}

function checkReturned(
  { name }: Routine,
  given: readonly unknown[],
  parameters: readonly Parameter[],
  returned: unknown,
  expected: unknown,
  unit: number,
): string | undefined {
  const [got, right] = [[returned].flat() as number[], [expected].flat() as number[]];
  const n = given[0] as number;
  const precision = name === 'dsdot' ? 2 ** -52 : unit;
  const most = /amax/.test(name)
    ? 0
    : 16 * precision * (/dot/.test(name) ? Math.max(1, n) : Math.max(1, ...right.map(Math.abs)));
  const wrong = got.findIndex((value, index) => !(Math.abs(value - right[index]!) <= most));
  const names = parameters.map(({ name: each }, p) =>
    isNumbers(given[p]) ? each : `${each}=${String(given[p])}`,
  );
  return wrong < 0 ? undefined : `it returns ${got.join(' ')}, not ${right.join(' ')} (${names.join(', ')})`;
}

/** For each written number the sum of the absolute values of what it is a sum of. */
function gaugeOf(
  { routine, parameters, given }: Case,
  all: ReadonlyMap<string, Routine>,
  reference: Reference,
): readonly unknown[] | undefined {
  const name = gaugeName(routine.name);
  if (name === undefined) return undefined;
  const { parts } = routine.kind;
  const absolute = given.map((value, p) => {
    const { kind } = parameters[p]!;
    if (isNumbers(value)) {
      return Float64Array.from({ length: value.length / parts }, (_, i) =>
        parts === 1 ? Math.abs(value[i]!) : Math.abs(value[2 * i]!) + Math.abs(value[2 * i + 1]!),
      );
    }
    if (kind === 'scalar' && Array.isArray(value)) return Math.abs(value[0]) + Math.abs(value[1]);
    return kind === 'scalar' || kind === 'real' ? Math.abs(value as number) : value;
  });
  const used = all.get(name)!;
  reference(
    { ...used, kind: numberKinds.d },
    parameters.map((each) => (each.kind === 'real' ? { ...each, kind: 'scalar' } : each)),
    absolute,
  );
  return absolute;
}

/** A batch is right if each of its products is. */
function checkBatch(
  { routine, parameters, given }: Case,
  after: readonly unknown[],
  all: ReadonlyMap<string, Routine>,
  reference: Reference,
): string | undefined {
  const index = (name: string): number => parameters.findIndex((each) => each.name === name);
  const single = all.get(`${routine.kind.letter}gemm`)!;
  const plain = signatureOf(single.signature);
  const of = (values: readonly unknown[], matrix: number): unknown[] =>
    plain.map(({ name }) => {
      const value = values[index(name)];
      if (!isNumbers(value)) return value;
      const from = matrix * (values[index(`stride${name.toUpperCase()}`)] as number) * routine.kind.parts;
      return value.slice(
        from,
        name === 'c' && matrix + 1 < (given[index('batch')] as number)
          ? from + (values[index('strideC')] as number) * routine.kind.parts
          : undefined,
      );
    });
  for (let matrix = 0; matrix < (given[index('batch')] as number); matrix += 1) {
    const part = { routine: single, parameters: plain, given: of(given, matrix) };
    const fault = checkCase(part, of(after, matrix), undefined, all, reference);
    if (fault !== undefined) return `matrix ${matrix}: ${fault}`;
  }
  return undefined;
}

/** As text, for a person who looks at it. */
export function caseText({ routine, parameters, given }: Case): string {
  const values = parameters.map(({ name }, p) => {
    const value = given[p];
    return isNumbers(value) ? `${name}[${value.length}]` : `${name}=${String(value)}`;
  });
  return `${routine.name}(${values.join(', ')})`;
}
