/** SHOC (vetter/shoc, src/opencl): its kernels in single precision. */
import type { Suite } from '../suite.ts';
import { breadthFirstSearch } from './bfs.ts';
import { fourierTransforms } from './fft.ts';
import { gemm } from './gemm.ts';
import { molecularDynamics } from './md.ts';
import { md5Hash } from './md5.ts';
import { blockwise } from './reduction-scan-sort.ts';
import { combustion } from './s3d.ts';
import { sparseProducts } from './spmv.ts';
import { streams } from './streams.ts';

export const shoc: Suite = (read) => [
  ...gemm(read),
  ...sparseProducts(read),
  breadthFirstSearch(read),
  molecularDynamics(read),
  ...fourierTransforms(read),
  md5Hash(read),
  ...blockwise(read),
  ...streams(read),
  ...combustion(read),
];
