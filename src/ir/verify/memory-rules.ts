/** What accesses to memory demand that are more than a load or a store: masked, scattered and atomic ones. */
import type * as ir from '../ir.ts';
import { bool, type IntType, i32, type Type, typeName, vectorType } from '../types.ts';
import { alignProblem, mustBe, mustBeStorable, mustBeWritable, mustPoint, type Problem } from './demands.ts';

/** Masked and scattered accesses, and tests of masks: all vectors have the same lanes. */
export function maskedProblem(
  instruction: ir.MaskedLoad | ir.MaskedStore | ir.Gather | ir.Scatter | ir.Test,
  addressType: IntType,
): Problem {
  const types = instruction.operands.map((operand) => operand.type);
  const mustMask = (mask: Type | undefined, lanes?: number): Problem => {
    if (mask === undefined) return undefined;
    const isMask = mask.kind === 'vector' && mask.element === bool;
    return isMask && (lanes === undefined || mask.lanes === lanes)
      ? undefined
      : `a mask of type ${typeName(mask)}`;
  };
  if (instruction.op === 'test') {
    const expected = instruction.fn === 'count' ? i32 : bool;
    return mustMask(types[0]) ?? mustBe('the result', instruction.results[0]!.type, expected);
  }
  const isIndexed = instruction.op === 'gather' || instruction.op === 'scatter';
  const isStore = instruction.op === 'masked_store' || instruction.op === 'scatter';
  const [pointer, ...rest] = types as [Type, ...Type[]];
  const offsets = isIndexed ? rest.shift()! : undefined;
  const value = isStore ? rest.shift()! : instruction.results[0]!.type;
  if (value.kind !== 'vector') return `a value of type ${typeName(value)}, expected a vector`;
  const offsetProblem = offsets && mustBe('operand 2', offsets, vectorType(addressType, value.lanes));
  return (
    (isStore ? mustBeWritable(pointer) : mustPoint(pointer)) ??
    offsetProblem ??
    mustMask(rest[0], value.lanes) ??
    alignProblem(instruction.align) ??
    mustBeStorable(value)
  );
}

export function atomicProblem(instruction: ir.Atomic, pointer: Type): Problem {
  const { fn, operands, results } = instruction;
  const problem = fn === 'load' ? mustPoint(pointer) : mustBeWritable(pointer);
  if (problem) return problem;
  const type = (results[0] ?? operands[1])!.type;
  // Narrow ones are for programs for the host, which have no space but this.
  const isPrivate = pointer.kind === 'pointer' && pointer.space === 'private';
  const wide =
    (type.kind === 'int' && isPrivate) || (type.kind !== 'pointer' && 'bits' in type && type.bits >= 32);
  const moves = fn === 'load' || fn === 'store' || fn === 'exchange';
  if (!wide || (type.kind === 'float' && !moves)) return `atomic ${fn} of ${typeName(type)}`;
  for (let index = 1; index < operands.length; index += 1) {
    const mismatch = mustBe(`operand ${index + 1}`, operands[index]!.type, type);
    if (mismatch) return mismatch;
  }
  return undefined;
}
