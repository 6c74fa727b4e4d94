/**
 * What threads of a wavefront cost each other (guide, 1.2.3): if any of them takes a side of a branch, all take its time; a loop turns
 * as often as for the thread that turns most. So of every instruction of control flow a wavefront pays the largest count of its
 * threads.
 */

/** How often a wavefront carries out each instruction, from what its threads do. */
export function wavefrontCounts(threads: readonly (readonly number[])[]): readonly number[] {
  const length = threads[0]?.length ?? 0;
  return Array.from({ length }, (_, index) => Math.max(...threads.map((counts) => counts[index]!)));
}

/**
 * How many times as long a wavefront takes as its threads would alone, on average: 1 where all go the same way.
 * @param weights what each instruction costs
 */
export function divergence(threads: readonly (readonly number[])[], weights: readonly number[]): number {
  const cost = (counts: readonly number[]): number =>
    counts.reduce((sum, count, index) => sum + count * weights[index]!, 0);
  const own = threads.reduce((sum, counts) => sum + cost(counts), 0) / Math.max(1, threads.length);
  return own === 0 ? 1 : cost(wavefrontCounts(threads)) / own;
}
