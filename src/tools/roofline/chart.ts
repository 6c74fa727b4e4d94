/** The picture of a roofline: both axes logarithmic, the roofs of memory, caches and arithmetic, and the launch as a point. */
import { svgText } from '../svg-text.ts';
import { figure, operationsUnit, type Roofline } from './report.ts';

export interface PictureOptions {
  /** Units across, as large as the pixels of a screen; default 640. */
  readonly width?: number | undefined;
  /** Whether its title stands in it; default yes. For readers of screens it always does. */
  readonly hasTitle?: boolean | undefined;
}

const left = 64;
const right = 20;
const bottom = 48;
/** Of the name of a roof. */
const nameWidth = 100;

/** Colours by the classes of what is drawn. A picture in a dark page, or seen on a dark screen, is dark. */
const style = `text{fill:#1d2429}.paper{fill:#fff}.grid{stroke:#ddd}
.memory{stroke:#2f6f9f}.caches{stroke:#b35900}.of-memory{fill:#2f6f9f}.of-caches{fill:#b35900}
@media (prefers-color-scheme:dark){text{fill:#dfe5e9}.paper{fill:#1c2126}.grid{stroke:#343c43}
.memory{stroke:#7fbfe8}.caches{stroke:#f0a050}.of-memory{fill:#7fbfe8}.of-caches{fill:#f0a050}}`;

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

/** The launch and the machine in one line, as the picture has it. */
export function rooflineTitle({ kernel, peaks, point }: Roofline): string {
  const { attained, bound, share } = point;
  return `${kernel} on ${peaks.machine}: ${figure(attained / 1e9)} ${operationsUnit(point.operations)}, ${Math.round(share * 100)}% of the roof of ${bound}`;
}

/**
 * A picture that stands for itself; undefined for a launch that has no operations or no bytes, and so no place in it. The launch
 * has a point for each of the two roofs, in its colour.
 */
export function rooflineSvg(
  found: Roofline,
  { width = 640, hasTitle = true }: PictureOptions = {},
): string | undefined {
  const { kernel, peaks, point } = found;
  const { memory, caches, attained, peak } = point;
  if (attained === 0 || caches.bytes === 0) return undefined;
  const top = hasTitle ? 44 : 20;
  const height = Math.round((width - left - right) * 0.59) + top + bottom;
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
  const title = rooflineTitle(found);
  const isOne = memory.intensity === caches.intensity;
  const label = (intensity: number, bytes: string): string => {
    const isFarRight = x(intensity) > width * 0.7;
    const text = isOne ? kernel : `${kernel}, ${bytes}`;
    return `<text x="${(x(intensity) + (isFarRight ? -11 : 11)).toFixed(1)}" y="${(y(attained) + 4).toFixed(1)}" text-anchor="${isFarRight ? 'end' : 'start'}">${svgText(text)}</text>`;
  };
  const dot = (intensity: number, look: string): string =>
    `<circle cx="${x(intensity).toFixed(1)}" cy="${y(attained).toFixed(1)}" ${look}/>`;
  const grid = [
    ...xs.map(
      (tick) =>
        `<line x1="${x(tick).toFixed(1)}" y1="${top}" x2="${x(tick).toFixed(1)}" y2="${height - bottom}" class="grid"/><text x="${x(tick).toFixed(1)}" y="${height - bottom + 16}" text-anchor="middle">${figure(tick)}</text>`,
    ),
    ...ys.map(
      (tick) =>
        `<line x1="${left}" y1="${giga(tick).toFixed(1)}" x2="${width - right}" y2="${giga(tick).toFixed(1)}" class="grid"/><text x="${left - 6}" y="${(giga(tick) + 4).toFixed(1)}" text-anchor="end">${figure(tick)}</text>`,
    ),
  ];
  // Names stand outside of the two slopes: measured on a busy machine, memory may have come out as the faster.
  const roof = (name: 'memory' | 'caches', bytes: number, isAbove: boolean): string => {
    // From the left edge, or from where it enters the picture below, to the ridge and along the peak.
    const start = Math.max(xs[0]!, (ys[0]! * 1e9) / bytes);
    const ridge = peak / bytes;
    const places = [
      [start, start * bytes],
      [ridge, peak],
      [xs.at(-1)!, peak],
    ].map(([at, value]) => [x(at!), y(value!)]);
    // Beside the middle of the slope; above it further right, where the name would else stand on the axis.
    const [[startX, startY], [ridgeX, ridgeY]] = places as [[number, number], [number, number]];
    const middle = (startX + ridgeX) / 2;
    const nameX = isAbove ? Math.min(Math.max(middle, left + nameWidth), ridgeX) : middle;
    const nameY = startY + ((nameX - startX) / (ridgeX - startX)) * (ridgeY - startY);
    return `<polyline points="${places.map((place) => place.map((at) => at.toFixed(1)).join(',')).join(' ')}" fill="none" class="${name}" stroke-width="2"/>
<text x="${(nameX + (isAbove ? -8 : 8)).toFixed(1)}" y="${(nameY + (isAbove ? -6 : 14)).toFixed(1)}" text-anchor="${isAbove ? 'end' : 'start'}" class="of-${name}">${name} ${figure(bytes / 1e9)} GB/s</text>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">
<title>${svgText(title)}</title>
<style>${style}</style>
<rect width="${width}" height="${height}" class="paper"/>
${hasTitle ? `<text x="${width / 2}" y="22" text-anchor="middle" font-size="13">${svgText(title)}</text>` : ''}
${grid.join('\n')}
<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">operations a byte</text>
<text transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${unit}</text>
${roof('caches', cacheBytes, cacheBytes >= memoryBytes)}
${roof('memory', memoryBytes, memoryBytes > cacheBytes)}
<text x="${width - right - 4}" y="${(y(peak) - 6).toFixed(1)}" text-anchor="end">peak ${figure(peak / 1e9)} ${unit}</text>
${dot(caches.intensity, 'r="4" class="of-caches"')}
${dot(memory.intensity, 'r="7" fill="none" class="memory" stroke-width="3"')}
${label(memory.intensity, 'bytes of memory')}
${isOne ? '' : label(caches.intensity, 'bytes asked for')}
</svg>
`;
}
