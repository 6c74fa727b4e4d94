/** Rules for comparisons and selects, among them those that languages make of truth values. */
import { swapped } from '../../../ir/comparisons.ts';
import { zeroOf } from '../../../ir/constants.ts';
import type * as ir from '../../../ir/ir.ts';
import { bool, elementOf, f64, lanesOf } from '../../../ir/types.ts';
import { type Folds, type Simpler, unary } from './folds.ts';
import { foldNarrowComparison } from './narrowed.ts';

export function foldCompare(folds: Folds, instruction: ir.Compare): Simpler {
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  if (folds.constant(a) !== undefined && folds.constant(b) === undefined) {
    return { ...instruction, fn: swapped(instruction.fn), operands: [b, a] };
  }
  const element = elementOf(a.type);
  if (a === b && element.kind !== 'float') {
    return folds.newConstant(instruction.results[0]!.type, reflexive.has(instruction.fn));
  }
  if (element === f64) return foldNarrowComparison(folds, instruction);
  // Languages compare a truth value that they made an integer with zero.
  const right = folds.scalarConstant(b);
  if ((instruction.fn !== 'ne' && instruction.fn !== 'eq') || Number(right) !== 0) return undefined;
  const inner = folds.definition(a);
  if (inner?.op === 'convert' && (inner.fn === 'zext' || inner.fn === 'sext')) {
    const source = inner.operands[0]!;
    if (elementOf(source.type) === bool) {
      return instruction.fn === 'ne' ? source : { ...unary('not', source), results: instruction.results };
    }
    const zero = folds.newConstant(source.type, zeroOf(source.type));
    return { ...instruction, operands: [source, zero] };
  }
  if (inner?.op === 'select' && a.type.kind === 'int') {
    const yes = folds.scalarConstant(inner.operands[1]!);
    const no = folds.scalarConstant(inner.operands[2]!);
    if (yes === undefined || no === undefined || inner.operands[0]!.type !== bool) return undefined;
    const whenTrue = (Number(yes) !== 0) === (instruction.fn === 'ne');
    const whenFalse = (Number(no) !== 0) === (instruction.fn === 'ne');
    if (whenTrue === whenFalse) return folds.newConstant(bool, whenTrue);
    return whenTrue
      ? inner.operands[0]!
      : { ...unary('not', inner.operands[0]!), results: instruction.results };
  }
  return undefined;
}

export function foldSelect(folds: Folds, instruction: ir.Select): Simpler {
  const [condition, a, b] = instruction.operands as [ir.Value, ir.Value, ir.Value];
  if (a === b) return a;
  const known = folds.scalarConstant(condition);
  if (known !== undefined) return known ? a : b;
  const inner = folds.definition(condition);
  if (inner?.op === 'unary' && inner.fn === 'not') {
    return { ...instruction, operands: [inner.operands[0]!, b, a] };
  }
  const widened = widenedTruth(folds, instruction);
  if (widened) return widened;
  const chosen = inner?.op === 'compare' ? lesserOrGreater(inner, instruction) : undefined;
  if (chosen) return chosen;
  if (a.type !== bool || condition.type !== bool) return undefined;
  const whenTrue = folds.scalarConstant(a);
  const whenFalse = folds.scalarConstant(b);
  if (whenTrue === true && whenFalse === false) return condition;
  if (whenTrue === false && whenFalse === true)
    return { ...unary('not', condition), results: instruction.results };
  // Short-circuit `&&` and `||`: both sides are known by now.
  const { results, span } = instruction;
  if (whenFalse === false)
    return { op: 'binary', fn: 'and', operands: [condition, a], results, regions: [], span };
  if (whenTrue === true)
    return { op: 'binary', fn: 'or', operands: [condition, b], results, regions: [], span };
  return undefined;
}

/** `c ? -1 : 0` and `c ? 1 : 0`. */
function widenedTruth(folds: Folds, { operands, results, span }: ir.Select): ir.Convert | undefined {
  const [condition, a, b] = operands as [ir.Value, ir.Value, ir.Value];
  if (elementOf(a.type).kind !== 'int' || lanesOf(condition.type) !== lanesOf(a.type)) return undefined;
  const yes = folds.scalarConstant(a);
  if (Number(folds.scalarConstant(b)) !== 0 || (Number(yes) !== 1 && Number(yes) !== -1)) return undefined;
  const fn = Number(yes) === 1 ? 'zext' : 'sext';
  return { op: 'convert', fn, operands: [condition], results, regions: [], span };
}

/** `a < b ? a : b` and the like, on integers that have an instruction for it. */
function lesserOrGreater({ fn, operands }: ir.Compare, select: ir.Select): ir.Binary | undefined {
  const [, a, b] = select.operands as [ir.Value, ir.Value, ir.Value];
  const element = elementOf(a.type);
  if (element.kind !== 'int' || element.bits === 64) return undefined;
  const isStraight = operands[0] === a && operands[1] === b;
  if (!isStraight && !(operands[0] === b && operands[1] === a)) return undefined;
  const takesFirst = choices[fn];
  if (!takesFirst) return undefined;
  const { results, span } = select;
  return { op: 'binary', fn: takesFirst[isStraight ? 0 : 1], operands: [a, b], results, regions: [], span };
}

/** What `a OP b ? a : b` is, and `b OP a ? a : b`. */
const choices: Readonly<
  Partial<Record<ir.CompareFunction, readonly [ir.BinaryFunction, ir.BinaryFunction]>>
> = {
  slt: ['smin', 'smax'],
  sle: ['smin', 'smax'],
  sgt: ['smax', 'smin'],
  sge: ['smax', 'smin'],
  ult: ['umin', 'umax'],
  ule: ['umin', 'umax'],
  ugt: ['umax', 'umin'],
  uge: ['umax', 'umin'],
};

/** The comparisons that hold between a value and itself. */
const reflexive: ReadonlySet<ir.CompareFunction> = new Set<ir.CompareFunction>([
  'eq',
  'sle',
  'sge',
  'ule',
  'uge',
]);
