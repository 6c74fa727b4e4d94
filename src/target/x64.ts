/**
 * x86-64 with AVX2 and FMA (devices/native). Kernels come through codegen/wasm's function compiler, so what it can say of WebAssembly holds here,
 * too; two of its vectors of 128 bits become one of 256, and two of these one of 512 where there is AVX-512 (codegen/x64/widen).
 *
 * Lanes are planned for 256 bits in any case. With twice as many, loops that end lane by lane would wait for more of them, and bytes would fill no
 * register.
 */
import { compileKernelX64 } from '../codegen/x64/compile-kernel.ts';
import { likelyRowLength } from '../codegen/x64/likely-row-length.ts';
import { mostLanes } from '../codegen/x64/most-lanes.ts';
import type { Target } from './target.ts';
import { wasm } from './wasm.ts';

export const x64: Target = {
  ...wasm,
  name: 'x64',
  description: 'x86-64 with AVX2 and FMA',
  vectors: {
    ...wasm.vectors!,
    bits: 256,
    allocatable: 16,
    mostTimes: 1.75,
    has: { ...wasm.vectors!.has, fma: true, laneShifts: [32, 64], bitCounts: { popcount: [8, 16, 32, 64] } },
  },
  // Of registers of twice as many lanes.
  costs: { ...wasm.costs!, vectorDivide: 12, vectorDivideByConstant: 10, vectorShift: 2 },
  mostLanes,
  likelyRowLength,
  emit: (module) => compileKernelX64(module, { shared: true, avx512: false }).listing(),
};

/**
 * The same with twice as many registers. Pairs of vectors that are carried become registers of 512 bits, so that more of them could be carried than
 * there are registers; of products of matrices with 16, 18 and 20 sums a work-item sixteen lanes were faster than eight, with 22 slower (Zen 5).
 */
export const x64Avx512: Target = {
  ...x64,
  name: 'x64-avx512',
  description: 'x86-64 with AVX-512',
  vectors: {
    ...x64.vectors!,
    registers: 32,
    allocatable: 32,
    mostCarried: 40,
    has: { ...x64.vectors!.has, laneShifts: [16, 32, 64] },
  },
  emit: (module) => compileKernelX64(module, { shared: true, avx512: true }).listing(),
};
