/** Rules for unary and binary arithmetic: identities that hold for every value, one form for what has several. */
import { oppositeOf } from '../../../ir/comparisons.ts';
import { zeroOf } from '../../../ir/constants.ts';
import type * as ir from '../../../ir/ir.ts';
import { isCommutative } from '../../../ir/ir.ts';
import { bool, elementOf } from '../../../ir/types.ts';
import { type Folds, type Simpler, unary } from './folds.ts';
import { foldSigns, foldSize } from './signs.ts';

export function foldUnary(folds: Folds, instruction: ir.Unary): Simpler {
  const inner = folds.definition(instruction.operands[0]!);
  if (inner?.op === 'unary' && inner.fn === instruction.fn) {
    switch (instruction.fn) {
      case 'not':
      case 'fneg':
        return inner.operands[0]!;
      case 'fabs':
      case 'ffloor':
      case 'fceil':
      case 'ftrunc':
      case 'frint':
        return inner.results[0]!;
      default:
        return undefined;
    }
  }
  if (inner?.op === 'compare' && instruction.fn === 'not') {
    const opposite = oppositeOf(inner.fn);
    if (opposite) {
      return { ...inner, fn: opposite, operands: [...inner.operands], results: instruction.results };
    }
  }
  return foldSize(folds, instruction);
}

export function foldFloatBinary(folds: Folds, instruction: ir.Binary): Simpler {
  const simpler = constantToTheRight(folds, instruction) ?? foldSigns(folds, instruction);
  if (simpler) return simpler;
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  const right = folds.scalarConstant(b);
  switch (instruction.fn) {
    case 'fmul':
    case 'fdiv':
      if (right === 1) return a;
      if (right === -1) return { ...unary('fneg', a), results: instruction.results };
      // Division by a power of two is multiplication by its exact reciprocal.
      if (instruction.fn === 'fdiv' && typeof right === 'number' && isSafePowerOfTwo(right)) {
        const operands = [a, folds.newConstant(b.type, 1 / right)];
        return { op: 'binary', fn: 'fmul', operands, results: instruction.results, regions: [] };
      }
      return undefined;
    case 'fadd':
      return Object.is(right, -0) ? a : undefined;
    case 'fsub':
      return Object.is(right, 0) ? a : undefined;
    default:
      return undefined;
  }
}

export function foldIntegerBinary(folds: Folds, instruction: ir.Binary): Simpler {
  const swapped = constantToTheRight(folds, instruction);
  if (swapped) return swapped;
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  if (a === b) {
    switch (instruction.fn) {
      case 'and':
      case 'or':
      case 'smin':
      case 'smax':
      case 'umin':
      case 'umax':
        return a;
      case 'isub':
      case 'xor':
        return folds.newConstant(a.type, zeroOf(a.type));
      default:
    }
  }
  const right = folds.scalarConstant(b);
  if (right === undefined) return joinedTruths(folds, instruction);
  if (typeof right === 'boolean') return boolBinary(instruction.fn, a, b, right, instruction);
  const element = elementOf(a.type);
  const bits = element.kind === 'int' ? element.bits : 32;
  const value = BigInt(right);
  const merged = reassociate(folds, instruction, value);
  if (merged) return merged;
  const power = powerOfTwo(BigInt.asUintN(bits, value));
  switch (instruction.fn) {
    case 'isub':
      if (value === 0n) return a;
      return { ...instruction, fn: 'iadd', operands: [a, folds.newInteger(b.type, -value)] };
    case 'iadd':
    case 'xor':
      return value === 0n ? a : undefined;
    case 'or':
      return value === 0n ? a : value === -1n ? b : undefined;
    case 'and':
      return value === 0n ? b : value === -1n || hasNoOtherBits(folds, a, value, bits) ? a : undefined;
    case 'shl':
    case 'sshr':
    case 'ushr':
    case 'rotl': {
      // Modulo the width, so that who reads a count need not ask for it.
      const count = value & BigInt(bits - 1);
      if (count === 0n) return a;
      return count === value ? undefined : { ...instruction, operands: [a, folds.newInteger(b.type, count)] };
    }
    case 'imul':
      if (value === 0n) return b;
      if (value === 1n) return a;
      if (power === undefined) return undefined;
      return { ...instruction, fn: 'shl', operands: [a, folds.newInteger(b.type, power)] };
    case 'sdiv':
      return value === 1n ? a : undefined;
    case 'udiv':
      if (power === undefined) return undefined;
      if (power === 0n) return a;
      return { ...instruction, fn: 'ushr', operands: [a, folds.newInteger(b.type, power)] };
    case 'urem':
      if (power === undefined) return undefined;
      return { ...instruction, fn: 'and', operands: [a, folds.newInteger(b.type, (1n << power) - 1n)] };
    default:
      return undefined;
  }
}

