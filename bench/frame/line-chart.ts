/** Lines over a logarithmic axis of powers of two, as an SVG drawing: what bench/mpi.ts draws of predictions. */
import { escaped } from './chart.ts';

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Points that were measured; they are drawn as dots. */
  readonly measured?: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly subtitle: string;
  readonly across: string;
  readonly lines: readonly Line[];
}

const [left, right, top, bottom] = [56, 150, 64, 44];
const [width, height] = [820, 420];
/** Told apart in grey, too: their lines have different dashes. */
const colours = ['#3b7a57', '#b5523b', '#3a5fa0', '#8a6d1f', '#7a3b76'];
const dashes = ['', '8 4', '2 3', '10 3 2 3', '5 2'];

/** Values from 0 to 1, as percentages. */
export function drawLines({ title, subtitle, across, lines }: LineChart): string {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const highest = Math.ceil(Math.log2(Math.max(2, ...xs)));
  const xOf = (x: number): number => left + (Math.log2(x) / highest) * (width - left - right);
  const yOf = (y: number): number =>
    top + (1 - Math.min(Math.max(y, 0), 1.1) / 1.1) * (height - top - bottom);
  const at = ([x, y]: readonly [number, number]): string => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="22" font-size="15" font-weight="600" fill="#222">${escaped(title)}</text>`,
    `<text x="16" y="42" fill="#555">${escaped(subtitle)}</text>`,
  ];
  for (let power = 0; power <= highest; power += 1) {
    const x = xOf(2 ** power).toFixed(1);
    parts.push(
      `<line x1="${x}" y1="${top}" x2="${x}" y2="${height - bottom}" stroke="#ddd"/>`,
      `<text x="${x}" y="${height - bottom + 18}" text-anchor="middle" fill="#555">${2 ** power}</text>`,
    );
  }
  for (const y of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    parts.push(
      `<line x1="${left}" y1="${yOf(y).toFixed(1)}" x2="${width - right}" y2="${yOf(y).toFixed(1)}" stroke="${y === 1 ? '#555' : '#ddd'}"/>`,
      `<text x="${left - 8}" y="${(yOf(y) + 4).toFixed(1)}" text-anchor="end" fill="#555">${Math.round(100 * y)} %</text>`,
    );
  }
  parts.push(
    `<text x="${((left + width - right) / 2).toFixed(1)}" y="${height - 8}" text-anchor="middle" fill="#555">${escaped(across)}</text>`,
  );
  const ends = spread(lines.map(({ points }) => yOf(points.at(-1)![1])));
  for (const [index, { name, points, measured = [] }] of lines.entries()) {
    const colour = colours[index % colours.length]!;
    const dash = dashes[index % dashes.length]!;
    parts.push(
      `<polyline points="${points.map(at).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}/>`,
      ...measured.map((point) => {
        const [x, y] = at(point).split(',');
        return `<circle cx="${x}" cy="${y}" r="4" fill="#fff" stroke="${colour}" stroke-width="2"/>`;
      }),
      `<text x="${width - right + 8}" y="${(ends[index]! + 4).toFixed(1)}" fill="${colour}">${escaped(name)}</text>`,
    );
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

/** Places for names next to the ends of lines, none on another: as they are, or lower. */
function spread(places: readonly number[]): number[] {
  const result = [...places];
  const order = [...places.keys()].sort((a, b) => places[a]! - places[b]!);
  for (const [at, index] of order.entries()) {
    const above = order[at - 1];
    if (above !== undefined) result[index] = Math.max(result[index]!, result[above]! + 15);
  }
  return result;
}
