/** The chart of the README: how many times faster than a driver each kernel runs, as an SVG drawing. */

import type { KernelsReport } from './kernels-part.ts';
import { type KernelResult, ratioOf } from './measure-kernels.ts';

const left = 205;
const right = 60;
const top = 56;
const barHeight = 13;
const step = 18;
const width = 835;

/** Bars on a logarithmic scale, longest first, against the first device that is not ours. */
export function drawChart({ devices, kernels, geometricMeans }: KernelsReport): string {
  const [other] = Object.keys(geometricMeans);
  if (other === undefined) throw new Error('the results have no other device to compare with');
  const bars = kernels
    .flatMap((kernel: KernelResult) => {
      const ratio = ratioOf(kernel, other);
      return ratio === undefined ? [] : [{ name: kernel.name, ratio }];
    })
    .sort((a, b) => b.ratio - a.ratio);
  const mean = geometricMeans[other]!;
  const ratios = bars.map(({ ratio }) => ratio);
  // Whole powers of two around everything, 1 among them.
  const lowest = Math.floor(Math.log2(Math.min(...ratios, 1)));
  const highest = Math.ceil(Math.log2(Math.max(...ratios, 2)));
  const xOf = (ratio: number): number =>
    left + ((Math.log2(ratio) - lowest) / (highest - lowest)) * (width - left - right);
  const height = top + bars.length * step + 16;
  const title = `Millrace against ${escaped(devices[other]!)}: times as fast, ${bars.length} kernels, geometric mean ${mean.toFixed(2)}`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="22" font-size="15" font-weight="600" fill="#222">${title}</text>`,
  ];
  for (let power = lowest; power <= highest; power += 1) {
    const x = xOf(2 ** power).toFixed(1);
    const colour = power === 0 ? '#555' : '#ddd';
    parts.push(
      `<line x1="${x}" y1="${top - 8}" x2="${x}" y2="${height - 12}" stroke="${colour}"/>`,
      `<text x="${x}" y="${top - 14}" text-anchor="middle" fill="#555">${power < 0 ? `1/${2 ** -power}` : 2 ** power}</text>`,
    );
  }
  for (const [index, { name, ratio }] of bars.entries()) {
    const y = top + index * step;
    const [from, to] = [xOf(1), xOf(ratio)].sort((a, b) => a - b) as [number, number];
    const fill = ratio >= 1 ? '#3b7a57' : '#b5523b';
    const text = y + barHeight - 3;
    parts.push(
      `<text x="${left - 10}" y="${text}" text-anchor="end" fill="#222">${escaped(name)}</text>`,
      `<rect x="${from.toFixed(1)}" y="${y}" width="${Math.max(to - from, 1).toFixed(1)}" height="${barHeight}" fill="${fill}"/>`,
      `<text x="${(Math.max(to, from) + 6).toFixed(1)}" y="${text}" fill="#222">${ratio.toFixed(2)}</text>`,
    );
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
