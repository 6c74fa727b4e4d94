/** Machine code of x86-64 as text, for `millrace compile --emit asm`: loaded for that alone. */
import { compileKernelX64 } from '../codegen/x64/compile-kernel.ts';
import type { Module } from '../ir/ir.ts';
import type { BuildBudget } from '../source/build-budget.ts';

/** The listing of an optimised module, for processors with AVX2. */
export function assembly(module: Module, budget: BuildBudget): string {
  return compileKernelX64(module, { shared: true, avx512: false, budget }).listing();
}
