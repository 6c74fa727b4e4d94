/**
 * OpenCL C, for drivers that compile it: they run work-items, know barriers and have images. Nothing is known of the machine behind them.
 */
import { writeOpenCLC } from '../codegen/opencl-c/write-opencl-c.ts';
import type { Target } from './target.ts';

export const openclC: Target = {
  name: 'opencl-c',
  description: 'OpenCL C for a driver that compiles it',
  addressBits: [32, 64],
  vectors: undefined,
  costs: undefined,
  cache: { line: 64, ways: 8 },
  wants: { form: 'work-item', images: true, calls: true, runtimeUnroll: 1, carriedPointers: 0 },
  deepestNesting: Number.POSITIVE_INFINITY,
  emit: (module) => writeOpenCLC(module),
};
