/** Images (OpenCL 1.2, 5.3) and samplers (5.5). */
import { formatFacts } from '../../runtime/image-format.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import { CLImage } from '../opencl/image.ts';
import type { CLImageDescriptor, CLImageFormat } from '../opencl/image-descriptors.ts';
import { writeAnswer, writeBytes } from './answers.ts';
import { hostData } from './buffers.ts';
import { type ImportedFunctions, returningObject, returningStatus, type StatusFunction } from './calls.ts';
import type { CHost } from './host.ts';

export function imageFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;

  const transfer =
    (method: 'enqueueReadImage' | 'enqueueWriteImage'): StatusFunction =>
    (queue, image, blocking, origin, region, row, slice, pointer, waitCount, waits, event) => {
      const used = objects.queue(queue);
      const memoryObject = objects.image(image);
      const [start, size] = [memory.triple(origin), memory.triple(region)];
      const bytes = memory.bytesFrom(pointer);
      host.enqueue(waitCount, waits, event, (list, made) =>
        used[method](memoryObject, blocking, start, size, row, slice, bytes, list, made),
      );
    };

  return {
    ...returningObject(host, {
      clCreateImage(context, flags, format, descriptor, pointer) {
        const owner = objects.context(context);
        const data = hostData(host, flags, pointer, undefined);
        return owner.createImage(flags, readFormat(host, format), readDescriptor(host, descriptor), data);
      },

      clCreateImageWithProperties(context, properties, flags, format, descriptor, pointer) {
        const owner = objects.context(context);
        const data = hostData(host, flags, pointer, undefined);
        const [read, size] = [readFormat(host, format), readDescriptor(host, descriptor)];
        return owner.createImageWithProperties(memory.properties(properties), flags, read, size, data);
      },

      clCreateImage2D(context, flags, format, width, height, rowPitch, pointer) {
        const owner = objects.context(context);
        const data = hostData(host, flags, pointer, undefined);
        return owner.createImage2D(flags, readFormat(host, format), width, height, rowPitch, data);
      },

      clCreateImage3D(context, flags, format, width, height, depth, rowPitch, slicePitch, pointer) {
        const owner = objects.context(context);
        const data = hostData(host, flags, pointer, undefined);
        const read = readFormat(host, format);
        return owner.createImage3D(flags, read, width, height, depth, rowPitch, slicePitch, data);
      },

      clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice, waitCount, waits, event) {
        const used = objects.queue(queue);
        const mapped = objects.image(image);
        const [start, size] = [memory.triple(origin), memory.triple(region)];
        const rowPitch = row === 0 ? null : [0];
        const slicePitch = slice === 0 ? null : [0];
        if (row !== 0) memory.check(row, 4);
        if (slice !== 0) memory.check(slice, 4);
        const array = host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueMapImage(mapped, blocking, flags, start, size, rowPitch, slicePitch, list, made),
        );
        if (rowPitch) memory.setU32(row, rowPitch[0]!);
        if (slicePitch) memory.setU32(slice, slicePitch[0]!);
        return array.byteOffset;
      },

      clCreateSampler(context, normalized, addressing, filter) {
        return objects.context(context).createSampler(normalized, addressing, filter);
      },

      clCreateSamplerWithProperties(context, properties) {
        return objects.context(context).createSamplerWithProperties(memory.properties(properties));
      },
    }),

    ...returningStatus(host, {
      clGetSupportedImageFormats(context, flags, type, room, pointer, countPointer) {
        const formats = objects.context(context).getSupportedImageFormats(flags, type);
        if (room === 0 && pointer !== 0) {
          throw new OpenCLError('CL_INVALID_VALUE', 'there is no room for formats');
        }
        if (pointer !== 0) {
          const written = formats.slice(0, room);
          memory.setList(
            pointer,
            written.flatMap(({ channelOrder, channelType }) => [channelOrder, channelType]),
          );
        }
        if (countPointer !== 0) memory.setU32(countPointer, formats.length);
      },

      clEnqueueReadImage: transfer('enqueueReadImage'),
      clEnqueueWriteImage: transfer('enqueueWriteImage'),

      clEnqueueFillImage(queue, image, colour, origin, region, waitCount, waits, event) {
        const used = objects.queue(queue);
        const target = objects.image(image);
        const components = readColour(host, target, colour);
        const [start, size] = [memory.triple(origin), memory.triple(region)];
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueFillImage(target, components, start, size, list, made),
        );
      },

      clEnqueueCopyImage(queue, source, target, sourceOrigin, targetOrigin, region, waitCount, waits, event) {
        const used = objects.queue(queue);
        const [from, to] = [objects.image(source), objects.image(target)];
        const [start, end, size] = [
          memory.triple(sourceOrigin),
          memory.triple(targetOrigin),
          memory.triple(region),
        ];
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueCopyImage(from, to, start, end, size, list, made),
        );
      },

      clEnqueueCopyImageToBuffer(queue, source, target, origin, region, offset, waitCount, waits, event) {
        const used = objects.queue(queue);
        const [from, to] = [objects.image(source), objects.buffer(target)];
        const [start, size] = [memory.triple(origin), memory.triple(region)];
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueCopyImageToBuffer(from, to, start, size, offset, list, made),
        );
      },

      clEnqueueCopyBufferToImage(queue, source, target, offset, origin, region, waitCount, waits, event) {
        const used = objects.queue(queue);
        const [from, to] = [objects.buffer(source), objects.image(target)];
        const [start, size] = [memory.triple(origin), memory.triple(region)];
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueCopyBufferToImage(from, to, offset, start, size, list, made),
        );
      },

      clGetImageInfo(image, name, size, pointer, sizePointer) {
        const answer = objects.image(image).getImageInfo(name);
        if (name !== CL.IMAGE_FORMAT) {
          writeAnswer(host, name, answer, size, pointer, sizePointer);
          return;
        }
        const { channelOrder, channelType } = answer as CLImageFormat;
        const bytes = new Uint8Array(new Uint32Array([channelOrder, channelType]).buffer);
        writeBytes(host, bytes, size, pointer, sizePointer);
      },

      clRetainSampler(sampler) {
        objects.sampler(sampler).retain();
      },

      clReleaseSampler(sampler) {
        objects.release(objects.sampler(sampler));
      },

      clGetSamplerInfo(sampler, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.sampler(sampler).getInfo(name), size, pointer, sizePointer);
      },
    }),
  };
}

