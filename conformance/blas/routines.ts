/** All routines of BLAS that are computed on a device, by their names. */
import { elementRoutines } from '../../src/blas/level-1-elements.ts';
import { reductionRoutines } from '../../src/blas/level-1-reductions.ts';
import { level2Routines } from '../../src/blas/level-2.ts';
import { level3Routines } from '../../src/blas/level-3.ts';
import type { Routine } from '../../src/blas/routine.ts';

export const allRoutines: ReadonlyMap<string, Routine> = new Map(
  [elementRoutines, reductionRoutines, level2Routines, level3Routines]
    .flat()
    .map((routine) => [routine.name, routine]),
);
