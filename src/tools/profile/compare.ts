/** Two runs beside each other: which kernels and transfers have become faster or slower. */
import { columns } from './columns.ts';
import type { Profile } from './profile.ts';
import { summarise } from './summary.ts';
import { ratioText, timeText } from './units.ts';

/** A kernel, or a kind of command, in two runs. Times in nanoseconds; undefined where a run has none of it. */
export interface ComparedRow {
  readonly name: string;
  readonly isKernel: boolean;
  readonly before: ComparedSide | undefined;
  readonly after: ComparedSide | undefined;
}

export interface ComparedSide {
  readonly count: number;
  readonly total: number;
  readonly mean: number;
  readonly min: number;
}

/**
 * Kernels and kinds of commands of both, over all devices: so a run on one device can be compared with one on another. Those
 * whose total has changed most come first.
 */
export function compareProfiles(before: Profile, after: Profile): readonly ComparedRow[] {
  const [first, second] = [sidesOf(before), sidesOf(after)];
  const rows = [...new Set([...first.keys(), ...second.keys()])].map((key): ComparedRow => {
    const [name, isKernel] = JSON.parse(key) as [string, boolean];
    return { name, isKernel, before: first.get(key), after: second.get(key) };
  });
  const change = (row: ComparedRow) => Math.abs((row.after?.total ?? 0) - (row.before?.total ?? 0));
  return rows.sort((a, b) => change(b) - change(a) || (a.name < b.name ? -1 : 1));
}

/** The comparison as a table for people. Ends with a line end. */
export function comparisonTable(before: Profile, after: Profile): string {
  const heading = ['command', 'count', '', 'mean', '', 'ratio', 'min', '', 'ratio', 'total', '', 'ratio'];
  const sides = ['', 'A', 'B', 'A', 'B', 'B/A', 'A', 'B', 'B/A', 'A', 'B', 'B/A'];
  const rows = compareProfiles(before, after).map(({ name, before: a, after: b }) => [
    name,
    a ? String(a.count) : '-',
    b ? String(b.count) : '-',
    ...pair(a?.mean, b?.mean),
    ...pair(a?.min, b?.min),
    ...pair(a?.total, b?.total),
  ]);
  const [first, second] = [summarise(before), summarise(after)];
  const line = (what: string, a: number, b: number): string => {
    const [left, right, ratio] = pair(a, b);
    return `${what}: A ${left}, B ${right}${ratio === '-' ? '' : `, B/A ${ratio}`}`;
  };
  const totals = [
    line('from the first command to the end of the last', first.wall, second.wall),
    line('while commands ran', first.busy, second.busy),
  ];
  const table = rows.length > 0 ? [...columns(heading, [sides, ...rows]), ''] : [];
  return `${[...table, ...totals].join('\n')}\n`;
}

function pair(a: number | undefined, b: number | undefined): [a: string, b: string, ratio: string] {
  const text = (time: number | undefined) => (time === undefined ? '-' : timeText(time));
  return [text(a), text(b), a && b !== undefined ? ratioText(b / a) : '-'];
}

function sidesOf(profile: Profile): Map<string, ComparedSide> {
  const sides = new Map<string, ComparedSide>();
  for (const { name, isKernel, count, total, min } of summarise(profile).rows) {
    const key = JSON.stringify([name, isKernel]);
    const known = sides.get(key);
    const all = { count: count + (known?.count ?? 0), total: total + (known?.total ?? 0) };
    sides.set(key, { ...all, mean: all.total / all.count, min: Math.min(min, known?.min ?? min) });
  }
  return sides;
}
