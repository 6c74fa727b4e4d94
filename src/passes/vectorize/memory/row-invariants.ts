/**
 * What is the same for a whole row of vectors leaves the branches that it is in, so that it is computed once a row: the
 * code generator puts into the loop over rows what a region computes from the row's ids at its top.
 *
 *     if %inside {                          %row = imul %y, %n
 *       %row = imul %y, %n                  %p = offset %in, %row
 *       %p = offset %in, %row         =>    if %inside {
 *       %q = offset %p, %x                    %q = offset %p, %x
 *
 * Scalars only, and nothing that may fail. Loads stay where they are. It is done to what several rows do together, which have much
 * of it; single rows were not found to gain, nor what loops, for which the rest does not count.
 *
 * licm cannot do it: the loop over rows is not in the IR yet, and licm takes nothing out of a branch, which might compute it for nothing.
 */

import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';

/** Changes the vector region. */
export function hoistRowInvariants(region: ir.Region): void {
  if (hasLoop(region)) return;
  const varying = new Set<ir.Value>();
  const known = new Map<string, ir.Value>();
  const names = new Map<ir.Value, number>();
  const replaced = new Map<ir.Value, ir.Value>();
  const output: ir.Instruction[] = [];
  const nameOf = (value: ir.Value): number => {
    const name = names.get(value) ?? names.size;
    names.set(value, name);
    return name;
  };
  const rename = (instruction: ir.Instruction): void => {
    if (replaced.size === 0) return;
    instruction.operands = instruction.operands.map((operand) => replaced.get(operand) ?? operand);
  };
  const visit = ({ instructions, parameters }: ir.Region): ir.Instruction[] => {
    for (const parameter of parameters) varying.add(parameter);
    return instructions.filter((instruction) => {
      rename(instruction);
      if (isOfRow(instruction, varying)) {
        const key = keyOf(instruction, nameOf);
        const same = known.get(key);
        const [result] = instruction.results as [ir.Value];
        if (same) replaced.set(result, same);
        else {
          known.set(key, result);
          output.push(instruction);
        }
        return false;
      }
      for (const result of instruction.results) varying.add(result);
      for (const nested of instruction.regions) nested.instructions = visit(nested);
      return true;
    });
  };
  for (const instruction of region.instructions) {
    // They are at the top already, and belong to every row.
    if (instruction.op === 'constant') {
      output.push(instruction);
      continue;
    }
    const [kept] = visit({ parameters: [], instructions: [instruction] });
    if (kept) output.push(kept);
  }
  region.instructions = output;
}

/** Whether what it computes is the same for all vectors of a row. */
function isOfRow(instruction: ir.Instruction, varying: ReadonlySet<ir.Value>): boolean {
  switch (instruction.op) {
    case 'query': {
      const isId = ['global_id', 'local_id', 'group_id'].includes(instruction.fn);
      return isId && instruction.dimension > 0;
    }
    case 'binary':
      if (['sdiv', 'udiv', 'srem', 'urem'].includes(instruction.fn)) return false;
      break;
    case 'compare':
    case 'offset':
      break;
    default:
      return false;
  }
  const [result] = instruction.results as [ir.Value];
  const isScalar = ['int', 'bool', 'pointer'].includes(result.type.kind);
  return isScalar && isPure(instruction) && !instruction.operands.some((operand) => varying.has(operand));
}

function keyOf(instruction: ir.Instruction, nameOf: (value: ir.Value) => number): string {
  const fn = 'fn' in instruction ? String(instruction.fn) : '';
  const dimension = instruction.op === 'query' ? instruction.dimension : '';
  const [{ type }] = instruction.results as [ir.Value];
  const bits = type.kind === 'int' ? type.bits : '';
  return `${instruction.op} ${fn} ${dimension} ${type.kind}${bits} ${instruction.operands.map(nameOf).join(' ')}`;
}

function hasLoop({ instructions }: ir.Region): boolean {
  return instructions.some(({ op, regions }) => op === 'loop' || regions.some(hasLoop));
}
