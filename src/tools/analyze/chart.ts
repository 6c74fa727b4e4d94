/** How many wavefronts a SIMD engine has for each count of registers, with the kernel's own place: as text, and as SVG. */

import { usableRegisters } from '../../codegen/r600/chips.ts';
import { mostWavefronts, wavefronts } from '../../model/occupancy.ts';
import { svgText } from '../svg-text.ts';

/** The fewest registers of each number of wavefronts, as steps of a stair. */
function steps(): readonly { readonly from: number; readonly to: number; readonly wavefronts: number }[] {
  const found: { from: number; to: number; wavefronts: number }[] = [];
  for (let registers = 1; registers <= usableRegisters; registers += 1) {
    const count = wavefronts(registers);
    const last = found.at(-1);
    if (last?.wavefronts === count) last.to = registers;
    else found.push({ from: registers, to: registers, wavefronts: count });
  }
  return found;
}

/** Lines of text, a bar for each step; `>` marks the one that the kernel stands on. */
export function occupancyChart(registers: number): string {
  return steps()
    .map(({ from, to, wavefronts: count }) => {
      const isOwn = registers >= from && registers <= to;
      const range = from === to ? String(from) : `${from}-${to}`;
      return `${isOwn ? '>' : ' '} ${range.padStart(7)} ${'#'.repeat(count)} ${count}\n`;
    })
    .join('');
}

const width = 640;
const height = 320;
const margin = 48;

/** A picture that stands for itself, with its title and numbers as text. */
export function occupancySvg(registers: number, name: string): string {
  const x = (value: number): number => margin + ((width - margin * 2) * value) / usableRegisters;
  const y = (value: number): number => height - margin - ((height - margin * 2) * value) / mostWavefronts;
  const stair = steps()
    .map(({ from, to, wavefronts: count }) => `${x(from - 1)},${y(count)} ${x(to)},${y(count)}`)
    .join(' ');
  const own = wavefronts(registers);
  const marks = [0, 32, 64, 96, 124].map(
    (value) => `<text x="${x(value)}" y="${height - margin + 18}" text-anchor="middle">${value}</text>`,
  );
  const counts = [0, 8, 16, 24, 32].map(
    (value) => `<text x="${margin - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const title = `${svgText(name)}: ${registers} registers, ${own} wavefronts a SIMD engine`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="white"/>
<text x="${width / 2}" y="24" text-anchor="middle" font-size="14">${title}</text>
${marks.join('')}
${counts.join('')}
<text x="${width / 2}" y="${height - 8}" text-anchor="middle">registers</text>
<polyline points="${stair}" fill="none" stroke="steelblue" stroke-width="2"/>
<circle cx="${x(registers)}" cy="${y(own)}" r="5" fill="firebrick"/>
</svg>
`;
}
