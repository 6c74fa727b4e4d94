/** Emits what an instruction computes: each kind of computation goes to the file that knows it. */
import type * as ir from '../../../ir/ir.ts';
import { isAccess } from '../memory/access-sites.ts';
import { emitInSpace } from '../memory/address-spaces.ts';
import { emitCombinedRead } from '../memory/combined-context-arrays.ts';
import { emitContextAddress, emitContextRead } from '../memory/context-arrays.ts';
import { emitLoad } from '../memory/memory-access.ts';
import {
  emitCellAddresses,
  emitCellsRead,
  emitGather,
  emitMaskedLoad,
  emitTest,
} from '../memory/vector-memory.ts';
import { emitConvert } from '../scalar/scalar-conversions.ts';
import { emitScalar } from '../scalar/scalar-operations.ts';
import { emitVectorConversion } from '../vector/vector-conversions.ts';
import { emitConstant, emitLaneInstruction } from '../vector/vector-lanes.ts';
import { emitVectorOperation } from '../vector/vector-operations.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { queryKey } from './instruction-facts.ts';

/** Pushes one part of the instruction's result. Its operands stay what they are; see `FunctionCompiler.releaseOperands`. */
export function emitComputation(compiler: FunctionCompiler, instruction: ir.Instruction, part: number): void {
  const { code } = compiler;
  const around = code.access;
  code.access = isAccess(instruction) ? instruction : undefined;
  compute(compiler, instruction, part);
  code.access = around;
}

function compute(compiler: FunctionCompiler, instruction: ir.Instruction, part: number): void {
  const { code } = compiler;
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
      emitConstant(compiler, instruction, part);
      return;
    case 'unary':
    case 'binary':
    case 'fma':
    case 'compare':
    case 'select':
      if (isVector(instruction.results[0]!)) emitVectorOperation(compiler, instruction, part);
      else emitScalar(compiler, instruction);
      return;
    case 'convert':
      if (isVector(instruction.results[0]!) || isVector(instruction.operands[0]!)) {
        emitVectorConversion(compiler, instruction, part);
      } else emitConvert(compiler, instruction);
      return;
    case 'splat':
    case 'build':
    case 'extract':
    case 'insert':
    case 'shuffle':
      emitLaneInstruction(compiler, instruction, part);
      return;
    case 'variable':
      emitSum(compiler, compiler.areaOf(instruction), compiler.frame.variables.get(instruction) ?? 0);
      return;
    case 'global_address':
      emitSum(compiler, 'constants', compiler.module.constantOffset(instruction.global));
      return;
    case 'function_address':
      code.i32(compiler.module.functionAddress(instruction.callee));
      return;
    case 'offset':
      compiler.push(instruction.operands[0]!);
      compiler.push(instruction.operands[1]!);
      code.op('i32.add');
      return;
    case 'query':
      compiler.pushEnvironment(queryKey(instruction));
      return;
    case 'item_address':
      if (isVector(instruction.results[0]!)) emitCellAddresses(compiler, instruction, part);
      else emitContextAddress(compiler, compiler.definition(instruction.operands[0]!)!, instruction.row);
      return;
    case 'copies_address':
      code.get(compiler.arrayBases.get(compiler.definition(instruction.operands[0]!)!)!);
      return;
    case 'in_space':
      emitInSpace(compiler, instruction);
      return;
    case 'context_read':
      if (instruction.contextArray.combine) emitCombinedRead(compiler, instruction);
      else if (instruction.results[0]!.type !== instruction.contextArray.type) {
        emitCellsRead(compiler, instruction, part);
      } else emitContextRead(compiler, instruction, part);
      return;
    case 'masked_load':
      emitMaskedLoad(compiler, instruction, part);
      return;
    case 'gather':
      emitGather(compiler, instruction, part);
      return;
    case 'test':
      emitTest(compiler, instruction);
      return;
    case 'load':
      emitLoad(compiler, instruction, part);
      return;
    default:
      throw new Error(`codegen: ${instruction.op} is not a computation`);
  }
}

function isVector({ type }: ir.Value): boolean {
  return type.kind === 'vector';
}

/** Pushes an address of the environment with an offset. */
function emitSum(compiler: FunctionCompiler, key: string, offset: number): void {
  compiler.pushEnvironment(key);
  if (offset === 0) return;
  compiler.code.i32(offset);
  compiler.code.op('i32.add');
}
