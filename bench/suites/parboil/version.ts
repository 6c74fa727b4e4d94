/** Parboil's versions of a benchmark, each in a folder with headers that its kernels include. */
import type { ReadSource } from '../suite.ts';

/** What users write first, without a thought of a device; the same tuned for NVIDIA's cards; and for histograms what is simpler still. */
export type Version = 'base' | 'nvidia' | 'naive';

/** What a version's kernel is called here. */
export function titleOf(benchmark: string, version: Version): string {
  return version === 'base' ? `Parboil ${benchmark}` : `Parboil ${benchmark}, ${version}`;
}

/** Files of a version as one source. Headers of the suite, which its hosts give with `-I`, stand in the place of their includes. */
export function kernelsOf(
  read: ReadSource,
  benchmark: string,
  version: Version,
  files: readonly string[] = ['kernel.cl'],
): string {
  const readBeside = (file: string): string => read(`${benchmark}/src/opencl_${version}/${file}`);
  return files
    .map((file) => readBeside(file).replace(/^#include "(.*)"/gm, (_, header: string) => readBeside(header)))
    .join('\n');
}
