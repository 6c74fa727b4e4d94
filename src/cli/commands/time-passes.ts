/** `--time-passes`: what each part of a compilation took, as a table. */
import type { PassRun } from 'millrace';

interface Total {
  milliseconds: number;
  runs: number;
  /** After the last run. */
  instructions: number;
}

/**
 * One line for each pass, in the order of their first runs: milliseconds, their share of all, how often it ran, and the
 * instructions of the module after its last run.
 */
export function passTable(runs: readonly PassRun[]): string {
  const totals = new Map<string, Total>();
  let all = 0;
  for (const { pass, milliseconds, instructions } of runs) {
    const total = totals.get(pass) ?? { milliseconds: 0, runs: 0, instructions: 0 };
    total.milliseconds += milliseconds;
    total.runs += 1;
    total.instructions = instructions;
    totals.set(pass, total);
    all += milliseconds;
  }
  const rows = [...totals].map(([pass, { milliseconds, runs: count, instructions }]) => {
    const share = all > 0 ? (100 * milliseconds) / all : 0;
    return [pass, milliseconds.toFixed(2), `${share.toFixed(0)} %`, String(count), String(instructions)];
  });
  const table = [
    ['pass', 'ms', 'share', 'runs', 'instructions'],
    ...rows,
    ['all', all.toFixed(2), '', '', ''],
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  );
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
