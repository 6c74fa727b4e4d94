/** Calls of include/cblas.h as calls of routines: pointers become typed arrays over the program's memory, and results are written to it. */
import type { Core } from '../core.ts';
import { batchCallOf } from '../gemm-batch.ts';
import { elementRoutines } from '../level-1-elements.ts';
import { reductionRoutines } from '../level-1-reductions.ts';
import { level2Routines } from '../level-2.ts';
import { level3Routines } from '../level-3.ts';
import { type Complex, type Letter, type NumberKind, numberKinds, realOf } from '../number-kinds.ts';
import { type Parameter, signatureOf } from '../read-arguments.ts';
import { complexRotg, rotg, rotmg } from '../rotations.ts';
import { callOf, type Routine } from '../routine.ts';
import type { ProgramMemory } from './memory.ts';

/** A function of cblas.h: its arguments are numbers, as WebAssembly has them, and so is its result. */
export type ProgramCall = (
  core: Core,
  memory: ProgramMemory,
  args: readonly number[],
) => Promise<number | undefined>;

/** The function of a name, without `cblas_`; undefined if there is none. */
export function programCall(name: string): ProgramCall | undefined {
  const made = /^([sdcz])(rotg|rotmg)$/.exec(name);
  if (made) {
    const kind = numberKinds[made[1] as Letter];
    if (made[2] === 'rotmg') return async (_core, memory, args) => makeModifiedRotation(kind, memory, args);
    return async (_core, memory, args) =>
      kind.isComplex ? makeComplexRotation(kind, memory, args) : makeRotation(kind, memory, args);
  }
  const batch = /^([sdcz])gemm_batch$/.exec(name);
  if (batch) return batchFromProgram(numberKinds[batch[1] as Letter]);
  const plain = name.replace(/_sub$/, '');
  const level1 = [...elementRoutines, ...reductionRoutines].find((routine) => routine.name === plain);
  const routine = level1 ?? [...level2Routines, ...level3Routines].find((each) => each.name === plain);
  return routine && callFromProgram(routine, name, level1 !== undefined);
}

function callFromProgram(routine: Routine, name: string, isLevel1: boolean): ProgramCall {
  const parameters = signatureOf(routine.signature);
  const call = callOf({ ...routine, shownName: name });
  return async (core, memory, args) => {
    // Vectors of fewer than no elements are empty, as in the reference.
    const value = (parameter: Parameter, index: number): unknown =>
      isLevel1 && parameter.name === 'n'
        ? Math.max(args[index]!, 0)
        : argumentOf(parameter, args[index]!, routine.kind, memory);
    const result = await call(core, parameters.map(value));
    if (typeof result === 'number') return result;
    if (name.endsWith('_sub')) memory.some(args.at(-1)!, routine.kind, 2).set(result as Complex);
    return undefined;
  };
}

/** `?gemm_batch`: the arrays of its arguments become lists, and their pointers typed arrays. */
function batchFromProgram(kind: NumberKind): ProgramCall {
  const call = batchCallOf(kind);
  return async (core, memory, args) => {
    const [order, transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, groups, sizes] = args;
    const count = Math.max(groups!, 0);
    const ofGroups = (pointer: number | undefined): Int32Array => memory.words(pointer!, count);
    const groupSizes = ofGroups(sizes);
    const products = groupSizes.reduce((sum, size) => sum + Math.max(size, 0), 0);
    const scalars = (pointer: number | undefined): unknown[] => {
      const numbers = count === 0 ? [] : [...memory.some(pointer!, kind, count * kind.parts)];
      if (!kind.isComplex) return numbers;
      return Array.from({ length: count }, (_, at) => [numbers[2 * at]!, numbers[2 * at + 1]!]);
    };
    const matrices = (pointer: number | undefined) =>
      Array.from(memory.words(pointer!, products), (each) => memory.from(each, kind));
    await call(core, [
      order,
      ...[transA, transB, m, n, k].map(ofGroups),
      scalars(alpha),
      matrices(a),
      ofGroups(lda),
      matrices(b),
      ofGroups(ldb),
      scalars(beta),
      matrices(c),
      ofGroups(ldc),
      groups,
      groupSizes,
    ]);
    return undefined;
  };
}

function argumentOf(parameter: Parameter, value: number, kind: NumberKind, memory: ProgramMemory): unknown {
  switch (parameter.kind) {
    case 'matrix':
    case 'vector':
      return parameter.name === 'param' ? memory.some(value, kind, 5) : memory.from(value, kind);
    case 'scalar':
      return kind.isComplex ? [...memory.some(value, kind, 2)] : value;
    default:
      return value;
  }
}

const roundingOf = ({ real }: NumberKind): ((value: number) => number) =>
  real === 'float' ? Math.fround : Number;

function makeRotation(kind: NumberKind, memory: ProgramMemory, pointers: readonly number[]): undefined {
  const [a, b, c, s] = pointers.map((pointer) => memory.some(pointer, kind, 1)) as Float64Array[];
  const made = rotg(a![0]!, b![0]!, roundingOf(kind));
  [a![0], b![0], c![0], s![0]] = [made.r, made.z, made.c, made.s];
}

function makeComplexRotation(
  kind: NumberKind,
  memory: ProgramMemory,
  pointers: readonly number[],
): undefined {
  const [a, b, s] = [0, 1, 3].map((index) => memory.some(pointers[index]!, kind, 2)) as Float64Array[];
  const c = memory.some(pointers[2]!, realOf(kind), 1);
  const made = complexRotg([a![0]!, a![1]!], [b![0]!, b![1]!], roundingOf(kind));
  a!.set(made.r);
  c[0] = made.c;
  s!.set(made.s);
}

function makeModifiedRotation(kind: NumberKind, memory: ProgramMemory, args: readonly number[]): undefined {
  const [d1, d2, b1] = args.slice(0, 3).map((pointer) => memory.some(pointer, kind, 1)) as Float64Array[];
  const param = memory.some(args[4]!, kind, 5);
  const made = rotmg(
    [d1![0]!, d2![0]!, b1![0]!, args[3]!],
    kind.array as Float64ArrayConstructor,
    roundingOf(kind),
  );
  [d1![0], d2![0], b1![0]] = [made.d1, made.d2, made.b1];
  // What the flag implies is left as it was.
  const written =
    { '-2': [0], '-1': [0, 1, 2, 3, 4], '0': [0, 2, 3], '1': [0, 1, 4] }[String(made.param[0])] ?? [];
  for (const index of written) param[index] = made.param[index]!;
}
