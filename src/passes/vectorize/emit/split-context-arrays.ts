/**
 * Splits context arrays of user vectors into one for each component, so that a vector's cells of a component lie side by side.
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
    const contextArrays = Array.from({ length: lanes }, (_, component): ir.ContextArray => {
      return {
        ...instruction,
        type: element,
        name: `${instruction.name}.${component}`,
        operands: [],
        results: [],
        regions: [],
      };
    });
    split.set(instruction, contextArrays);
    return contextArrays;
  });
  if (split.size === 0) return false;
  walkRegionsInsideOut(body, (region) => {
    region.instructions = region.instructions.flatMap((instruction) => {
      if (instruction.op !== 'context_read' && instruction.op !== 'context_write') return [instruction];
      const contextArrays = split.get(instruction.contextArray);
      if (!contextArrays) return [instruction];
      return instruction.op === 'context_read'
        ? readAll(instruction, contextArrays)
        : writeAll(instruction, contextArrays);
    });
  });
  return true;
}

function readAll(read: ir.ContextRead, contextArrays: readonly ir.ContextArray[]): ir.Instruction[] {
  const { span, results, row } = read;
  const reads = contextArrays.map((contextArray): ir.ContextRead => {
    return {
      op: 'context_read',
      contextArray,
      row,
      operands: [],
      results: [newValue(contextArray.type)],
      regions: [],
      span,
    };
  });
  const operands = reads.map((one) => one.results[0]!);
  return [...reads, { op: 'build', operands, results, regions: [], span }];
}

function writeAll(write: ir.ContextWrite, contextArrays: readonly ir.ContextArray[]): ir.Instruction[] {
  const { span, row } = write;
  return contextArrays.flatMap((contextArray, lane): ir.Instruction[] => {
    const component = newValue(contextArray.type);
    return [
      { op: 'extract', lane, operands: [...write.operands], results: [component], regions: [], span },
      { op: 'context_write', contextArray, row, operands: [component], results: [], regions: [], span },
    ];
  });
}
