// The kernels in plain TypeScript and double precision, from what samplers mean (OpenCL 1.2, 8.2). The
// convolution's reference is that of the image filters, which compute the same.
import type { Picture } from '../support/sample.ts';

/** The picture turned about its middle, linearly filtered; black and transparent where it comes from outside. */
export function rotateReference(source: Picture, cosine: number, sine: number): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(data.length);
  const pixel = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? outside : row * width + column;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const awayX = x + 0.5 - width / 2;
      const awayY = y + 0.5 - height / 2;
      const fromX = cosine * awayX + sine * awayY + width / 2;
      const fromY = cosine * awayY - sine * awayX + height / 2;
      mix(target, y * width + x, data, fromX, fromY, pixel);
    }
  }
  return target;
}

/** The picture `times` times in each direction, every second one mirrored, linearly filtered. */
export function mirrorReference(source: Picture, times: number): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(data.length);
  const pixel = (column: number, row: number): number => inside(row, height) * width + inside(column, width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = folded((times * (x + 0.5)) / width) * width;
      const fromY = folded((times * (y + 0.5)) / height) * height;
      mix(target, y * width + x, data, fromX, fromY, pixel);
    }
  }
  return target;
}

/** A few pixels of a picture, evenly spread. */
export function thinned({ width, height, data }: Picture, columns: number, rows: number): Picture {
  const few = new Uint8Array(columns * rows * 4);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = Math.floor((row * height) / rows) * width + Math.floor((column * width) / columns);
      few.set(data.subarray(from * 4, from * 4 + 4), (row * columns + column) * 4);
    }
  }
  return { width: columns, height: rows, data: few };
}

/** A sampler for normalised coordinates, and the cell that shows it. */
export interface ExploredSampler {
  readonly addressing: 'clamp' | 'clamp-to-edge' | 'repeat' | 'mirrored-repeat';
  readonly filter: 'nearest' | 'linear';
  /** Column and row of the cell's first pixel. */
  readonly corner: readonly [number, number];
}

/** For each sampler a cell with the picture in its middle and half a picture more on every side. */
export function samplersReference(
  source: Picture,
  samplers: readonly ExploredSampler[],
  [cellWidth, cellHeight]: readonly [number, number],
  totalWidth: number,
): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(samplers.length * cellWidth * cellHeight * 4);
  for (const { addressing, filter, corner } of samplers) {
    const pixel = (column: number, row: number): number => {
      const [x, y] = [addressed(addressing, column, width), addressed(addressing, row, height)];
      return x === outside || y === outside ? outside : y * width + x;
    };
    // Without a filter it is the middle of a pixel that is asked for.
    const taken = (place: number): number => (filter === 'nearest' ? Math.floor(place) + 0.5 : place);
    for (let y = 0; y < cellHeight; y++) {
      for (let x = 0; x < cellWidth; x++) {
        const fromX = ((2 * (x + 0.5)) / cellWidth - 0.5) * width;
        const fromY = ((2 * (y + 0.5)) / cellHeight - 0.5) * height;
        mix(target, (corner[1] + y) * totalWidth + corner[0] + x, data, taken(fromX), taken(fromY), pixel);
      }
    }
  }
  return target;
}

/** Which of `length` pixels in a row an index means. */
function addressed(mode: ExploredSampler['addressing'], index: number, length: number): number {
  const modulo = (period: number): number => ((index % period) + period) % period;
  switch (mode) {
    case 'clamp':
      return index < 0 || index >= length ? outside : index;
    case 'clamp-to-edge':
      return inside(index, length);
    case 'repeat':
      return modulo(length);
    case 'mirrored-repeat': {
      const place = modulo(2 * length);
      return place < length ? place : 2 * length - 1 - place;
    }
  }
}

/** What a function of columns and rows answers for a place where no pixel is. */
const outside = -1;

/** Writes the mean of the four pixels around a point, weighted by how near their middles are. */
function mix(
  target: Uint8Array,
  to: number,
  data: Uint8Array,
  x: number,
  y: number,
  pixel: (column: number, row: number) => number,
): void {
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  const right = x - 0.5 - left;
  const below = y - 0.5 - top;
  const corner = (at: number, channel: number): number => (at === outside ? 0 : data[at * 4 + channel]!);
  const [a, b] = [pixel(left, top), pixel(left + 1, top)];
  const [c, d] = [pixel(left, top + 1), pixel(left + 1, top + 1)];
  for (let channel = 0; channel < 4; channel++) {
    const above = (1 - right) * corner(a, channel) + right * corner(b, channel);
    const under = (1 - right) * corner(c, channel) + right * corner(d, channel);
    target[to * 4 + channel] = Math.round((1 - below) * above + below * under);
  }
}

/** From 0 to 1, back to 0, and so on. */
function folded(place: number): number {
  const turn = place % 2;
  return turn > 1 ? 2 - turn : turn;
}

/** The nearest index that exists. */
function inside(index: number, length: number): number {
  return index < 0 ? 0 : index < length ? index : length - 1;
}
