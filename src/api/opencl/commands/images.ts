/**
 * Commands on images (OpenCL 1.2, 5.3.3 to 5.3.5). Origins and regions are three numbers:
 * pixels, rows and slices, where the images of an array count in the dimension after their own.
 */
import type { CommandBody, RectangleRange, Triple } from '../../../runtime/command.ts';
import type { HostBytes } from '../../../runtime/device-memory.ts';
import type { RuntimeEvent } from '../../../runtime/event.ts';
import { checkImage } from '../../../runtime/image.ts';
import { encodePixel } from '../../../runtime/image-colour.ts';
import { formatFacts } from '../../../runtime/image-format.ts';
import { type ImageShape, partOfImage, regionBytes } from '../../../runtime/image-shape.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import {
  fillRectangle,
  type Rectangle,
  readRectangle,
  settled,
  writeRectangle,
} from '../../../runtime/transfer.ts';
import { CLBuffer } from '../buffer.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { CLImage } from '../image.ts';
import { checkOrigin, hostRectangle } from '../image-regions.ts';
import { QueueState } from '../queue-state.ts';
import { checkRange, hostBytes, rectanglesOverlap, tripleOf } from '../ranges.ts';

/** Where a function of C writes a size: the first element of an array. */
export type SizeResult = { [index: number]: number } | null | undefined;

export abstract class ImageCommands extends QueueState {
  /** clEnqueueReadImage: a part of an image into an array. Pitches are those of the array; 0 is computed. */
  enqueueReadImage(
    image: CLImage,
    blockingRead: boolean | number,
    origin: ArrayLike<number>,
    region: ArrayLike<number>,
    rowPitch: number,
    slicePitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    const part = this.imageTransfer(image, origin, region, rowPitch, slicePitch, hostPtr);
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(image.shape);
    this.hostMayRead(image);
    const options = { type: CL.COMMAND_READ_IMAGE, blocking: Boolean(blockingRead), waits };
    const { device, bytes, host, size } = part;
    return this.give(readRectangle(this.runtime, image.runtime, device, bytes, host, size, options), event);
  }

  /** clEnqueueWriteImage. The array may be changed as soon as this returns. */
  enqueueWriteImage(
    image: CLImage,
    blockingWrite: boolean | number,
    origin: ArrayLike<number>,
    region: ArrayLike<number>,
    inputRowPitch: number,
    inputSlicePitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    const part = this.imageTransfer(image, origin, region, inputRowPitch, inputSlicePitch, hostPtr);
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(image.shape);
    this.hostMayWrite(image);
    const options = { type: CL.COMMAND_WRITE_IMAGE, blocking: Boolean(blockingWrite), waits };
    const { device, bytes, host, size } = part;
    return this.give(writeRectangle(this.runtime, image.runtime, device, bytes, host, size, options), event);
  }

  /**
   * clEnqueueFillImage. The colour is red, green, blue and alpha: whole numbers for images of integers, else floating point,
   * which is converted as write_image does.
   */
  enqueueFillImage(
    image: CLImage,
    fillColor: ArrayLike<number>,
    origin: ArrayLike<number>,
    region: ArrayLike<number>,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(image, CLImage);
    const colour = [0, 1, 2, 3].map((component) => fillColor?.[component]);
    if (colour.some((value) => typeof value !== 'number')) {
      throw new OpenCLError('CL_INVALID_VALUE', 'a fill colour is four numbers');
    }
    const size = tripleOf(region, 1, 'region');
    const place = checkOrigin(image.shape, origin, size);
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(image.shape);
    const { channelOrder, channelType } = image.shape;
    const pixel = encodePixel(
      formatFacts({ order: channelOrder, type: channelType })!,
      colour as readonly number[],
    );
    const to = partOfImage(image.shape, place);
    const bytes = regionBytes(image.shape, size);
    const type = CL.COMMAND_FILL_IMAGE;
    return this.give(fillRectangle(this.runtime, image.runtime, to, pixel, bytes, { type, waits }), event);
  }

