/** For every format that a context has: what the host writes when it fills an image is what a kernel writes. */
import { CL, type CLContext, type CLImageFormat } from 'millrace/opencl';

const source = `
kernel void writef(write_only image2d_t image, float4 colour) { write_imagef(image, (int2)(1, 0), colour); }
kernel void writei(write_only image2d_t image, int4 colour) { write_imagei(image, (int2)(1, 0), colour); }
kernel void writeui(write_only image2d_t image, uint4 colour) { write_imageui(image, (int2)(1, 0), colour); }`;

const floats = [
  [0, 1, 0.5, 0.25],
  [1 / 3, -1, 2, 0.7],
  [-0.3, 0.999, 1e-5, -0.6],
];
const signed = [
  [0, 1, -1, 127],
  [-129, 40_000, -40_000, 2_000_000_000],
];
const unsigned = [
  [0, 1, 255, 256],
  [65_535, 70_000, 4_000_000_000, 7],
];

/** The channel types of whole numbers; all others are floating point to a kernel. */
const signedTypes: readonly number[] = [CL.SIGNED_INT8, CL.SIGNED_INT16, CL.SIGNED_INT32];
const unsignedTypes: readonly number[] = [CL.UNSIGNED_INT8, CL.UNSIGNED_INT16, CL.UNSIGNED_INT32];

/** How many bytes a channel type's numbers have; packed ones are looked at as a whole. */
function arrayOf({
  channelType,
}: CLImageFormat): typeof Uint8Array | typeof Uint16Array | typeof Uint32Array {
  const bytes: readonly number[] = [CL.UNORM_INT8, CL.SNORM_INT8, CL.SIGNED_INT8, CL.UNSIGNED_INT8];
  const words: readonly number[] = [CL.FLOAT, CL.SIGNED_INT32, CL.UNSIGNED_INT32, CL.UNORM_INT_101010];
  if (bytes.includes(channelType)) return Uint8Array;
  return words.includes(channelType) ? Uint32Array : Uint16Array;
}

/**
 * The number of formats compared, and where the pixels differ by more than `allowed` in the last place: how a colour is
 * rounded is up to a device (OpenCL 1.2, 8.3.1).
 */
export function compareFills(context: CLContext, allowed: number): { count: number; differences: string[] } {
  const program = context.createProgram(source);
  program.build();
  const queue = context.createCommandQueue();
  // Images of depths are for kernels of their own.
  const formats = context
    .getSupportedImageFormats(CL.MEM_WRITE_ONLY, CL.MEM_OBJECT_IMAGE2D)
    .filter(({ channelOrder }) => channelOrder !== CL.DEPTH);
  const differences: string[] = [];
  for (const format of formats) {
    const [name, colours] = kernelFor(format);
    const kernel = program.createKernel(name);
    const size = { type: CL.MEM_OBJECT_IMAGE2D, width: 2, height: 1 };
    const image = context.createImage(CL.MEM_WRITE_ONLY, format, size);
    for (const colour of colours) {
      queue.enqueueFillImage(image, colour, [0, 0, 0], [1, 1, 1]);
      kernel.setArg(0, image);
      kernel.setArg(1, colour);
      queue.enqueueNDRangeKernel(kernel, 1, null, [1]);
      const bytes = new Uint8Array(2 * (image.getImageInfo(CL.IMAGE_ELEMENT_SIZE) as number));
      queue.enqueueReadImage(image, true, [0, 0, 0], [2, 1, 1], 0, 0, bytes);
      const numbers = new (arrayOf(format))(bytes.buffer);
      const filled = numbers.slice(0, numbers.length / 2);
      const written = numbers.slice(numbers.length / 2);
      if (filled.every((value, index) => Math.abs(value - written[index]!) <= allowed)) continue;
      const words = [format.channelOrder, format.channelType].map((word) => word.toString(16));
      differences.push(
        `${words.join()} ${colour.join()}: filled ${filled.join()}, written ${written.join()}`,
      );
    }
    image.release();
    kernel.release();
  }
  return { count: formats.length, differences };
}

function kernelFor({ channelType }: CLImageFormat): [string, readonly number[][]] {
  if (signedTypes.includes(channelType)) return ['writei', signed];
  return unsignedTypes.includes(channelType) ? ['writeui', unsigned] : ['writef', floats];
}
