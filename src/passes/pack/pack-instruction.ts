/**
 * Packs one instruction without regions: each kind goes to the file that knows it, and what none of them has a vector
 * form for is done lane by lane. Control flow is `pack-region.ts`.
 */
import type * as ir from '../../ir/ir.ts';
import { isPure } from '../../ir/ir.ts';
import { packLaneByLane } from './lane-by-lane.ts';
import type { PackContext } from './pack-context.ts';
import { packLoad, packStore, packVariable } from './pack-memory.ts';
import { cloneScalar, packOperation } from './pack-operations.ts';
import { packItemAddress, packSlotRead, packSlotWrite } from './pack-slots.ts';
import type { Mask } from './packed-value.ts';

export function packInstruction(context: PackContext, instruction: ir.Instruction, mask: Mask): void {
  if (context.isDone(instruction)) return;
  const { writer } = context;
  writer.span = instruction.span;
  switch (instruction.op) {
    case 'load':
      packLoad(context, instruction, mask);
      break;
    case 'store':
      packStore(context, instruction, mask);
      break;
    case 'variable':
      packVariable(context, instruction);
      break;
    case 'slot_read':
      packSlotRead(context, instruction);
      break;
    case 'slot_write':
      packSlotWrite(context, instruction, mask);
      break;
    case 'item_address':
      packItemAddress(context, instruction);
      break;
    case 'fence':
      writer.append({ ...instruction, operands: [], results: [], regions: [] });
      break;
    case 'undefined':
      context.define(instruction.results[0]!, { kind: 'uniform', value: cloneScalar(context, instruction) });
      break;
    default: {
      const packed = isPure(instruction) ? packOperation(context, instruction) : undefined;
      if (packed) context.define(instruction.results[0]!, packed);
      else packLaneByLane(context, instruction, mask);
    }
  }
  writer.span = undefined;
}
