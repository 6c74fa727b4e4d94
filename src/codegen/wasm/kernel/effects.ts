/**
 * Emits what is there for what it does, not for a result that somebody takes: writes to memory and to context arrays, calls,
 * control flow. Each kind goes to the file that knows it.
 */
import type * as ir from '../../../ir/ir.ts';
import { isAccess } from '../memory/access-sites.ts';
import { emitAtomic, emitFence } from '../memory/atomics.ts';
import { emitCombinedWrite } from '../memory/combined-context-arrays.ts';
import { emitContextWrite } from '../memory/context-arrays.ts';
import { emitMaskedStore, emitScatter } from '../memory/masked-stores.ts';
import { emitCopy, emitFill, emitStore } from '../memory/memory-access.ts';
import { emitCellsWrite } from '../memory/vector-memory.ts';
import { emitCall, emitCallIndirect } from './calls.ts';
import {
  emitBlock,
  emitBreak,
  emitContinue,
  emitIf,
  emitLoop,
  emitReturn,
  emitSwitch,
} from './control-flow.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { emitPrintf } from './printf.ts';
import { emitWorkItemLoop } from './work-item-loop.ts';

/** Emits the instruction; its operands are released, for control flow by those who take them. */
export function emitEffect(compiler: FunctionCompiler, instruction: ir.Instruction): void {
  const { code } = compiler;
  const around = code.access;
  code.access = isAccess(instruction) ? instruction : undefined;
  emit(compiler, instruction);
  code.access = around;
}

function emit(compiler: FunctionCompiler, instruction: ir.Instruction): void {
  switch (instruction.op) {
    case 'store':
      emitStore(compiler, instruction);
      break;
    case 'masked_store':
      emitMaskedStore(compiler, instruction);
      break;
    case 'scatter':
      emitScatter(compiler, instruction);
      break;
    case 'copy':
      emitCopy(compiler, instruction);
      break;
    case 'fill':
      emitFill(compiler, instruction);
      break;
    case 'atomic':
      emitAtomic(compiler, instruction);
      break;
    case 'fence':
      emitFence(compiler, instruction);
      break;
    case 'call':
      emitCall(compiler, instruction);
      break;
    case 'call_indirect':
      emitCallIndirect(compiler, instruction);
      break;
    case 'printf':
      emitPrintf(compiler, instruction);
      break;
    case 'context_write':
      if (instruction.contextArray.combine) emitCombinedWrite(compiler, instruction);
      else if (instruction.operands[0]!.type !== instruction.contextArray.type)
        emitCellsWrite(compiler, instruction);
      else emitContextWrite(compiler, instruction);
      break;
    case 'if':
      emitIf(compiler, instruction);
      return;
    case 'switch':
      emitSwitch(compiler, instruction);
      return;
    case 'block':
      emitBlock(compiler, instruction);
      return;
    case 'loop':
      emitLoop(compiler, instruction);
      return;
    case 'work_item_loop':
      emitWorkItemLoop(compiler, instruction);
      return;
    case 'yield':
      return; // what owns the region takes the operands; see control-flow.ts
    case 'break':
      emitBreak(compiler, instruction);
      return;
    case 'continue':
      emitContinue(compiler, instruction);
      return;
    case 'return':
      emitReturn(compiler, instruction);
      return;
    case 'unreachable':
      compiler.code.op('unreachable');
      return;
    case 'variable':
    case 'context_array':
      return; // placed by frame.ts
    case 'barrier':
      throw new Error(`codegen: ${compiler.fn.name} still has a barrier`);
    default:
      throw new Error(`codegen: unexpected ${instruction.op}`);
  }
  compiler.releaseOperands(instruction);
}
