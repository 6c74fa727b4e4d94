/** Parboil (the University of Illinois's, benchmarks): its OpenCL kernels as users first write them, and as they were tuned for NVIDIA's cards. */
import type { Suite } from '../suite.ts';
import { breadthFirstSearches } from './bfs.ts';
import { griddings } from './gridding.ts';
import { histograms } from './histograms.ts';
import { lattices } from './lattices.ts';
import { matrices } from './matrices.ts';
import { motion } from './motion.ts';
import { potentials } from './potential.ts';
import { sorting } from './sorting.ts';
import { waves } from './waves.ts';

export const parboil: Suite = (read) => [
  ...matrices(read),
  ...lattices(read),
  ...waves(read),
  ...histograms(read),
  ...breadthFirstSearches(read),
  ...motion(read),
  ...potentials(read),
  ...griddings(read),
  ...sorting(read),
];
