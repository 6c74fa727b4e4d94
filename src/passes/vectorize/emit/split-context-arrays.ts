/**
 * Splits slots of user vectors into one for each component, so that a pack's cells of a component lie side by side.
 */
import { newValue } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { walkRegionsInsideOut } from '../../../ir/walk.ts';

/** @returns whether there were any */
export function splitVectorContextArrays(fn: ir.Function): boolean {
  const { body } = fn;
  if (!body) return false;
  const split = new Map<ir.ContextArray, ir.ContextArray[]>();
  body.instructions = body.instructions.flatMap((instruction) => {
    if (instruction.op !== 'context_array' || instruction.type.kind !== 'vector') return [instruction];
    const { element, lanes } = instruction.type;
    const slots = Array.from({ length: lanes }, (_, component): ir.ContextArray => {
      return {
        ...instruction,
        type: element,
        name: `${instruction.name}.${component}`,
        operands: [],
        results: [],
        regions: [],
      };
    });
    split.set(instruction, slots);
    return slots;
  });
  if (split.size === 0) return false;
  walkRegionsInsideOut(body, (region) => {
    region.instructions = region.instructions.flatMap((instruction) => {
      if (instruction.op !== 'context_read' && instruction.op !== 'context_write') return [instruction];
      const slots = split.get(instruction.slot);
      if (!slots) return [instruction];
      return instruction.op === 'context_read' ? readAll(instruction, slots) : writeAll(instruction, slots);
    });
  });
  return true;
}

function readAll(read: ir.ContextRead, slots: readonly ir.ContextArray[]): ir.Instruction[] {
  const { span, results, row } = read;
  const reads = slots.map((slot): ir.ContextRead => {
    return { op: 'context_read', slot, row, operands: [], results: [newValue(slot.type)], regions: [], span };
  });
  const operands = reads.map((one) => one.results[0]!);
  return [...reads, { op: 'build', operands, results, regions: [], span }];
}

function writeAll(write: ir.ContextWrite, slots: readonly ir.ContextArray[]): ir.Instruction[] {
  const { span, row } = write;
  return slots.flatMap((slot, lane): ir.Instruction[] => {
    const component = newValue(slot.type);
    return [
      { op: 'extract', lane, operands: [...write.operands], results: [component], regions: [], span },
      { op: 'context_write', slot, row, operands: [component], results: [], regions: [], span },
    ];
  });
}