/** cl_image_format. */
function readFormat(host: CHost, pointer: number): CLImageFormat {
  const [channelOrder, channelType] = host.memory.list(pointer, 2, 'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR');
  return { channelOrder: channelOrder!, channelType: channelType! };
}

/** cl_image_desc. */
function readDescriptor(host: CHost, pointer: number): CLImageDescriptor {
  const fields = host.memory.list(pointer, 10, 'CL_INVALID_IMAGE_DESCRIPTOR');
  const [type, width, height, depth, arraySize, rowPitch, slicePitch, numMipLevels, numSamples, buffer] =
    fields as [number, number, number, number, number, number, number, number, number, number];
  return {
    type,
    width,
    height,
    depth,
    arraySize,
    rowPitch,
    slicePitch,
    numMipLevels,
    numSamples,
    buffer: buffer === 0 ? null : pixelsOf(host, buffer),
  };
}

/** A buffer, or an image, by the descriptor's mem_object. */
function pixelsOf(host: CHost, number: number): CLBuffer | CLImage {
  const error = 'CL_INVALID_IMAGE_DESCRIPTOR';
  const found = host.objects.memory(number, error);
  return found instanceof CLImage ? found : host.objects.buffer(number, error);
}

/** Four components of 32 bits, of the kind that kernels see for the image's channels (5.3.3). */
function readColour(host: CHost, image: CLImage, pointer: number): number[] {
  const bytes = host.memory.bytes(pointer, 16).slice().buffer;
  const { channelOrder, channelType } = image.format;
  const kind = formatFacts({ order: channelOrder, type: channelType })?.storage.kind;
  if (kind === 'signed') return [...new Int32Array(bytes)];
  return kind === 'unsigned' ? [...new Uint32Array(bytes)] : [...new Float32Array(bytes)];
}
