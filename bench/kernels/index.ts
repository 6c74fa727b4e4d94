/** Every measured kernel, in the order of the table. */
import type { BenchKernel } from '../frame/bench-kernel.ts';
import { bitonicSort } from './bitonic-sort.ts';
import { collatz, primes } from './divergent-loops.ts';
import { filters } from './filters.ts';
import { colourHistogram, histogram } from './histograms.ts';
import { images } from './images.ts';
import { inverseDct } from './inverse-dct.ts';
import { irregularKernels } from './irregular/index.ts';
import { largeMultiplications, matrixMultiplications } from './matrix-multiplication.ts';
import { md5Search } from './md5-search.ts';
import { nearestNeighbours } from './nearest-neighbours.ts';
import { decompositions } from './polybench/decompositions.ts';
import { matrixProducts } from './polybench/matrix-products.ts';
import { stencils } from './polybench/stencils.ts';
import { vectorProducts } from './polybench/vector-products.ts';
import { reduction, scan, treeReduction } from './reduction-and-scan.ts';
import { saxpy, saxpyOf } from './saxpy.ts';
import { sgemm } from './sgemm.ts';
import { blackScholes, mandelbrot, nBody } from './simulations.ts';
import { sparseMatrix } from './sparse-matrix.ts';
import { stencil } from './stencil.ts';

/** Those that Millrace was first tuned by. */
const firstKernels: readonly BenchKernel[] = [
  saxpy,
  ...matrixMultiplications,
  sgemm,
  histogram,
  colourHistogram,
  ...filters,
  ...images,
  bitonicSort,
  reduction,
  treeReduction,
  scan,
  nBody,
  mandelbrot,
  blackScholes,
  sparseMatrix,
  nearestNeighbours,
  inverseDct,
  stencil,
  md5Search,
  primes,
  collatz,
  ...matrixProducts,
  ...vectorProducts,
  ...stencils,
  ...decompositions,
];

/** The kernels in sets: each has a geometric mean of its own beside that of all. */
export const kernelSets = {
  'the first kernels': firstKernels,
  'irregular kernels': irregularKernels,
} as const;

export const benchKernels: readonly BenchKernel[] = Object.values(kernelSets).flat();

/** At sizes that keep a graphics card busy; for `--large`. */
export const largeSets = {
  'large kernels': [saxpyOf('saxpy, 64M', 2 ** 26), ...largeMultiplications],
} as const;