/** Truth values that a language made integers and then joined are joined first. */
function joinedTruths(folds: Folds, instruction: ir.Binary): ir.Convert | undefined {
  if (instruction.fn !== 'and' && instruction.fn !== 'or' && instruction.fn !== 'xor') return undefined;
  const [a, b] = instruction.operands.map((operand) => folds.definition(operand));
  if (a?.op !== 'convert' || b?.op !== 'convert' || a.fn !== b.fn) return undefined;
  const operands = [a.operands[0]!, b.operands[0]!];
  if ((a.fn !== 'zext' && a.fn !== 'sext') || operands.some(({ type }) => elementOf(type) !== bool)) {
    return undefined;
  }
  const joined: ir.Value = { type: operands[0]!.type };
  folds.append({ op: 'binary', fn: instruction.fn, operands, results: [joined], regions: [] });
  return { ...a, operands: [joined], results: instruction.results };
}

/** Whether a value was shifted down so far that none of its bits lies next to the mask. */
function hasNoOtherBits(folds: Folds, value: ir.Value, mask: bigint, bits: number): boolean {
  const shift = folds.definition(value);
  if (shift?.op !== 'binary' || shift.fn !== 'ushr') return false;
  const count = folds.scalarConstant(shift.operands[1]!);
  if (count === undefined || typeof count === 'boolean') return false;
  const left = bits - (Number(count) & (bits - 1));
  const most = (1n << BigInt(left)) - 1n;
  return (BigInt.asUintN(bits, mask) & most) === most;
}

function boolBinary(
  fn: ir.BinaryFunction,
  a: ir.Value,
  b: ir.Value,
  right: boolean,
  instruction: ir.Binary,
): Simpler {
  if (fn === 'and') return right ? a : b;
  if (fn === 'or') return right ? b : a;
  if (fn === 'xor') return right ? { ...unary('not', a), results: instruction.results } : a;
  return undefined;
}

/** (x + c1) + c2 and the like. */
function reassociate(folds: Folds, instruction: ir.Binary, value: bigint): ir.Instruction | undefined {
  const inner = folds.definition(instruction.operands[0]!);
  if (inner?.op !== 'binary' || inner.fn !== instruction.fn) return undefined;
  const first = folds.scalarConstant(inner.operands[1]!);
  if (typeof first !== 'number' && typeof first !== 'bigint') return undefined;
  const { type } = instruction.operands[1]!;
  const left = BigInt(first);
  let both: bigint;
  switch (instruction.fn) {
    case 'iadd':
      both = left + value;
      break;
    case 'imul':
      both = left * value;
      break;
    case 'and':
      both = left & value;
      break;
    case 'or':
      both = left | value;
      break;
    case 'xor':
      both = left ^ value;
      break;
    default:
      return undefined;
  }
  return { ...instruction, operands: [inner.operands[0]!, folds.newInteger(type, both)] };
}

function constantToTheRight(folds: Folds, instruction: ir.Binary): ir.Instruction | undefined {
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  if (folds.constant(a) === undefined || folds.constant(b) !== undefined) return undefined;
  return isCommutative(instruction.fn) ? { ...instruction, operands: [b, a] } : undefined;
}

/** The exponent of a power of two; undefined for other numbers. */
function powerOfTwo(value: bigint): bigint | undefined {
  if (value <= 0n || (value & (value - 1n)) !== 0n) return undefined;
  return BigInt(value.toString(2).length - 1);
}

/** A power of two whose reciprocal is exact in every float format. */
function isSafePowerOfTwo(value: number): boolean {
  const magnitude = Math.abs(value);
  return magnitude >= 2 ** -14 && magnitude <= 2 ** 14 && Number.isInteger(Math.log2(magnitude));
}
