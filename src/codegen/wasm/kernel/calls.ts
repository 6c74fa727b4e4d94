/**
 * Calls. After its own arguments a helper of kernels takes what it needs of its surroundings: the area for its variables,
 * and the answers to the queries that it or its callees ask (see `environment.ts`). Programs for the host also call
 * through pointers, which are places in the module's table.
 */
import { hasEffect } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { pushParts } from './control-flow.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { wasmTypesOf } from './value-layout.ts';

export function emitCall(fc: FunctionCompiler, call: ir.Call): void {
  for (const operand of call.operands) pushParts(fc, operand);
  for (const key of fc.module.environmentOf(call.callee)) fc.pushEnvironment(key);
  // Structures around a call without effects are no writers: loads before them may wait, and not all ways through them lead here.
  if (hasEffect(call)) fc.flushLoads();
  if (!fc.module.emitInstead(call.callee, fc.code)) fc.code.call(fc.module.functionIndex(call.callee));
  takeResult(fc, call);
}

export function emitCallIndirect(fc: FunctionCompiler, call: ir.CallIndirect): void {
  const [pointer, ...values] = call.operands;
  for (const operand of values) pushParts(fc, operand);
  fc.push(pointer!);
  fc.flushLoads();
  const signature = {
    parameters: values.flatMap(({ type }) => wasmTypesOf(type)),
    results: call.results.flatMap(({ type }) => wasmTypesOf(type)),
  };
  fc.code.callIndirect(fc.module.typeIndex(signature));
  takeResult(fc, call);
}

function takeResult(fc: FunctionCompiler, call: ir.Call | ir.CallIndirect): void {
  const result = call.results[0];
  if (!result) return;
  const locals = fc.assignLocals(result);
  for (let part = locals.length - 1; part >= 0; part--) fc.code.set(locals[part]!);
}
