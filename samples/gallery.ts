// The samples in the order in which they are shown: each needs a little more than the ones before it.
import { bitonicSortSample } from './bitonic-sort/bitonic-sort.ts';
import { histogramSample } from './histogram/histogram.ts';
import { imageFiltersSample } from './image-filters/image-filters.ts';
import { imageSamplingSample } from './image-sampling/image-sampling.ts';
import { matrixMultiplicationSample } from './matrix-multiplication/matrix-multiplication.ts';
import { nearestNeighboursSample } from './nearest-neighbours/nearest-neighbours.ts';
import { primeExtractionSample } from './prime-extraction/prime-extraction.ts';
import { regressionSample } from './regression/regression.ts';
import { saxpySample } from './saxpy/saxpy.ts';
import { simplePipeSample } from './simple-pipe/simple-pipe.ts';
import type { Sample } from './support/sample.ts';

export const gallery: readonly Sample[] = [
  saxpySample,
  matrixMultiplicationSample,
  histogramSample,
  imageFiltersSample,
  imageSamplingSample,
  bitonicSortSample,
  regressionSample,
  nearestNeighboursSample,
  simplePipeSample,
  primeExtractionSample,
];