  /** clEnqueueCopyImage, between images of any two kinds and the same format. */
  enqueueCopyImage(
    srcImage: CLImage,
    dstImage: CLImage,
    srcOrigin: ArrayLike<number>,
    dstOrigin: ArrayLike<number>,
    region: ArrayLike<number>,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(srcImage, CLImage);
    this.checkMemory(dstImage, CLImage);
    const [source, target] = [srcImage.shape, dstImage.shape];
    if (source.channelOrder !== target.channelOrder || source.channelType !== target.channelType) {
      throw new OpenCLError('CL_IMAGE_FORMAT_MISMATCH', 'source and destination differ in their formats');
    }
    const size = tripleOf(region, 1, 'region');
    const from = partOfImage(source, checkOrigin(source, srcOrigin, size, 'source'));
    const to = partOfImage(target, checkOrigin(target, dstOrigin, size, 'destination'));
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(source);
    this.deviceHas(target);
    const bytes = regionBytes(source, size);
    return this.copyImage(CL.COMMAND_COPY_IMAGE, srcImage, from, dstImage, to, bytes, waits, event);
  }

  /** clEnqueueCopyImageToBuffer: the region lies in the buffer without gaps. */
  enqueueCopyImageToBuffer(
    srcImage: CLImage,
    dstBuffer: CLBuffer,
    srcOrigin: ArrayLike<number>,
    region: ArrayLike<number>,
    dstOffset: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(srcImage, CLImage);
    this.checkMemory(dstBuffer, CLBuffer);
    const size = tripleOf(region, 1, 'region');
    const from = partOfImage(srcImage.shape, checkOrigin(srcImage.shape, srcOrigin, size, 'source'));
    const bytes = regionBytes(srcImage.shape, size);
    const to = packed(bytes, dstOffset, dstBuffer, 'destination');
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(srcImage.shape);
    return this.copyImage(
      CL.COMMAND_COPY_IMAGE_TO_BUFFER,
      srcImage,
      from,
      dstBuffer,
      to,
      bytes,
      waits,
      event,
    );
  }

  /** clEnqueueCopyBufferToImage: the region lies in the buffer without gaps. */
  enqueueCopyBufferToImage(
    srcBuffer: CLBuffer,
    dstImage: CLImage,
    srcOffset: number,
    dstOrigin: ArrayLike<number>,
    region: ArrayLike<number>,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(srcBuffer, CLBuffer);
    this.checkMemory(dstImage, CLImage);
    const size = tripleOf(region, 1, 'region');
    const to = partOfImage(dstImage.shape, checkOrigin(dstImage.shape, dstOrigin, size, 'destination'));
    const bytes = regionBytes(dstImage.shape, size);
    const from = packed(bytes, srcOffset, srcBuffer, 'source');
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(dstImage.shape);
    return this.copyImage(
      CL.COMMAND_COPY_BUFFER_TO_IMAGE,
      srcBuffer,
      from,
      dstImage,
      to,
      bytes,
      waits,
      event,
    );
  }

