/** A kernel's occupancy, and how it would change with the size of work-groups, registers and local memory: record, table, picture. */

import { chips } from '../../codegen/r600/chips.ts';
import {
  type GroupNeeds,
  groupOccupancy,
  type Occupancy,
  type OccupancyAxis,
  type OccupancyPoint,
  occupancyAlong,
} from '../../model/group-occupancy.ts';
import { mostWavefronts } from '../../model/occupancy.ts';
import { svgText } from '../svg-text.ts';
import type { KernelAnalysis } from './analysis.ts';

export interface KernelOccupancy {
  readonly kernel: string;
  readonly chip: string;
  readonly needs: GroupNeeds;
  readonly own: Occupancy;
  /** Along each axis, with the others as the kernel has them. */
  readonly along: Readonly<Record<OccupancyAxis, readonly OccupancyPoint[]>>;
}

/** What the axes are called. */
export const axisNames: Readonly<Record<OccupancyAxis, string>> = {
  groupSize: 'work-items of a group',
  registers: 'registers of a work-item',
  localBytes: 'bytes of local memory of a group',
};

const axes = Object.keys(axisNames) as readonly OccupancyAxis[];

/** On the newest chip that can run the kernel; undefined if none can. */
export function occupancyOf(kernel: KernelAnalysis): KernelOccupancy | undefined {
  const found = kernel.chips.findLast(({ program }) => program !== undefined);
  const chip = [...chips.values()].find(({ name }) => name === found?.chip);
  if (!found?.program || !chip) return undefined;
  const { registers, localBytes } = found.program;
  const needs = { registers, localBytes, groupSize: kernel.groupSize };
  const along = {
    groupSize: occupancyAlong('groupSize', needs, chip),
    registers: occupancyAlong('registers', needs, chip),
    localBytes: occupancyAlong('localBytes', needs, chip),
  };
  return { kernel: kernel.name, chip: chip.name, needs, own: groupOccupancy(needs, chip), along };
}

/** The kernel's occupancy in a sentence and a table for each axis, of which rows with equal results are one. */
export function occupancyText(found: KernelOccupancy): string {
  const { kernel, chip, needs, own, along } = found;
  const head =
    `occupancy of ${kernel} on ${chip}: ${own.wavefronts} of ${mostWavefronts} wavefronts a SIMD engine (${percent(own)}), ` +
    `${own.groups} groups of ${own.perGroup}; no more for ${limitWords(own)}\n` +
    `  ${needs.groupSize} work-items a group, ${needs.registers} registers, ${needs.localBytes} bytes of local memory\n`;
  const tables = axes.map((axis) => {
    const rows = stretches(along[axis]).map(({ from, to, occupancy }) => {
      const isOwn = needs[axis] >= from && needs[axis] <= to;
      const range = from === to ? String(from) : `${from}-${to}`;
      const bar = '#'.repeat(occupancy.wavefronts).padEnd(mostWavefronts);
      return `${isOwn ? '>' : ' '} ${range.padStart(11)} ${bar} ${String(occupancy.wavefronts).padStart(2)}  ${limitWords(occupancy)}\n`;
    });
    return `\nby ${axisNames[axis]}\n${rows.join('')}`;
  });
  return head + tables.join('');
}

function percent({ fraction }: Occupancy): string {
  return `${Math.round(fraction * 100)}%`;
}

function limitWords({ limit, groups }: Occupancy): string {
  const words = limit === 'wavefronts' ? 'the most wavefronts' : limit;
  return groups === 0 ? `${words}: no group fits` : words;
}

/** Neighbouring points with one occupancy. */
function stretches(
  points: readonly OccupancyPoint[],
): readonly { readonly from: number; readonly to: number; readonly occupancy: Occupancy }[] {
  const found: { from: number; to: number; occupancy: Occupancy }[] = [];
  for (const { at, occupancy } of points) {
    const last = found.at(-1);
    if (last?.occupancy.wavefronts === occupancy.wavefronts && last.occupancy.limit === occupancy.limit)
      last.to = at;
    else found.push({ from: at, to: at, occupancy });
  }
  return found;
}

const panelWidth = 300;
const height = 260;
const margin = 40;

/** Three charts beside each other, as a picture that stands for itself. */
export function occupancyChartsSvg(found: KernelOccupancy): string {
  const { kernel, chip, needs, own, along } = found;
  const title = `${svgText(kernel)} on ${chip}: ${own.wavefronts} of ${mostWavefronts} wavefronts a SIMD engine`;
  const panels = axes.map((axis, index) => {
    const points = along[axis];
    const most = points.at(-1)!.at;
    const x = (at: number): number => index * panelWidth + margin + ((panelWidth - margin - 12) * at) / most;
    const y = (count: number): number => height - margin - ((height - margin - 48) * count) / mostWavefronts;
    const line = points.map(
      ({ at, occupancy }) => `${x(at).toFixed(1)},${y(occupancy.wavefronts).toFixed(1)}`,
    );
    const counts = [0, 8, 16, 24, 32].map(
      (count) =>
        `<line x1="${x(0)}" y1="${y(count)}" x2="${x(most)}" y2="${y(count)}" stroke="#ddd"/><text x="${x(0) - 6}" y="${y(count) + 4}" text-anchor="end">${count}</text>`,
    );
    const places = [0, most / 4, most / 2, (most * 3) / 4, most].map(
      (at) => `<text x="${x(at)}" y="${height - margin + 16}" text-anchor="middle">${Math.round(at)}</text>`,
    );
    return `${counts.join('')}${places.join('')}
<text x="${x(most / 2)}" y="${height - 6}" text-anchor="middle">${axisNames[axis]}</text>
<polyline points="${line.join(' ')}" fill="none" stroke="steelblue" stroke-width="2"/>
<circle cx="${x(needs[axis]).toFixed(1)}" cy="${y(own.wavefronts).toFixed(1)}" r="5" fill="firebrick"/>`;
  });
  const width = panelWidth * axes.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="white"/>
<text x="${width / 2}" y="22" text-anchor="middle" font-size="14">${title}</text>
${panels.join('\n')}
</svg>
`;
}
