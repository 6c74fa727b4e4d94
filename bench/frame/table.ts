/** The table of measured kernels, for people. */
import { type KernelResult, ratioOf } from './measure-kernels.ts';

/** The rows, aligned, first the head. A ratio is another device's event time over ours: above 1 we are faster. */
export function kernelTable(results: readonly KernelResult[], devices: readonly string[]): string[] {
  const others = devices.filter((device) => device !== 'Millrace');
  const head = [
    'kernel',
    'size',
    ...devices.flatMap((device) => [`${device} ms`, '(wall)', '', '']),
    ...others.map((device) => `${device} / ours`),
  ];
  const rows = results.map((result) => [
    result.name,
    result.size,
    ...devices.flatMap((device) => cellsOf(result, device)),
    ...others.map((device) => ratioOf(result, device)?.toFixed(2) ?? '-'),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  return [head, ...rows].map((row) =>
    row
      // Words from the left, numbers from the right; units stand behind their figures.
      .map((cell, column) =>
        column < 2 || isUnit(column, devices) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

function isUnit(column: number, devices: readonly string[]): boolean {
  return column < 2 + 4 * devices.length && (column - 2) % 4 === 3;
}

function cellsOf({ work, devices, failures }: KernelResult, name: string): [string, string, string, string] {
  const found = devices.find(({ device }) => device === name);
  if (!found) return [failures[name] === undefined ? '-' : 'failed', '', '', ''];
  const { amount, unit } = work;
  const perSecond = (amount / found.event) * 1000;
  return [
    milliseconds(found.event),
    `(${milliseconds(found.wall)})`,
    threeDigits(perSecond / (unit === 'M/s' ? 1e6 : 1e9)),
    unit,
  ];
}

function milliseconds(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0);
}

function threeDigits(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
