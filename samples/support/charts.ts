// The samples' drawings, as SVG text: sharp at any size, readable in any browser, and no library is needed
// for them.

/** The height of a curve at `x`. */
export type Curve = (x: number) => number;

/** A point of a scatter chart; `kind` picks its colour, 0 to 2. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly kind: number;
}

/** A scatter chart: small dots, perhaps a curve through them, perhaps a few large marks. */
export interface Scatter {
  readonly title: string;
  readonly note: string;
  readonly points: readonly ChartPoint[];
  readonly curve?: Curve;
  readonly marks?: readonly ChartPoint[];
}

const width = 960;
const height = 540;
const frame = { left: 64, right: 24, top: 56, bottom: 56 };
const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };
const kindColours = ['#2a78d6', '#d9822b', '#2e9e5b'];

/**
 * Draws a histogram of red, green and blue: 3 x 256 counts. Heights are square roots of the counts, since a
 * few values (a white sky) may be very much more frequent than all others.
 */
export function histogramChart(counts: Uint32Array): string {
  const highest = Math.sqrt(counts.reduce((a, b) => Math.max(a, b), 1));
  const channels = [
    { name: 'red', colour: '#d03b3b' },
    { name: 'green', colour: '#2e9e5b' },
    { name: 'blue', colour: '#2a78d6' },
  ];
  const parts: string[] = [];
  channels.forEach(({ name, colour }, channel) => {
    const corners: string[] = [];
    for (let bin = 0; bin < 256; bin++) {
      const y = place(
        Math.sqrt(counts[channel * 256 + bin]!),
        0,
        highest,
        frame.top + inner.height,
        -inner.height,
      );
      corners.push(`${place(bin, 0, 256, frame.left, inner.width)},${y}`);
      corners.push(`${place(bin + 1, 0, 256, frame.left, inner.width)},${y}`);
    }
    const base = frame.top + inner.height;
    const area = `M${frame.left},${base} L${corners.join(' ')} L${frame.left + inner.width},${base} Z`;
    parts.push(
      `<path d="${area}" fill="${colour}" fill-opacity="0.3" stroke="${colour}"><title>${name}</title></path>`,
    );
  });
  const labels: string[] = [];
  for (let value = 0; value <= 256; value += 64) {
    labels.push(xLabel(place(value, 0, 256, frame.left, inner.width), String(Math.min(value, 255))));
  }
  return page(
    'How often each value of red, green and blue occurs',
    'heights are square roots of the counts',
    parts,
    labels,
  );
}

/** Draws a scatter chart. The axes cover the points and no more. */
export function scatterChart(scatter: Scatter): string {
  const all = [...scatter.points, ...(scatter.marks ?? [])];
  const [left, right] = extent(all.map((point) => point.x));
  const [bottom, top] = extent(all.map((point) => point.y));
  const atX = (x: number) => place(x, left, right, frame.left, inner.width);
  const atY = (y: number) => place(y, bottom, top, frame.top + inner.height, -inner.height);

  const parts = scatter.points.map(
    (point) =>
      `<circle cx="${atX(point.x)}" cy="${atY(point.y)}" r="2" fill="${colourOf(point.kind)}" fill-opacity="0.5"/>`,
  );
  if (scatter.curve !== undefined) {
    const corners: string[] = [];
    for (let i = 0; i <= 100; i++) {
      const x = left + ((right - left) * i) / 100;
      corners.push(`${atX(x)},${atY(scatter.curve(x))}`);
    }
    parts.push(`<polyline points="${corners.join(' ')}" fill="none" stroke="#d03b3b" stroke-width="3"/>`);
  }
  for (const mark of scatter.marks ?? []) {
    parts.push(
      `<circle cx="${atX(mark.x)}" cy="${atY(mark.y)}" r="9" fill="${colourOf(mark.kind)}" stroke="#111" stroke-width="3"/>`,
    );
  }

  const labels: string[] = [];
  for (const value of ticks(left, right)) labels.push(xLabel(atX(value), tickText(value)));
  for (const value of ticks(bottom, top)) labels.push(yLabel(atY(value), tickText(value)));
  return page(scatter.title, scatter.note, parts, labels);
}

/** Where a value lies on paper, to a tenth of a pixel. */
function place(value: number, low: number, high: number, start: number, length: number): number {
  return Math.round((start + ((value - low) / (high - low)) * length) * 10) / 10;
}

function extent(values: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low < high ? [low, high] : [low - 1, low + 1];
}

/** Four to ten round numbers between two values. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!;
  const values: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) values.push(i * step);
  return values;
}

function tickText(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function colourOf(kind: number): string {
  return kindColours[kind % kindColours.length]!;
}

function xLabel(x: number, text: string): string {
  const y = frame.top + inner.height;
  return `<path d="M${x},${y} v6" stroke="#555"/><text x="${x}" y="${y + 24}" text-anchor="middle">${escapeText(text)}</text>`;
}

function yLabel(y: number, text: string): string {
  return `<path d="M${frame.left},${y} h-6" stroke="#555"/><text x="${frame.left - 12}" y="${y + 5}" text-anchor="end">${escapeText(text)}</text>`;
}

function page(title: string, note: string, parts: readonly string[], labels: readonly string[]): string {
  const box = `<rect x="${frame.left}" y="${frame.top}" width="${inner.width}" height="${inner.height}" fill="none" stroke="#555"/>`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14" fill="#222">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${frame.left}" y="34" font-size="18">${escapeText(title)}</text>`,
    `<text x="${width - frame.right}" y="${height - 8}" text-anchor="end" fill="#555">${escapeText(note)}</text>`,
    ...parts,
    box,
    ...labels,
    '</svg>',
  ].join('\n')}\n`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
