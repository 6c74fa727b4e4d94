/**
 * A machine that does not exist, to see that the planner asks the target and knows no machine itself: 256-bit vectors, 32 registers, gathers,
 * masked memory, shifts by lane, integer division, fused multiply-add.
 */
import type { Target } from '../../src/target/target.ts';
import { wasm } from '../../src/target/wasm.ts';

export const wideMachine: Target = {
  ...wasm,
  name: 'wide',
  description: 'a machine of tests',
  vectors: {
    ...wasm.vectors!,
    bits: 256,
    shuffleBits: 256,
    registers: 32,
    allocatable: 31,
    mostTimes: 4,
    mostCarried: Number.POSITIVE_INFINITY,
    has: {
      gather: true,
      maskedMemory: true,
      fma: true,
      half: true,
      laneShifts: [8, 16, 32, 64],
      bitCounts: { clz: [32, 64], ctz: [32, 64], popcount: [8, 16, 32, 64] },
      highProducts: [32, 64],
      conversions: [32, 64],
    },
  },
  costs: {
    ...wasm.costs!,
    vectorDivide: 10,
    vectorDivideByConstant: 5,
    vectorShift: 1,
    vectorBitCount: 1,
    gatheredLane: 0.5,
    missingLane: 0,
    stridedLane: 0.5,
    maskedLane: 0,
    maskedStore: 1,
    maskTest: 1,
  },
};
