/**
 * Counts what code does: how often each block of each source file under src/ is executed. Unlike time these counts are the same in
 * every run, so that a test can tell whether work grows faster than what it is done for.
 */
import { Session } from 'node:inspector/promises';

/** By place: file, function and the range of the block in it. */
export type BlockCounts = ReadonlyMap<string, number>;

export class BlockCounter {
  readonly #session = new Session();

  /** Begin before the code is imported: blocks are counted only in what is compiled after that. */
  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** What `run` executes. */
  async count(run: () => void): Promise<BlockCounts> {
    await this.#session.post('Profiler.takePreciseCoverage');
    run();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const counts = new Map<string, number>();
    for (const { url, functions } of result) {
      const file = /\/(src\/.*\.ts)/.exec(url)?.[1];
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          const place = `${file} ${functionName} ${startOffset}-${endOffset}`;
          counts.set(place, (counts.get(place) ?? 0) + count);
        }
      }
    }
    return counts;
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}

/** The blocks that were executed more often than `factor` times as often, and how often. Those of few executions count for nothing. */
export function grownFasterThan(factor: number, before: BlockCounts, after: BlockCounts): string[] {
  const few = 20_000;
  const found: { place: string; from: number; to: number }[] = [];
  for (const [place, to] of after) {
    const from = before.get(place) ?? 0;
    if (to > few && to > factor * from) found.push({ place, from, to });
  }
  return found.sort((a, b) => b.to - a.to).map(({ place, from, to }) => `${place}: ${from} -> ${to}`);
}
