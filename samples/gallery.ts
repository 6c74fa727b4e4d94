// The samples in the order in which they are shown: each needs a little more than the ones before it.
import { bitonicSortSample } from './bitonic-sort/bitonic-sort.ts';
import { breadthFirstSearchSample } from './breadth-first-search/breadth-first-search.ts';
import { brookBinarySearchSample } from './brook-binary-search/brook-binary-search.ts';
import { brookDevicesSample } from './brook-devices/brook-devices.ts';
import { brookMatrixMultiplicationSample } from './brook-matrix-multiplication/brook-matrix-multiplication.ts';
import { brookReductionsSample } from './brook-reductions/brook-reductions.ts';
import { brookScatterSample } from './brook-scatter/brook-scatter.ts';
import { brookSmallIntegersSample } from './brook-small-integers/brook-small-integers.ts';
import { brookSumSample } from './brook-sum/brook-sum.ts';
import { brookThreadGroupsSample } from './brook-thread-groups/brook-thread-groups.ts';
import { brookTilesSample } from './brook-tiles/brook-tiles.ts';
import { brookVectorConstructorsSample } from './brook-vector-constructors/brook-vector-constructors.ts';
import { bufferPartsSample } from './buffer-parts/buffer-parts.ts';
import { deviceSearchSample } from './device-search/device-search.ts';
import { histogramSample } from './histogram/histogram.ts';
import { imageFiltersSample } from './image-filters/image-filters.ts';
import { imageSamplingSample } from './image-sampling/image-sampling.ts';
import { jpegSample } from './jpeg/jpeg.ts';
import { liveExchangeSample } from './live-exchange/live-exchange.ts';
import { matrixMultiplicationSample } from './matrix-multiplication/matrix-multiplication.ts';
import { memoryBandwidthSample } from './memory-bandwidth/memory-bandwidth.ts';
import { nearestNeighboursSample } from './nearest-neighbours/nearest-neighbours.ts';
import { prefixSumSample } from './prefix-sum/prefix-sum.ts';
import { primeExtractionSample } from './prime-extraction/prime-extraction.ts';
import { rangeMinimumSample } from './range-minimum/range-minimum.ts';
import { regionGrowingSample } from './region-growing/region-growing.ts';
import { regressionSample } from './regression/regression.ts';
import { saxpySample } from './saxpy/saxpy.ts';
import { simplePipeSample } from './simple-pipe/simple-pipe.ts';
import type { Sample, StreamSample } from './support/sample.ts';
import { treeInsertSample } from './tree-insert/tree-insert.ts';
import { treeSearchSample } from './tree-search/tree-search.ts';

/** What OpenCL 1.2 is enough for. */
export const firstPart: readonly Sample[] = [
  saxpySample,
  matrixMultiplicationSample,
  histogramSample,
  bufferPartsSample,
  imageFiltersSample,
  imageSamplingSample,
  jpegSample,
  bitonicSortSample,
  regressionSample,
  nearestNeighboursSample,
];

/** What needs OpenCL 2.0, or goes with it. Devices of drivers do not take all of it. */
export const secondPart: readonly Sample[] = [
  memoryBandwidthSample,
  prefixSumSample,
  rangeMinimumSample,
  simplePipeSample,
  primeExtractionSample,
  treeSearchSample,
  treeInsertSample,
  liveExchangeSample,
  deviceSearchSample,
  regionGrowingSample,
  breadthFirstSearchSample,
];

/** All that wait for nothing, and so run on the main thread of a page, too. */
export const gallery: readonly Sample[] = [...firstPart, ...secondPart];

/** Brook+: kernels over streams. */
export const thirdPart: readonly StreamSample[] = [
  brookSumSample,
  brookSmallIntegersSample,
  brookVectorConstructorsSample,
  brookMatrixMultiplicationSample,
  brookBinarySearchSample,
  brookScatterSample,
  brookReductionsSample,
  brookThreadGroupsSample,
  brookTilesSample,
  brookDevicesSample,
];

export const allSamples: readonly StreamSample[] = [...gallery, ...thirdPart];
