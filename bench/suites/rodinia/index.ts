/** Rodinia (yuhc/gpu-rodinia, opencl): its kernels, with sizes that take some milliseconds. */
import type { Suite } from '../suite.ts';
import { backPropagation } from './back-propagation.ts';
import { breadthFirstSearch } from './bfs.ts';
import { flow } from './cfd.ts';
import { clustering } from './clustering.ts';
import { grids } from './grids.ts';
import { images } from './images.ts';
import { linearAlgebra } from './linear-algebra.ts';
import { particles } from './particles.ts';

export const rodinia: Suite = (read) => [
  ...backPropagation(read),
  breadthFirstSearch(read),
  ...flow(read),
  ...linearAlgebra(read),
  ...grids(read),
  ...clustering(read),
  ...particles(read),
  ...images(read),
];
