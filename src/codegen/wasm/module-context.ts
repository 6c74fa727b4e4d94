/**
 * What the functions of a module share while they are compiled: indices of functions, runtime functions asked for,
 * and where program-scope variables lie.
 */
import type * as ir from '../../ir/ir.ts';
import type { PrintfSite } from '../../ir/printf/record.ts';
import type { WasmOptions } from './abi.ts';

export interface ModuleContext {
  readonly options: WasmOptions;
  /** The index of a helper function. */
  functionIndex(fn: ir.Function): number;
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
