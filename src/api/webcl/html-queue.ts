/**
 * The layer of a command queue that takes elements of a page where plain transfers take arrays (WebCL extensions
 * WEBCL_html_image and WEBCL_html_video): reads go to a canvas, writes come from a canvas, a picture, ImageData or a video.
 */
import type { HostBytes } from '../../runtime/device-memory.ts';
import type { CLEvent } from '../opencl/event.ts';
import { WebCLEvent, type WebCLWaitList } from './event.ts';
import { innerOf } from './handles.ts';
import {
  type CanvasElement,
  canvasTarget,
  isPixelSource,
  type PixelSource,
  pixelsOf,
} from './html-pixels.ts';
import type { WebCLBuffer, WebCLImage } from './memory.ts';
import { type EventOut, type Numbers, PlainCommandQueue } from './queue.ts';

export class WebCLCommandQueue extends PlainCommandQueue {
  override enqueueReadBuffer(
    buffer: WebCLBuffer,
    blockingRead: boolean,
    bufferOffset: number,
    numBytes: number,
    hostPtr: HostBytes | CanvasElement,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    if (!isPixelSource(hostPtr)) {
      const array = hostPtr as HostBytes;
      super.enqueueReadBuffer(buffer, blockingRead, bufferOffset, numBytes, array, eventWaitList, event);
      return;
    }
    readTo(hostPtr as CanvasElement, blockingRead, event, (bytes, done) =>
      super.enqueueReadBuffer(buffer, blockingRead, bufferOffset, numBytes, bytes, eventWaitList, done),
    );
  }

