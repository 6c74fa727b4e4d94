/** Checks of parts of images, and of the host's arrays for them (OpenCL 1.2, 5.3.3 and 5.3.4). */
import type { Triple } from '../../runtime/command.ts';
import { extentOf, type ImageShape, rectangleAt, regionBytes } from '../../runtime/image-shape.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Rectangle } from '../../runtime/transfer.ts';
import { shown } from '../../source/shown.ts';
import { tripleOf } from './ranges.ts';

/**
 * The origin of a region inside an image, in pixels, rows and slices or images of an array.
 * @throws OpenCLError CL_INVALID_VALUE if the region is not inside; what does not apply must be 0, and 1 in the region
 */
export function checkOrigin(
  shape: ImageShape,
  origin: ArrayLike<number>,
  region: Triple,
  what = 'image',
): Triple {
  const place = tripleOf(origin, 0, `${what} origin`);
  const extent = extentOf(shape);
  const axis = [0, 1, 2].find((index) => place[index]! + region[index]! > extent[index]!);
  if (axis !== undefined) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `${what}: ${region.join(' x ')} pixels at ${place.join(', ')} are not inside ${extent.join(' x ')}`,
    );
  }
  return place;
}

/**
 * The host's side of a transfer: a region from the beginning of an array, with the given pitches or, where they are 0,
 * without gaps.
 * @throws OpenCLError CL_INVALID_VALUE if a pitch is too small or the array too short
 */
export function hostRectangle(
  shape: ImageShape,
  region: Triple,
  rowPitch: number,
  slicePitch: number,
  host: Uint8Array,
): Rectangle {
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_VALUE', `host data: ${why}`);
  };
  const [width, height, depth] = regionBytes(shape, region);
  const row = rowPitch || width;
  if (!Number.isInteger(row) || row < width)
    fail(`row pitch ${shown(rowPitch)} is less than a row, ${width} bytes`);
  if (shape.slicePitch === 0 && slicePitch) fail('an image without slices has no slice pitch');
  const rows = shape.height > 0 ? height : 1;
  const slice = shape.slicePitch === 0 ? 0 : slicePitch || row * rows;
  if (shape.slicePitch > 0 && (!Number.isInteger(slice) || slice < row * rows)) {
    fail(`slice pitch ${shown(slicePitch)} holds less than ${rows} rows of ${row} bytes`);
  }
  const rectangle = rectangleAt(shape, [0, 0, 0], row, slice);
  const end = (depth - 1) * rectangle.slicePitch + (height - 1) * rectangle.rowPitch + width;
  if (end > host.length) fail(`it has ${host.length} bytes; ${end} are needed`);
  return rectangle;
}
