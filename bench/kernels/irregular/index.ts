/**
 * Kernels of the kinds that the kernels of before lack and that people bring: irregular masks and loops, arithmetic of whole numbers,
 * look-ups in tables, graphs, chains of short launches. A suite of public kernels showed where Millrace was slow; these are ours.
 */
import type { BenchKernel } from '../../frame/bench-kernel.ts';
import { chains } from './chains.ts';
import { graphs } from './graphs.ts';
import { integerArithmetic } from './integer-arithmetic.ts';
import { maskedStores } from './masked-stores.ts';
import { searches } from './searches.ts';
import { sums } from './sums.ts';
import { tables } from './tables.ts';

export const irregularKernels: readonly BenchKernel[] = [
  ...maskedStores,
  ...integerArithmetic,
  ...tables,
  ...searches,
  ...sums,
  ...graphs,
  ...chains,
];
