/** Rules for addresses and for loads of constants: constant parts of an address come last. */
import { binaryOperation } from '../../../ir/interpreter/arithmetic.ts';
import { readerOf, type Scalar } from '../../../ir/interpreter/values.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf, i32, sizeOf } from '../../../ir/types.ts';
import type { Folds, Simpler } from './folds.ts';

/**
 * How many bytes may be taken out of an index. What is left may point that much before the object, from where it wraps around to the
 * end of the address space if the object lies near address 0. Code generators see to that, and a
 * constant that is no larger they can always make part of the access: no object lies below 1024.
 */
const largestConstantPart = 512;

export function foldOffset(folds: Folds, instruction: ir.Offset): Simpler {
  const [pointer, amount] = instruction.operands as [ir.Value, ir.Value];
  const bytes = folds.scalarConstant(amount);
  if (bytes !== undefined && Number(bytes) === 0) return pointer;
  const inner = folds.definition(pointer);
  if (inner?.op === 'offset') {
    const first = folds.scalarConstant(inner.operands[1]!);
    if (first !== undefined && bytes !== undefined) {
      const sum = folds.newInteger(amount.type, BigInt(first as number) + BigInt(bytes as number));
      return { ...instruction, operands: [inner.operands[0]!, sum] };
    }
    // The constant goes last, where a load's own offset can take it.
    if (first !== undefined)
      return twoOffsets(folds, instruction, inner.operands[0]!, amount, inner.operands[1]!);
  }
  if (bytes !== undefined) return undefined;
  return constantPartOut(folds, instruction, pointer, amount);
}

/** offset(p, x * 4 + 8) becomes offset(offset(p, x * 4), 8); so does the sum under a shift. */
function constantPartOut(
  folds: Folds,
  instruction: ir.Offset,
  pointer: ir.Value,
  amount: ir.Value,
): ir.Instruction | undefined {
  if (amount.type !== i32 && folds.addressBits === 32) return undefined;
  let shift: ir.Value | undefined;
  let sum = folds.definition(amount);
  if (sum?.op === 'binary' && (sum.fn === 'shl' || sum.fn === 'imul')) {
    shift = sum.operands[1]!;
    if (folds.scalarConstant(shift) === undefined) return undefined;
    const scale = sum;
    sum = folds.definition(scale.operands[0]!);
    if (sum?.op !== 'binary' || sum.fn !== 'iadd') return undefined;
    const constant = folds.scalarConstant(sum.operands[1]!);
    if (constant === undefined) return undefined;
    const part = binaryOperation(scale.fn, amount.type)(
      constant as Scalar,
      folds.scalarConstant(shift) as Scalar,
    ) as Scalar;
    if (!isSmall(part)) return undefined;
    const scaled: ir.Instruction = {
      ...scale,
      operands: [sum.operands[0]!, shift],
      results: [{ type: amount.type }],
    };
    folds.append(scaled);
    const bytes = folds.newInteger(amount.type, BigInt(part));
    return twoOffsets(folds, instruction, pointer, scaled.results[0]!, bytes);
  }
  if (sum?.op !== 'binary' || sum.fn !== 'iadd') return undefined;
  if (!isSmall(folds.scalarConstant(sum.operands[1]!))) return undefined;
  return twoOffsets(folds, instruction, pointer, sum.operands[0]!, sum.operands[1]!);
}

function twoOffsets(
  folds: Folds,
  instruction: ir.Offset,
  pointer: ir.Value,
  first: ir.Value,
  second: ir.Value,
): ir.Instruction {
  const inner: ir.Offset = {
    op: 'offset',
    operands: [pointer, first],
    results: [{ type: pointer.type }],
    regions: [],
    span: instruction.span,
  };
  folds.append(inner);
  return { ...instruction, operands: [inner.results[0]!, second] };
}

function isSmall(bytes: ir.ScalarConstant | undefined): boolean {
  return bytes !== undefined && Math.abs(Number(bytes)) <= largestConstantPart;
}

/** A load from a constant variable whose bytes are known: tables of weights, say. */
export function foldLoad(folds: Folds, load: ir.Load): ir.Constant | undefined {
  const result = load.results[0]!;
  const { type } = result;
  const { kind } = elementOf(type);
  if (load.volatile || (kind !== 'int' && kind !== 'float')) return undefined;
  let offset = 0;
  let pointer = load.operands[0]!;
  let definition = folds.definition(pointer);
  while (definition?.op === 'offset') {
    const bytes = folds.scalarConstant(definition.operands[1]!);
    if (bytes === undefined) return undefined;
    offset += Number(bytes);
    pointer = definition.operands[0]!;
    definition = folds.definition(pointer);
  }
  if (definition?.op !== 'global_address' || definition.global.space !== 'constant') return undefined;
  const { bytes, relocations } = definition.global;
  if (offset < 0 || offset + sizeOf(type) > bytes.length || relocations.length > 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const value = readerOf(type, folds.addressBits)(view, offset) as ir.Constant['value'];
  // A NaN's other bits would get lost.
  const lanes = (typeof value === 'object' ? value : [value]) as readonly ir.ScalarConstant[];
  if (lanes.some((lane) => Number.isNaN(lane))) return undefined;
  return { op: 'constant', value, operands: [], results: [result], regions: [] };
}
