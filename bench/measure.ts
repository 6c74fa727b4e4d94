/** What every benchmark needs: medians of alternating runs, and a table. */
import { performance } from 'node:perf_hooks';

/** The middle value; of an even number, the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}

/** Milliseconds that one call takes. */
export async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The median of what so many rounds give, without the first quarter of them, in which engines still compile. */
export async function medianOfRounds(rounds: number, run: () => number | Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) all.push(await run());
  return median(all.slice(rounds >> 2));
}

/** Runs both sides in turn and gives each side's median; each `run` returns its own milliseconds. */
export async function alternate(
  rounds: number,
  ...sides: readonly (() => Promise<number> | number)[]
): Promise<number[]> {
  const times: number[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, side] of sides.entries()) times[index]!.push(await side());
  }
  return times.map(median);
}

/** A measured figure: what was measured, its value, and what it is compared with. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'us' | 'MB' | 'GB/s' | '%';
  /** The other side of the comparison, in the same unit. */
  readonly against?: { readonly name: string; readonly value: number };
  /** The least time of each side, where neighbours on the machine spoil the median. */
  readonly least?: readonly [number, number];
  /** A bound that the project set itself, in the same unit. */
  readonly goal?: number;
  /** What else there is to say. */
  readonly note?: string;
  /** Where a chart has the value. */
  readonly at?: {
    readonly line: string;
    readonly x: number;
    readonly isMeasured?: boolean;
    readonly network?: string;
  };
}

/** Prints rows as a table with the ratio `value / against`: below 1, Millrace is the faster. */
export function printTable(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map((row) => row.name.length));
  for (const row of rows) {
    const value = `${row.value.toFixed(row.value < 10 ? 3 : 1)} ${row.unit}`.padStart(12);
    const against = row.against
      ? `   ${row.against.name} ${row.against.value.toFixed(row.against.value < 10 ? 3 : 1)} ${row.unit}   ratio ${(row.value / row.against.value).toFixed(2)}`
      : '';
    const least = row.least
      ? `   least ${row.least.map((time) => time.toFixed(time < 10 ? 3 : 1)).join(' against ')}`
      : '';
    const goal =
      row.goal === undefined
        ? ''
        : `   goal under ${row.goal} ${row.unit}: ${row.value < row.goal ? 'met' : 'missed'}`;
    console.log(
      `  ${row.name.padEnd(width)} ${value}${against}${least}${goal}${row.note === undefined ? '' : `   ${row.note}`}`,
    );
  }
}
