/** The suites that `--suite` knows: other people's kernels, read from a checkout. */

import type { BenchKernel } from '../frame/bench-kernel.ts';
import { heteroMark } from './hetero-mark/index.ts';
import { parboil } from './parboil/index.ts';
import { rodinia } from './rodinia/index.ts';
import { shoc } from './shoc/index.ts';
import { type Suite, sourcesIn } from './suite.ts';

/** Each suite with the folder of its OpenCL kernels in a checkout. */
export const suites: Readonly<Record<string, { readonly kernels: Suite; readonly folder: string }>> = {
  'hetero-mark': { kernels: heteroMark, folder: 'src' },
  parboil: { kernels: parboil, folder: 'benchmarks' },
  rodinia: { kernels: rodinia, folder: 'opencl' },
  shoc: { kernels: shoc, folder: 'src/opencl' },
};

/** The kernels of a suite, from a checkout of it. @throws Error if it is none */
export function suiteKernels(name: string, checkout: string): readonly BenchKernel[] {
  const { kernels, folder } = suites[name]!;
  return kernels(sourcesIn(checkout, folder));
}