  override enqueueReadBufferRect(
    buffer: WebCLBuffer,
    blockingRead: boolean,
    bufferOrigin: Numbers,
    hostOrigin: Numbers,
    region: Numbers,
    bufferRowPitch: number,
    bufferSlicePitch: number,
    dstCanvas: CanvasElement,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void;
  override enqueueReadBufferRect(...plain: Parameters<PlainCommandQueue['enqueueReadBufferRect']>): void;
  override enqueueReadBufferRect(...given: readonly unknown[]): void {
    const canvas = given[7];
    if (!isPixelSource(canvas)) {
      super.enqueueReadBufferRect(...(given as Parameters<PlainCommandQueue['enqueueReadBufferRect']>));
      return;
    }
    const [buffer, blocking, bufferOrigin, hostOrigin, region, row, slice, , waits, event] = given as [
      WebCLBuffer,
      boolean,
      Numbers,
      Numbers,
      Numbers,
      number,
      number,
      CanvasElement,
      WebCLWaitList,
      EventOut,
    ];
    // As for arrays, a pitch that is not given follows from the region.
    readTo(canvas as CanvasElement, blocking, event, (bytes, done) =>
      super.enqueueReadBufferRect(
        buffer,
        blocking,
        bufferOrigin,
        hostOrigin,
        region,
        row,
        slice,
        0,
        0,
        bytes,
        waits,
        done,
      ),
    );
  }

  override enqueueReadImage(
    image: WebCLImage,
    blockingRead: boolean,
    origin: Numbers,
    region: Numbers,
    dstCanvas: CanvasElement,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void;
  override enqueueReadImage(...plain: Parameters<PlainCommandQueue['enqueueReadImage']>): void;
  override enqueueReadImage(...given: readonly unknown[]): void {
    const canvas = given[4];
    if (!isPixelSource(canvas)) {
      super.enqueueReadImage(...(given as Parameters<PlainCommandQueue['enqueueReadImage']>));
      return;
    }
    const [image, blocking, origin, region, , waits, event] = given as [
      WebCLImage,
      boolean,
      Numbers,
      Numbers,
      CanvasElement,
      WebCLWaitList,
      EventOut,
    ];
    const pitch = canvas.width * bytesOfPixel;
    readTo(canvas as CanvasElement, blocking, event, (bytes, done) =>
      super.enqueueReadImage(image, blocking, origin, region, pitch, bytes, waits, done),
    );
  }

  override enqueueWriteBuffer(
    buffer: WebCLBuffer,
    blockingWrite: boolean,
    bufferOffset: number,
    srcPixels: PixelSource,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void;
  override enqueueWriteBuffer(...plain: Parameters<PlainCommandQueue['enqueueWriteBuffer']>): void;
  override enqueueWriteBuffer(...given: readonly unknown[]): void {
    const source = given[3];
    if (!isPixelSource(source)) {
      super.enqueueWriteBuffer(...(given as Parameters<PlainCommandQueue['enqueueWriteBuffer']>));
      return;
    }
    const [buffer, blocking, offset, , waits, event] = given as [
      WebCLBuffer,
      boolean,
      number,
      PixelSource,
      WebCLWaitList,
      EventOut,
    ];
    const { data } = pixelsOf(source);
    super.enqueueWriteBuffer(buffer, blocking, offset, data.length, data, waits, event);
  }

  override enqueueWriteBufferRect(
    buffer: WebCLBuffer,
    blockingWrite: boolean,
    bufferOrigin: Numbers,
    hostOrigin: Numbers,
    region: Numbers,
    bufferRowPitch: number,
    bufferSlicePitch: number,
    srcPixels: PixelSource,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void;
  override enqueueWriteBufferRect(...plain: Parameters<PlainCommandQueue['enqueueWriteBufferRect']>): void;
  override enqueueWriteBufferRect(...given: readonly unknown[]): void {
    const source = given[7];
    if (!isPixelSource(source)) {
      super.enqueueWriteBufferRect(...(given as Parameters<PlainCommandQueue['enqueueWriteBufferRect']>));
      return;
    }
    const [buffer, blocking, bufferOrigin, hostOrigin, region, row, slice, , waits, event] = given as [
      WebCLBuffer,
      boolean,
      Numbers,
      Numbers,
      Numbers,
      number,
      number,
      PixelSource,
      WebCLWaitList,
      EventOut,
    ];
    const { data } = pixelsOf(source);
    super.enqueueWriteBufferRect(
      buffer,
      blocking,
      bufferOrigin,
      hostOrigin,
      region,
      row,
      slice,
      0,
      0,
      data,
      waits,
      event,
    );
  }

  override enqueueWriteImage(
    image: WebCLImage,
    blockingWrite: boolean,
    srcVideo: PixelSource,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void;
  override enqueueWriteImage(
    image: WebCLImage,
    blockingWrite: boolean,
    origin: Numbers,
    region: Numbers,
    srcPixels: PixelSource,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void;
  override enqueueWriteImage(...plain: Parameters<PlainCommandQueue['enqueueWriteImage']>): void;
  override enqueueWriteImage(...given: readonly unknown[]): void {
    const [image, blocking, third] = given as [WebCLImage, boolean, unknown];
    if (isPixelSource(third)) {
      // A video fills the whole image, or as much as both have.
      const { width, height, data } = pixelsOf(third);
      const [waits, event] = given.slice(3) as [WebCLWaitList, EventOut];
      const size = image.getInfo();
      const region = [Math.min(width, size.width), Math.min(height, size.height)];
      super.enqueueWriteImage(image, blocking, [0, 0], region, width * bytesOfPixel, data, waits, event);
      return;
    }
    const source = given[4];
    if (!isPixelSource(source)) {
      super.enqueueWriteImage(...(given as Parameters<PlainCommandQueue['enqueueWriteImage']>));
      return;
    }
    const [origin, region, , waits, event] = given.slice(2) as [
      Numbers,
      Numbers,
      PixelSource,
      WebCLWaitList,
      EventOut,
    ];
    const { width, data } = pixelsOf(source);
    super.enqueueWriteImage(image, blocking, origin, region, width * bytesOfPixel, data, waits, event);
  }
}

const bytesOfPixel = 4;

/**
 * Reads into a canvas: it shows the pixels when the command has ended. `read` reads into bytes and fills in the event.
 */
function readTo(
  canvas: CanvasElement,
  isBlocking: boolean,
  event: EventOut,
  read: (bytes: Uint8ClampedArray, event: WebCLEvent) => void,
): void {
  const { pixels, put } = canvasTarget(canvas);
  const used = event ?? new WebCLEvent();
  read(pixels.data, used);
  const { runtime } = innerOf<CLEvent>(used);
  if (isBlocking) put();
  else {
    runtime.whenDone(() => {
      if (runtime.error === undefined) put();
    });
  }
  if (!event) used.release();
}
