/**
 * Vectorises one instruction without regions: each kind goes to the file that knows it, and what none of them has a vector
 * form for is done lane by lane. Control flow is `vectorize-region.ts`.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { vectoriseLoad, vectoriseStore, vectoriseVariable } from '../memory/vectorize-memory.ts';
import { vectoriseLaneByLane } from './lane-by-lane.ts';
import type { VectorContext } from './vector-context.ts';
import { vectoriseCall } from './vector-functions.ts';
import type { Mask } from './vector-value.ts';
import {
  vectoriseContextRead,
  vectoriseContextWrite,
  vectoriseItemAddress,
} from './vectorize-context-arrays.ts';
import { cloneScalar, vectoriseOperation } from './vectorize-operations.ts';

export function vectoriseInstruction(context: VectorContext, instruction: ir.Instruction, mask: Mask): void {
  if (context.isDone(instruction)) return;
  const { writer } = context;
  writer.span = instruction.span;
  switch (instruction.op) {
    case 'load':
      vectoriseLoad(context, instruction, mask);
      break;
    case 'store':
      vectoriseStore(context, instruction, mask);
      break;
    case 'variable':
      vectoriseVariable(context, instruction);
      break;
    case 'context_read':
      vectoriseContextRead(context, instruction);
      break;
    case 'context_write':
      vectoriseContextWrite(context, instruction, mask);
      break;
    case 'item_address':
      vectoriseItemAddress(context, instruction);
      break;
    case 'fence':
      writer.append({ ...instruction, operands: [], results: [], regions: [] });
      break;
    case 'undefined':
      context.define(instruction.results[0]!, { kind: 'uniform', value: cloneScalar(context, instruction) });
      break;
    case 'call': {
      const form = vectoriseCall(context, instruction, mask);
      if (form) context.define(instruction.results[0]!, form);
      else vectoriseLaneByLane(context, instruction, mask);
      break;
    }
    default: {
      const vectorised = isPure(instruction) ? vectoriseOperation(context, instruction) : undefined;
      if (vectorised) context.define(instruction.results[0]!, vectorised);
      else vectoriseLaneByLane(context, instruction, mask);
    }
  }
  writer.span = undefined;
}
