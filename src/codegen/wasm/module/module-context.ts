/**
 * What the functions of a module share while they are compiled: indices of functions, runtime functions asked for,
 * and where program-scope variables lie.
 */
import type * as ir from '../../../ir/ir.ts';
import type { PrintfSite } from '../../../ir/printf/record.ts';
import type { WasmOptions } from './abi.ts';

import type { CodeWriter } from './code-writer.ts';
import type { FunctionSignature } from './encoder.ts';

export interface ModuleContext {
  readonly options: WasmOptions;
  /** The index of a helper function. */
  functionIndex(fn: ir.Function): number;
  /** What a pointer to the function holds: its place in the table. Programs for the host only. */
  functionAddress(fn: ir.Function): number;
  /** The index of a function type. Programs for the host only. */
  typeIndex(signature: FunctionSignature): number;
  /** Emits what stands for a call of the function, whose arguments are on the stack; false if that is a plain call. */
  emitInstead(fn: ir.Function, code: CodeWriter): boolean;
  /** The environment keys a helper function takes after its parameters, in order. */
  environmentOf(fn: ir.Function): readonly string[];
  /** The index of a runtime function, which the module contains from then on. */
  runtimeFunction(name: string): number;
  /** The number by which records name a printf. */
  printfNumber(site: PrintfSite): number;
  /** The place of sixteen bytes after the load address of the constants; the same for the same bytes. */
  vectorConstant(bytes: Uint8Array): number;
  /** A program-scope variable's place after the load address of the constants. */
  constantOffset(global: ir.GlobalVariable): number;
}