  /**
   * clEnqueueMapImage: the image's own bytes from the region's first pixel to its last, not copied (for USE_HOST_PTR: the
   * host's array). Their pitches are written to the two arrays, as to the pointers of C.
   */
  enqueueMapImage(
    image: CLImage,
    blockingMap: boolean | number,
    mapFlags: number,
    origin: ArrayLike<number>,
    region: ArrayLike<number>,
    imageRowPitch: SizeResult,
    imageSlicePitch?: SizeResult,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): Uint8Array {
    this.checkMemory(image, CLImage);
    const { shape, runtime } = image;
    const size = tripleOf(region, 1, 'region');
    const place = checkOrigin(shape, origin, size);
    this.checkMapFlags(mapFlags);
    if (!imageRowPitch) throw new OpenCLError('CL_INVALID_VALUE', 'mapping needs a place for the row pitch');
    if (shape.slicePitch > 0 && !imageSlicePitch) {
      throw new OpenCLError('CL_INVALID_VALUE', 'mapping such an image needs a place for the slice pitch');
    }
    const waits = this.waits(eventWaitList, event);
    this.deviceHas(shape);
    this.checkMapAccess(image, mapFlags);
    if (blockingMap) this.runtime.settle(waits);
    const device = partOfImage(shape, place);
    const bytes = regionBytes(shape, size);
    const invalidates = (mapFlags & CL.MAP_WRITE_INVALIDATE_REGION) !== 0;
    const type = CL.COMMAND_MAP_IMAGE;
    let done: RuntimeEvent;
    let array: Uint8Array;
    if (image.hostCopy) {
      const whole = image.hostPart(place);
      array = image.hostCopy.subarray(whole.start, whole.start + spanOf(whole, bytes));
      const host = { ...whole, start: 0 };
      const options = { type, blocking: Boolean(blockingMap), waits };
      done = invalidates
        ? settled(this.marker(type, { kind: 'marker' }, waits, [runtime]), options)
        : readRectangle(this.runtime, runtime, device, array, host, bytes, options);
      const rectangle = { device, host, region: bytes };
      image.mappings.push({ flags: mapFlags, offset: device.start, array, rectangle, count: 1 });
    } else {
      const reads = { memory: runtime, offset: device.start };
      done = this.marker(type, { kind: 'marker', reads }, waits, [runtime]);
      settled(done, { blocking: Boolean(blockingMap) });
      array = runtime.view(device.start, spanOf(device, bytes));
      image.mappings.push({ flags: mapFlags, offset: device.start, array, count: 1 });
      this.context.runtime.memory.mapped += 1;
    }
    imageRowPitch[0] = image.rowPitch;
    if (imageSlicePitch) imageSlicePitch[0] = image.slicePitch;
    this.give(done, event);
    return array;
  }

  protected deviceHas(shape: ImageShape): void {
    checkImage(this.device.runtime, shape);
    if (shape.channelOrder !== CL.DEPTH_STENCIL) return;
    throw new OpenCLError(
      'CL_INVALID_OPERATION',
      'images of depths and stencils are for kernels alone: no command of the host reads, writes, copies, fills or maps them',
    );
  }

  /** What a read or a write moves. */
  protected imageTransfer(
    image: CLImage,
    origin: ArrayLike<number>,
    region: ArrayLike<number>,
    rowPitch: number,
    slicePitch: number,
    hostPtr: HostBytes,
  ): { device: Rectangle; bytes: Uint8Array; host: Rectangle; size: Triple } {
    this.checkMemory(image, CLImage);
    const { shape } = image;
    const size = tripleOf(region, 1, 'region');
    const device = partOfImage(shape, checkOrigin(shape, origin, size));
    const bytes = hostBytes(hostPtr);
    const host = hostRectangle(shape, size, rowPitch, slicePitch, bytes);
    return { device, bytes, host, size: regionBytes(shape, size) };
  }

  protected copyImage(
    type: number,
    source: CLImage | CLBuffer,
    from: Rectangle,
    target: CLImage | CLBuffer,
    to: Rectangle,
    region: Triple,
    waits: readonly RuntimeEvent[],
    event: CLEvent | null | undefined,
  ): CLEvent {
    const [a, b] = [source.runtime, target.runtime];
    if (rectanglesOverlap(a.address, from, b.address, to, region)) {
      throw new OpenCLError('CL_MEM_COPY_OVERLAP', 'source and destination overlap');
    }
    const range = (memory: CLImage['runtime'], place: Rectangle): RectangleRange => ({
      memory,
      offset: place.start,
      rowPitch: place.rowPitch,
      slicePitch: place.slicePitch,
    });
    const body: CommandBody = {
      kind: 'copy-rectangle',
      source: range(a, from),
      target: range(b, to),
      region,
    };
    return this.give(this.runtime.enqueue(type, body, waits, [a, b]), event);
  }
}

/** A region without gaps in a buffer. @throws OpenCLError CL_INVALID_VALUE if it is not inside */
function packed(region: Triple, offset: number, buffer: CLBuffer, what: string): Rectangle {
  const [width, height, depth] = region;
  checkRange(offset, width * height * depth, buffer.size, what, 1);
  return { start: offset, rowPitch: width, slicePitch: width * height };
}

/** Bytes from the first to the last of a rectangle. */
function spanOf({ rowPitch, slicePitch }: Rectangle, [width, height, depth]: Triple): number {
  return (depth - 1) * slicePitch + (height - 1) * rowPitch + width;
}
