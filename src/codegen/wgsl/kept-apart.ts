/**
 * Which sums and products of floats must be hidden from compilers of shaders. WGSL allows them to add up and to multiply in another
 * order, and to fuse; OpenCL C does not, and the library would give wrong results: `(x + 12582912) - 12582912` is `x` rounded to a
 * whole number, and not `x`. So what a sum takes of another sum or product goes through its bits, together with a zero that no
 * compiler knows.
 *
 * Compilers of shaders also take `x + 0` for `x`, `0 - x` for `-x` and `x * 0` for `0`, whatever the signs of zeros say, and NaN and infinity: such
 * constants are hidden in the same way.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

function isSum({ fn }: ir.Binary): boolean {
  return fn === 'fadd' || fn === 'fsub';
}

/**
 * The results of such operations.
 * @param isRelaxed whether products may be reordered where they may be fused, too
 */
export function keptApart(body: ir.Region, isRelaxed: boolean): Set<ir.Value> {
  const isFree = (one: ir.Binary): boolean =>
    isSum(one) ? one.reassociate === true : isRelaxed && one.contract === true;
  const operations = new Map<ir.Value, ir.Binary>();
  const apart = new Set<ir.Value>();
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'binary') return;
    const [result] = instruction.results as [ir.Value];
    const element = elementOf(result.type);
    if (element.kind !== 'float' || element.bits !== 32) return;
    if (!isSum(instruction) && instruction.fn !== 'fmul') return;
    for (const operand of instruction.operands) {
      const inner = operations.get(operand);
      if (!inner) continue;
      const mayFuse = isSum(instruction) && !isSum(inner) && instruction.contract && inner.contract;
      const mayMove = isFree(instruction) && isFree(inner);
      if (!mayFuse && !mayMove) apart.add(operand);
    }
    operations.set(result, instruction);
  });
  return apart;
}

/** Operands, as bits by their index, of the operations that compilers of shaders would take for something simpler than OpenCL C does. */
export function hiddenZeros(body: ir.Region): Map<ir.Instruction, number> {
  const constants = new Map<ir.Value, ir.Constant['value']>();
  const hidden = new Map<ir.Instruction, number>();
  walkRegion(body, (instruction) => {
    if (instruction.op === 'constant') constants.set(instruction.results[0]!, instruction.value);
    if (instruction.op === 'splat') {
      const value = constants.get(instruction.operands[0]!);
      if (value !== undefined) constants.set(instruction.results[0]!, value);
    }
    if (instruction.op !== 'binary') return;
    const element = elementOf(instruction.results[0]!.type);
    if (element.kind !== 'float' || element.bits === 64) return;
    const has = (index: number, ...zeros: readonly number[]): number => {
      const value = constants.get(instruction.operands[index]!);
      if (value === undefined) return 0;
      return [value].flat().some((each) => zeros.some((zero) => Object.is(each, zero))) ? 1 << index : 0;
    };
    let operands = 0;
    if (instruction.fn === 'fadd') operands = has(0, 0) | has(1, 0);
    else if (instruction.fn === 'fsub') operands = has(0, 0) | has(1, -0);
    else if (instruction.fn === 'fmul') operands = has(0, 0, -0) | has(1, 0, -0);
    if (operands !== 0) hidden.set(instruction, operands);
  });
  return hidden;
}

/**
 * Choices between what was compared, `x < y ? y : x`. Compilers of shaders take them for a maximum, and of that and a NaN for the number; in
 * OpenCL C the comparison with a NaN is false. So what is chosen must not look like what was compared.
 */
export function hiddenChoices(body: ir.Region): Set<ir.Instruction> {
  const compared = new Map<ir.Value, readonly ir.Value[]>();
  const constants = new Map<ir.Value, ir.Constant['value']>();
  const hidden = new Set<ir.Instruction>();
  const isSame = (one: ir.Value, other: ir.Value): boolean => {
    const value = constants.get(one);
    return one === other || (value !== undefined && `${value}` === `${constants.get(other)}`);
  };
  walkRegion(body, (instruction) => {
    const { op, operands, results } = instruction;
    if (op === 'constant') constants.set(results[0]!, instruction.value);
    if (op === 'compare') {
      const element = elementOf(operands[0]!.type);
      if (element.kind === 'float' && element.bits !== 64) compared.set(results[0]!, operands);
    }
    if (op !== 'select') return;
    const pair = compared.get(operands[0]!);
    const chosen = operands.slice(1);
    if (pair?.every((value) => chosen.some((other) => isSame(value, other)))) hidden.add(instruction);
  });
  return hidden;
}
