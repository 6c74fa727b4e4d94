/** The table of measured kernels, for people, a row at a time: a run takes minutes. */
import { type KernelResult, ratioOf } from './measure-kernels.ts';

/** Cells and how wide they are; words stand at the left of theirs, numbers at the right. */
type Cell = readonly [text: string, width: number];

/** The line above the rows. A ratio is another device's event time over ours: above 1 we are faster. */
export function tableHead(devices: readonly string[], nameWidth: number = widths.name): string {
  return line([
    ['kernel', -nameWidth],
    ['size', -widths.size],
    ...devices.flatMap((device): Cell[] => [
      [`${device} ms`, widths.milliseconds],
      ['(wall)', widths.wall],
      ['', widths.figure],
      ['', -widths.unit],
    ]),
    ...others(devices).map((device): Cell => [`${device} / ours`, widths.ratio]),
  ]);
}

/** Behind a ratio below 1 stands a mark. */
export function tableRow(
  result: KernelResult,
  devices: readonly string[],
  nameWidth: number = widths.name,
): string {
  return line([
    [result.name, -nameWidth],
    [result.size, -widths.size],
    ...devices.flatMap((device) => cellsOf(result, device)),
    ...others(devices).flatMap((device): Cell[] => {
      const ratio = ratioOf(result, device);
      return [
        [ratio?.toFixed(2) ?? '-', widths.ratio],
        [ratio !== undefined && ratio < 1 ? '<' : '', -1],
      ];
    }),
  ]);
}

const widths = { name: 22, size: 20, milliseconds: 11, wall: 8, figure: 5, unit: 7, ratio: 12 } as const;

function others(devices: readonly string[]): readonly string[] {
  return devices.filter((device) => device !== 'Millrace');
}

function line(cells: readonly Cell[]): string {
  return cells
    .map(([text, width]) => (width < 0 ? text.padEnd(-width) : text.padStart(width)))
    .join('  ')
    .trimEnd();
}

function cellsOf({ work, devices, failures }: KernelResult, name: string): readonly Cell[] {
  const found = devices.find(({ device }) => device === name);
  const cells = (time: string, wall: string, figure: string, unit: string): readonly Cell[] => [
    [time, widths.milliseconds],
    [wall, widths.wall],
    [figure, widths.figure],
    [unit, -widths.unit],
  ];
  if (!found) return cells(failures[name] === undefined ? '-' : 'failed', '', '', '');
  const { amount, unit } = work;
  const perSecond = (amount / found.event) * 1000;
  const figure = threeDigits(perSecond / (unit === 'M/s' ? 1e6 : 1e9));
  return cells(milliseconds(found.event), `(${milliseconds(found.wall)})`, figure, unit);
}

function milliseconds(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0);
}

function threeDigits(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
