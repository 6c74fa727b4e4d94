/** Checks of ranges and rectangles in memory objects and host arrays (OpenCL 1.2, 5.2.2 and 5.2.3). */
import type { Triple } from '../../runtime/command.ts';
import { bytesOf, type HostBytes } from '../../runtime/device-memory.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Rectangle } from '../../runtime/transfer.ts';
import { shown } from '../../source/shown.ts';

/**
 * @param least the fewest bytes that there must be
 * @throws OpenCLError CL_INVALID_VALUE if [offset, offset + bytes) is shorter or not inside `size` bytes
 */
export function checkRange(offset: number, bytes: number, size: number, what: string, least = 0): void {
  if (
    !Number.isInteger(offset) ||
    !Number.isInteger(bytes) ||
    offset < 0 ||
    bytes < least ||
    offset + bytes > size
  ) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `${what}: a size of ${shown(bytes)} at offset ${shown(offset)}, of ${size} bytes`,
    );
  }
}

/** The bytes of a typed array. @throws OpenCLError CL_INVALID_VALUE if it is none */
export function hostBytes(view: HostBytes): Uint8Array {
  if (!ArrayBuffer.isView(view))
    throw new OpenCLError('CL_INVALID_VALUE', 'the host data must be a typed array');
  return bytesOf(view);
}

/**
 * A copy of the pattern for a fill of `size` bytes from `offset` on.
 * @throws OpenCLError CL_INVALID_VALUE unless its length is a power of two up to 128 that divides both
 */
export function checkPattern(pattern: HostBytes, offset: number, size: number): Uint8Array {
  const bytes = hostBytes(pattern).slice();
  const { length } = bytes;
  if (length < 1 || length > 128 || (length & (length - 1)) !== 0) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `a pattern of ${length} bytes: it must be a power of two up to 128`,
    );
  }
  if (!Number.isInteger(offset) || !Number.isInteger(size) || offset % length !== 0 || size % length !== 0) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `offset and size must be multiples of the pattern's ${length} bytes`,
    );
  }
  return bytes;
}

/** Whether two ranges of `bytes` bytes overlap. */
export function overlaps(a: number, b: number, bytes: number): boolean {
  return a < b + bytes && b < a + bytes;
}

/** Three whole numbers from `least`. @throws OpenCLError CL_INVALID_VALUE */
export function tripleOf(values: ArrayLike<number>, least: number, what: string): Triple {
  const [x, y, z] = [values?.[0], values?.[1], values?.[2]];
  for (const value of [x, y, z]) {
    if (!Number.isInteger(value) || value! < least) {
      throw new OpenCLError('CL_INVALID_VALUE', `${what}: three whole numbers from ${least} are needed`);
    }
  }
  return [x!, y!, z!];
}

/**
 * A rectangle with its pitches, computed where they are 0.
 * @throws OpenCLError CL_INVALID_VALUE if it is not inside `size` bytes, or a pitch is too small
 */
export function rectangle(
  origin: ArrayLike<number>,
  region: Triple,
  rowPitch: number,
  slicePitch: number,
  size: number,
  what: string,
): Rectangle {
  const [x, y, z] = tripleOf(origin, 0, `${what} origin`);
  const [width, height, depth] = region;
  const row = rowPitch || width;
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_VALUE', `${what} rectangle: ${why}`);
  };
  if (!Number.isInteger(row) || row < width)
    fail(`row pitch ${shown(row)} is less than its width, ${width} bytes`);
  const slice = slicePitch || height * row;
  if (!Number.isInteger(slice) || slice < height * row || slice % row !== 0) {
    fail(`slice pitch ${shown(slice)} must be a multiple of row pitch ${row} and hold ${height} rows`);
  }
  const start = z * slice + y * row + x;
  const end = start + (depth - 1) * slice + (height - 1) * row + width;
  if (end > size) fail(`it ends at byte ${end} of ${size}`);
  return { start, rowPitch: row, slicePitch: slice };
}

/**
 * Whether a byte belongs to both rectangles (OpenCL 1.2, appendix E); `a` and `b` are the addresses of their buffers. With
 * different pitches, whether it might.
 */
export function rectanglesOverlap(
  a: number,
  from: Rectangle,
  b: number,
  to: Rectangle,
  region: Triple,
): boolean {
  const [width, height, depth] = region;
  const spanOf = (pitches: Rectangle) =>
    (depth - 1) * pitches.slicePitch + (height - 1) * pitches.rowPitch + width;
  const start = a + from.start;
  const other = b + to.start;
  if (start >= other + spanOf(to) || other >= start + spanOf(from)) return false;
  if (from.rowPitch !== to.rowPitch || from.slicePitch !== to.slicePitch) return true;
  // They meet where the distance of the first bytes is that of two bytes of one rectangle: so many slices, rows and bytes,
  // forwards or back. A row ends before the next begins, and so does a slice, so two numbers of each come into question.
  const around = (distance: number, pitch: number, count: number): number[] => {
    // What is flat has no pitch.
    if (count === 1) return [0];
    const least = Math.floor(distance / pitch);
    return [least, least + 1].filter((steps) => Math.abs(steps) < count);
  };
  const distance = other - start;
  return around(distance, from.slicePitch, depth).some((slices) => {
    const left = distance - slices * from.slicePitch;
    return around(left, from.rowPitch, height).some((rows) => Math.abs(left - rows * from.rowPitch) < width);
  });
}
