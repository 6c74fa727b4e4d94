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

/** Blocks that are executed less often count for nothing. */
const few = 8000;

/**
 * The blocks whose counts grow by more than `factor` from each of the measurements to the next, and how.
 * @param counts of work on inputs each twice as large as the one before. With three of them, one step alone may be higher: where a limit is
 *   reached, beyond which code is compiled otherwise
 */
export function grownFasterThan(factor: number, counts: readonly BlockCounts[]): string[] {
  const found: number[][] = [];
  const places = new Map<number[], string>();
  for (const [place, most] of counts.at(-1)!) {
    const series = counts.map((one) => one.get(place) ?? 0);
    if (most < few || series.some((count, index) => index > 0 && count <= factor * series[index - 1]!))
      continue;
    found.push(series);
    places.set(series, place);
  }
  found.sort((a, b) => b.at(-1)! - a.at(-1)!);
  return found.map((series) => `${places.get(series)}: ${series.join(' -> ')}`);
}
