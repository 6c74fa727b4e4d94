/**
 * Calls of helper functions. After its own arguments a helper takes what it needs of its surroundings: the area
 * for its variables, and the answers to the queries that it or its callees ask (see `environment.ts`).
 */
import type * as ir from '../../ir/ir.ts';
import { pushParts } from './control-flow.ts';
import type { FunctionCompiler } from './function-compiler.ts';

export function emitCall(fc: FunctionCompiler, call: ir.Call): void {
  for (const operand of call.operands) pushParts(fc, operand);
  for (const key of fc.module.environmentOf(call.callee)) fc.pushEnvironment(key);
  fc.flushLoads();
  fc.code.call(fc.module.functionIndex(call.callee));
  const result = call.results[0];
  if (!result) return;
  const locals = fc.assignLocals(result);
  for (let part = locals.length - 1; part >= 0; part--) fc.code.set(locals[part]!);
}
