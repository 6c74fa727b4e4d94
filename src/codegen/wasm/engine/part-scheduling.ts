/**
 * Vectors of work-items part by part. A vector of sixteen floats is four v128, and an instruction of the IR becomes one for
 * each. V8 keeps loads in the order in which they are, and computes what needs them as late as it can: behind all loads, up
 * to the next store. Where a stencil loads five times sixteen floats for one store, twenty registers are wanted, and
 * what does not fit goes through memory.
 *
 * Nothing says that all parts be loaded before one is stored: they are different work-items. (Those of a vector that the
 * program itself loads are not, so only accesses that vectorisation has made are taken.) So straight code from
 * loads to stores is written for the first part as a whole, then for the second and so on:
 *
 *     %a = load %p : f32x8                  v128.load p          v128.load p + 16
 *     %b = load %q : f32x8                  v128.load q          v128.load q + 16
 *     %s = fadd %a, %b : f32x8              f32x4.add            f32x4.add
 *     store %r, %s                          v128.store r         v128.store r + 16
 *
 * What is one value for all lanes, addresses among it, comes first, once. A value that is used behind such a run is there for
 * all parts, as anywhere else. A constant that is loaded at each use is loaded once for each part then, and no longer once
 * for all; with many of these nothing would be gained.
 *
 * It is done here and by no pass, for in the IR a vector is one value. Parts are known only where registers of 128 bits are, and V8
 * schedules what it is given anew: only stores keep their places.
 */
import { isPure, isRemovable } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { ValueInfo } from '../kernel/function-plan.ts';
import { elementBits } from '../kernel/value-layout.ts';

export interface PartRun {
  /** Behind the last instruction. */
  readonly end: number;
  /** What is written part by part; the rest comes before, once. None, if there is nothing to gain. */
  readonly inParts: ReadonlySet<ir.Instruction>;
  readonly parts: number;
}

/**
 * Finds what can be written part by part from an instruction on: up to the last store before something that takes
 * vectors as a whole, or that has an effect of another kind.
 *
 * @param infoOf what is known of a value, those behind `from` not being computed yet
 * @param isReloaded whether a value is a constant that is loaded at each use
 * @param pinned computations whose parts are to stay side by side (`instruction-order.ts`)
 */
export function findPartRun(
  list: readonly ir.Instruction[],
  from: number,
  infoOf: (value: Value) => ValueInfo,
  isReloaded: (value: Value) => boolean,
  pinned: ReadonlySet<ir.Instruction>,
): PartRun {
  const found: ir.Instruction[] = [];
  const results = new Set<Value>();
  let parts = 0;
  let stored = 0;
  let loads = 0;
  let reloads = 0;
  let end = from;
  let at = from;
  for (; at < list.length; at++) {
    const one = list[at]!;
    const [result] = one.results;
    if (isRemovable(one) && result && (infoOf(result).isFree || infoOf(result).uses === 0)) continue;
    const count = partsOfWhole(one, infoOf);
    if (count > 1 && (parts === 0 || count === parts) && !pinned.has(one)) {
      parts = count;
      found.push(one);
      if (result) results.add(result);
      if (one.op === 'load') loads++;
      else reloads += one.operands.filter(isReloaded).length;
      if (one.op === 'store') {
        stored = found.length;
        end = at + 1;
      }
      continue;
    }
    const isOnce = count === 0 && (isPure(one) || (one.op === 'load' && stored === 0 && !one.volatile));
    if (!isOnce || one.operands.some((operand) => results.has(operand))) break;
  }
  const isGain = stored > 1 && reloads <= loads;
  return {
    end: isGain ? end : Math.max(at, from + 1),
    inParts: new Set(isGain ? found.slice(0, stored) : []),
    parts,
  };
}

/**
 * How many parts an instruction has that makes each part of its result, or stores it, of the same parts of its operands. 0 if
 * it has no parts, 1 if it has some and makes something else of them.
 */
function partsOfWhole(one: ir.Instruction, infoOf: (value: Value) => ValueInfo): number {
  const made = one.op === 'store' ? one.operands[1]! : one.results[0];
  if (!made || one.regions.length > 0) return 1;
  const { parts } = infoOf(made);
  switch (one.op) {
    case 'load':
    case 'store':
      if (parts > 1 && one.isPerLane && !one.volatile && isWhole(made)) return parts;
      // A vector of the program's own is one value: its parts must not come before or behind what lies between them.
      return one.op === 'load' ? 0 : 1;
    case 'unary':
    case 'binary':
    case 'fma':
    case 'compare':
    case 'select':
    case 'convert': {
      const vectors = one.operands
        .filter(({ type }) => type.kind === 'vector')
        .map((operand) => infoOf(operand));
      if (vectors.every((vector) => vector.parts === 1) && parts === 1) return 0;
      if (vectors.every(isAlike)) return 0;
      return vectors.every((vector) => vector.parts === parts) ? parts : 1;
    }
    case 'splat':
      return 0;
    default:
      return parts === 1 && one.operands.every((operand) => infoOf(operand).parts === 1) ? 0 : 1;
  }
}

/** Whether all parts are the same, and will be in one local. */
function isAlike({ locals, parts, definition }: ValueInfo): boolean {
  if (definition?.op === 'splat') return true;
  if (definition?.op === 'constant') {
    const lanes = definition.value as readonly ir.ScalarConstant[];
    return lanes.every((lane) => Object.is(lane, lanes[0]));
  }
  return locals !== undefined && parts > 1 && locals.every((local) => local === locals[0]);
}

/** Whether the vector fills its parts, which memory holds as they are. */
function isWhole({ type }: Value): boolean {
  const { element, lanes } = type as VectorType;
  return element.kind !== 'bool' && (lanes * elementBits(type)) % 128 === 0;
}
