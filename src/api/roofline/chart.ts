/** The picture of a roofline: both axes logarithmic, the roofs of memory, caches and arithmetic, and the launch as a point. */
import { figure, operationsUnit, type Roofline } from './report.ts';

const width = 640;
const height = 420;
const left = 64;
const right = 20;
const top = 44;
const bottom = 48;

/** Powers of ten from the one at or below `low` to the one at or above `high`. */
function decades(low: number, high: number): readonly number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.max(Math.ceil(Math.log10(high)), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

/** An axis from the first to the last of its ticks, over so many pixels. */
function scale(ticks: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log10(ticks[0]!), Math.log10(ticks.at(-1)!)];
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

/**
 * A picture that stands for itself; undefined for a launch that has no operations or no bytes, and so no place in it. The launch
 * has a point for each of the two roofs, in its colour.
 */
export function rooflineSvg({ kernel, peaks, point }: Roofline): string | undefined {
  const { memory, caches, attained, peak, bound, share } = point;
  if (attained === 0 || caches.bytes === 0) return undefined;
  const { memoryBytes, cacheBytes } = peaks;
  const xs = decades(
    Math.min(caches.intensity, peak / cacheBytes) / 3,
    Math.max(memory.intensity, peak / memoryBytes) * 3,
  );
  const ys = decades(Math.min(attained, memoryBytes * xs[0]!) / 1e9, (peak / 1e9) * 1.5);
  const x = scale(xs, left, width - right);
  const giga = scale(ys, height - bottom, top);
  const y = (perSecond: number): number => giga(perSecond / 1e9);
  const unit = operationsUnit(point.operations);
  const title = `${kernel} on ${peaks.machine}: ${figure(attained / 1e9)} ${unit}, ${Math.round(share * 100)}% of the roof of ${bound}`;
  const isOne = memory.intensity === caches.intensity;
  const label = (intensity: number, bytes: string): string => {
    const isFarRight = x(intensity) > width * 0.7;
    const text = isOne ? kernel : `${kernel}, ${bytes}`;
    return `<text x="${(x(intensity) + (isFarRight ? -11 : 11)).toFixed(1)}" y="${(y(attained) + 4).toFixed(1)}" text-anchor="${isFarRight ? 'end' : 'start'}">${escaped(text)}</text>`;
  };
  const dot = (intensity: number, look: string): string =>
    `<circle cx="${x(intensity).toFixed(1)}" cy="${y(attained).toFixed(1)}" ${look}/>`;
  const grid = [
    ...xs.map(
      (tick) =>
        `<line x1="${x(tick).toFixed(1)}" y1="${top}" x2="${x(tick).toFixed(1)}" y2="${height - bottom}" stroke="#ddd"/><text x="${x(tick).toFixed(1)}" y="${height - bottom + 16}" text-anchor="middle">${figure(tick)}</text>`,
    ),
    ...ys.map(
      (tick) =>
        `<line x1="${left}" y1="${giga(tick).toFixed(1)}" x2="${width - right}" y2="${giga(tick).toFixed(1)}" stroke="#ddd"/><text x="${left - 6}" y="${(giga(tick) + 4).toFixed(1)}" text-anchor="end">${figure(tick)}</text>`,
    ),
  ];
  const roof = (name: string, bytes: number, colour: string, isAbove: boolean): string => {
    // From the left edge, or from where it enters the picture below, to the ridge and along the peak.
    const start = Math.max(xs[0]!, (ys[0]! * 1e9) / bytes);
    const ridge = peak / bytes;
    const places = [
      [start, start * bytes],
      [ridge, peak],
      [xs.at(-1)!, peak],
    ].map(([at, value]) => `${x(at!).toFixed(1)},${y(value!).toFixed(1)}`);
    const middle = Math.sqrt(start * ridge);
    return `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>
<text x="${(x(middle) + (isAbove ? -8 : 8)).toFixed(1)}" y="${(y(middle * bytes) + (isAbove ? -6 : 14)).toFixed(1)}" text-anchor="${isAbove ? 'end' : 'start'}" fill="${colour}">${name} ${figure(bytes / 1e9)} GB/s</text>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="white"/>
<text x="${width / 2}" y="22" text-anchor="middle" font-size="13">${escaped(title)}</text>
${grid.join('\n')}
<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">operations a byte</text>
<text transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${unit}</text>
${roof('caches', cacheBytes, 'darkorange', true)}
${roof('memory', memoryBytes, 'steelblue', false)}
<text x="${width - right - 4}" y="${(y(peak) - 6).toFixed(1)}" text-anchor="end">peak ${figure(peak / 1e9)} ${unit}</text>
${dot(caches.intensity, 'r="4" fill="darkorange"')}
${dot(memory.intensity, 'r="7" fill="none" stroke="steelblue" stroke-width="3"')}
${label(memory.intensity, 'bytes of memory')}
${isOne ? '' : label(caches.intensity, 'bytes asked for')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
