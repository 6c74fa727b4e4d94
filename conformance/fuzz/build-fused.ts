/**
 * Builds generated kernels as engines with relaxed SIMD get them, with products that are fused with sums wherever they may be, to see that
 * the compiler comes to an end and its module is valid. They are not run: what is rounded once differs from what the interpreter rounds
 * twice. Kernels in which nothing is rounded are run so, too (check-idiom.ts).
 */
import { enableRelaxedSimd } from '../../src/cli/relaxed-simd.ts';
import { compileForTest, preparedForVectors, vectorRunner } from '../../test/support/run-kernel.ts';

/** One kernel in so many, for it takes nearly as long as the kernel's own check. */
const oneIn = 16;

/** Builds a source that forbids contraction without the pragma that does, if it is the seed's turn; throws what the compiler throws. */
export function buildFused(seed: number, source: string, buildOptions = ''): void {
  if (seed % oneIn !== 3) return;
  enableRelaxedSimd();
  const module = compileForTest(source.replace('FP_CONTRACT OFF', 'FP_CONTRACT ON'), buildOptions);
  const prepared = preparedForVectors(module);
  for (const lanes of ['chosen', 16] as const) vectorRunner(prepared, { lanes, fuses: true });
}
