/** Every measured kernel, in the order of the table. */
import type { BenchKernel } from '../frame/bench-kernel.ts';
import { bitonicSort } from './bitonic-sort.ts';
import { collatz, primes } from './divergent-loops.ts';
import { filters } from './filters.ts';
import { colourHistogram, histogram } from './histograms.ts';
import { images } from './images.ts';
import { inverseDct } from './inverse-dct.ts';
import { matrixMultiplications } from './matrix-multiplication.ts';
import { md5Search } from './md5-search.ts';
import { nearestNeighbours } from './nearest-neighbours.ts';
import { decompositions } from './polybench/decompositions.ts';
import { matrixProducts } from './polybench/matrix-products.ts';
import { stencils } from './polybench/stencils.ts';
import { vectorProducts } from './polybench/vector-products.ts';
import { reduction, scan, treeReduction } from './reduction-and-scan.ts';
import { saxpy } from './saxpy.ts';
import { sgemm } from './sgemm.ts';
import { blackScholes, mandelbrot, nBody } from './simulations.ts';
import { sparseMatrix } from './sparse-matrix.ts';
import { stencil } from './stencil.ts';

export const benchKernels: readonly BenchKernel[] = [
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
