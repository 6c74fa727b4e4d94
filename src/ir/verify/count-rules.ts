/** How many operands, results and regions instructions have. */
import type * as ir from '../ir.ts';
import type { Problem } from './demands.ts';

export function countProblem(instruction: ir.Instruction): Problem {
  const [operands, results, regions] = countsOf(instruction);
  if (operands !== undefined && instruction.operands.length !== operands) {
    return `${instruction.operands.length} operands, expected ${operands}`;
  }
  if (results !== undefined && instruction.results.length !== results) {
    return `${instruction.results.length} results, expected ${results}`;
  }
  if (instruction.regions.length !== regions) {
    return `${instruction.regions.length} regions, expected ${regions}`;
  }
  return undefined;
}

/** How many operands, results and regions each kind has; undefined where its own rule counts them. */
function countsOf(
  instruction: ir.Instruction,
): [operands: number | undefined, results: number | undefined, regions: number] {
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'variable':
    case 'global_address':
    case 'function_address':
    case 'query':
    case 'context_read':
      return [0, 1, 0];
    case 'unary':
    case 'convert':
    case 'splat':
    case 'extract':
    case 'load':
    case 'item_address':
    case 'copies_address':
    case 'in_space':
    case 'test':
      return [1, 1, 0];
    case 'collective':
      return [instruction.fn === 'broadcast' ? 2 : 1, 1, 0];
    case 'masked_load':
      return [2, 1, 0];
    case 'masked_store':
      return [3, 0, 0];
    case 'gather':
      return [instruction.operands.length === 2 ? 2 : 3, 1, 0];
    case 'scatter':
      return [instruction.operands.length === 3 ? 3 : 4, 0, 0];
    case 'binary':
    case 'compare':
    case 'insert':
    case 'shuffle':
    case 'offset':
      return [2, 1, 0];
    case 'fma':
    case 'select':
      return [3, 1, 0];
    case 'build':
    case 'printf':
      return [undefined, 1, 0];
    case 'store':
    case 'fill':
      return [2, 0, 0];
    case 'copy':
      return [3, 0, 0];
    case 'atomic':
      return [atomicOperands(instruction.fn), instruction.fn === 'store' ? 0 : 1, 0];
    case 'fence':
    case 'barrier':
    case 'context_array':
    case 'unreachable':
      return [0, 0, 0];
    case 'context_write':
      return [1, instruction.scan ? 1 : 0, 0];
    case 'image_read':
      return [undefined, 1, 0];
    case 'image_write':
      return [3, 0, 0];
    case 'image_query':
      return [1, 1, 0];
    case 'call':
    case 'call_indirect':
      return [undefined, undefined, 0];
    case 'work_item_loop':
      return [0, 0, 1 + Number(instruction.lanes !== undefined) + Number(instruction.rows !== undefined)];
    case 'if':
      return [1, undefined, 2];
    case 'switch':
      return [1, undefined, instruction.cases.length + 1];
    case 'block':
      return [0, undefined, 1];
    case 'loop':
      return [undefined, undefined, 1];
    case 'yield':
    case 'break':
    case 'continue':
    case 'return':
      return [undefined, 0, 0];
  }
}

function atomicOperands(fn: ir.AtomicFunction): number {
  return fn === 'load' ? 1 : fn === 'compare_exchange' ? 3 : 2;
}
