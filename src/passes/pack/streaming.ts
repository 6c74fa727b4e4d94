/**
 * Regions that pass neighbours on from memory to memory with little in between: `z[i] = a * x[i] + y[i]`. What they cost is
 * mostly counting and addresses, which more lanes share, as long as all fits into the registers.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, lanesOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import type { Uniformity } from '../uniformity.ts';
import { costs } from './cost-table.ts';

/**
 * Whether twice as many lanes would make a region faster, for that reason.
 * @param plain says how addresses differ without anything assumed
 * @param uniformity says how branches go
 */
export function isStreaming(region: ir.Region, plain: Uniformity, uniformity: Uniformity): boolean {
  let isSimple = true;
  /** Values that are in vectors and come from elsewhere: loads, and what is the same for all lanes. */
  const held = new Set<ir.Value | ir.Instruction>();
  let accesses = 0;
  let computations = 0;
  walkRegion(region, (instruction) => {
    const [result] = instruction.results;
    switch (instruction.op) {
      case 'load':
      case 'store': {
        accesses += 1;
        const value = result ?? instruction.operands[1]!;
        if (!isNeighbour(plain, instruction.operands[0]!, value)) isSimple = false;
        if (result && plain.of(result).kind === 'varying') held.add(instruction);
        break;
      }
      case 'loop':
        // Loops of the same length for all lanes may reuse what they have read.
        if (!uniformity.isDivergent(instruction)) isSimple = false;
        break;
      case 'binary':
      case 'unary':
      case 'fma':
      case 'compare':
      case 'select':
      case 'convert': {
        if (plain.of(result!).kind !== 'varying') break;
        if (elementOf(result!.type).kind === 'bool') break;
        computations += 1;
        if (
          instruction.op === 'binary' &&
          ['fdiv', 'sdiv', 'udiv', 'srem', 'urem'].includes(instruction.fn)
        ) {
          isSimple = false;
        }
        for (const operand of instruction.operands) {
          if (uniformity.of(operand).kind === 'uniform') held.add(operand);
        }
        break;
      }
      case 'if':
      case 'block':
      case 'yield':
      case 'break':
      case 'continue':
      case 'constant':
      case 'query':
      case 'offset':
      case 'slot_read':
      case 'slot_write':
        break;
      default:
        isSimple = false;
    }
  });
  return isSimple && held.size <= costs.mostStreams && computations <= accesses * costs.mostComputed;
}

/** Whether the lanes of an access lie side by side, or in one place. */
function isNeighbour(uniformity: Uniformity, pointer: ir.Value, { type }: ir.Value): boolean {
  const shape = uniformity.of(pointer);
  if (shape.kind === 'uniform') return true;
  const element = elementOf(type);
  if (lanesOf(type) > 1 || (element.kind !== 'int' && element.kind !== 'float')) return false;
  return shape.kind === 'affine' && shape.step * 8 === element.bits;
}

/** Whether neighbouring groups will run as one, because the kernel cannot tell (`mayJoinGroups` of the code generator). */
export function runsJoined(body: ir.Region): boolean {
  const askable = ['global_id', 'global_size', 'global_offset', 'work_dim'];
  let regions = 0;
  let isAlone = true;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'items') regions += 1;
    if (['loop', 'call', 'atomic', 'slot'].includes(instruction.op)) isAlone = false;
    if (instruction.op === 'query' && !askable.includes(instruction.fn)) isAlone = false;
  });
  return isAlone && regions === 1;
}
