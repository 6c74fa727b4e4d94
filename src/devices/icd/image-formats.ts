/** The image formats of a driver's device. A driver tells them of a context, so one is made for the question. */
import type { ImageAccess } from '../../ir/images.ts';
import { formatFacts, type ImageFormat } from '../../runtime/image-format.ts';
import type { Driver } from './driver.ts';

/** CL_MEM_*. */
const flags: Readonly<Record<ImageAccess, number>> = { read_write: 1, write_only: 2, read_only: 4 };

/** Those of a kind of image (cl_mem_object_type) and a way to use them; formats that OpenCL 1.2 does not have are left out. */
export function imageFormatsOf(
  driver: Driver,
  device: number,
  objectType: number,
  way: ImageAccess,
): readonly ImageFormat[] {
  const error = new Int32Array(1);
  const context = driver.clCreateContext(null, 1, BigUint64Array.of(BigInt(device)), 0, 0, error);
  if (error[0] !== 0) return [];
  try {
    const count = new Uint32Array(1);
    const ask = (room: number, formats: Uint32Array | null, found: Uint32Array | null): boolean =>
      driver.clGetSupportedImageFormats(context, flags[way], objectType, room, formats, found) === 0;
    if (!ask(0, null, count) || count[0] === 0) return [];
    const words = new Uint32Array(2 * count[0]!);
    if (!ask(count[0]!, words, null)) return [];
    const formats: ImageFormat[] = [];
    for (let at = 0; at < words.length; at += 2) {
      const format = { order: words[at]!, type: words[at + 1]! };
      if (formatFacts(format)) formats.push(format);
    }
    return formats;
  } finally {
    driver.clReleaseContext(context);
  }
}
