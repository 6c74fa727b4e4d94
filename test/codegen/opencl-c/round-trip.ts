/** A module written as OpenCL C and compiled again: it must mean what it meant. */
import { writeOpenCLC } from '../../../src/codegen/opencl-c/write-opencl-c.ts';
import { cloneModule } from '../../../src/ir/clone.ts';
import type { Module } from '../../../src/ir/ir.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { openclC } from '../../../src/target/opencl-c.ts';

/** Writes the module, as it is or after the passes that keep work-item form, and compiles the text. */
export function roundTrip(module: Module, optimised: boolean): Module {
  const source = written(module, optimised);
  const { module: back, log } = compileOpenCL(source, { name: 'back.cl', addressBits: module.addressBits });
  if (!back) throw new Error(`the written program does not compile:\n${log}\n${source}`);
  return back;
}

/** The text alone; the module stays as it is. */
export function written(module: Module, optimised: boolean): string {
  const copy = cloneModule(module);
  if (optimised) optimise(copy, { target: openclC });
  return writeOpenCLC(copy);
}
