/**
 * WebAssembly with 128-bit SIMD, as V8 compiles it for the processors of today. There are no gathers, no masked memory and no shifts by
 * different counts; integer division of vectors goes by way of doubles. The costs were measured (`npm run calibrate`).
 */
import { compileModule } from '../codegen/wasm/module/compile-module.ts';
import type { Target } from './target.ts';

export const wasm: Target = {
  name: 'wasm',
  description: 'WebAssembly with 128-bit SIMD',
  addressBits: [32],
  vectors: {
    bits: 128,
    shuffleBits: 128,
    registers: 16,
    // V8 keeps one for itself.
    allocatable: 15,
    mostTimes: 4,
    mostCarried: Number.POSITIVE_INFINITY,
    ports: 2,
    floatLatency: 4,
    factors: [2, 4, 8, 16],
    has: {
      gather: false,
      maskedMemory: false,
      fma: false,
      half: false,
      // By products.
      laneShifts: [32],
      bitCounts: { popcount: [8, 16, 32] },
      highProducts: [32],
      conversions: [32],
    },
  },
  cache: { line: 64, ways: 8 },
  costs: {
    workItem: 2,
    simple: 1,
    divide: 8,
    divideByConstant: 4,
    vectorDivide: 16,
    vectorDivideByConstant: 8,
    vectorShift: 12,
    vectorBitCount: 12,
    squareRoot: 8,
    load: 1,
    call: 20,
    sharedAtomic: 20,
    localAtomic: 3,
    laneMove: 1,
    extractedLane: 3,
    maskTest: 2,
    stridedLane: 1,
    transposedLane: 1,
    gatheredLane: 2,
    missingLane: 4,
    maskedLane: 1.5,
    maskedStore: 3,
    shuffle: 3,
    scalarTail: 200,
    spill: 1,
  },
  wants: { form: 'work-group', images: false, calls: true, runtimeUnroll: 4, carriedPointers: 3 },
  // The engine's limit counts somewhat more levels than the IR has.
  deepestNesting: 480,
  emit: (module) => compileModule(module, { shared: true }).bytes,
};

/** The same where the engine computes `fma` in one instruction: relaxed SIMD, on a processor that has it. */
export const wasmWithFma: Target = {
  ...wasm,
  vectors: { ...wasm.vectors!, has: { ...wasm.vectors!.has, fma: true } },
};
