/**
 * The entry of the x86-64 back end: takes what `compileModule` of codegen/wasm takes, gives machine code for the contract of `calling-convention.ts`.
 */
import type * as ir from '../../ir/ir.ts';
import type { WasmOptions, WasmProgram } from '../wasm/module/abi.ts';
import type { ImportedFunction } from '../wasm/module/encoder.ts';

export interface X64Options extends WasmOptions {
  /** Whether AVX-512 (F, BW, DQ, VL) may be used; AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT always are. */
  readonly avx512: boolean;
}

/** What became of an IR module. */
export interface X64Program extends Omit<WasmProgram, 'bytes'> {
  /** Code and its constants: runs wherever it is put at a multiple of 64 bytes. */
  readonly code: Uint8Array;
  /** Where each kernel begins in it, in the order of `kernels`. */
  readonly entries: readonly number[];
  /** What the table at `contextOffsets.functions` must hold, in order: functions of the System V convention. */
  readonly imports: readonly ImportedFunction[];
  /** The code as text, with the lines of the source that it comes from. Made when it is asked for. */
  listing(): string;
}

/**
 * Compiles all kernels of a module and the helper functions that they call.
 * @throws CodegenError if a function is too large or nested too deeply, or has what there is no machine code for yet
 */
export function compileKernelX64(_module: ir.Module, _options: X64Options): X64Program {
  throw new Error('codegen: no machine code yet');
}
