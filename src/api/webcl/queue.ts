/** Command queues of WebCL (3.6.5 and following), but for what transfers take from a page: html-queue.ts. */
import type { HostBytes } from '../../runtime/device-memory.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import type { CLEvent } from '../opencl/event.ts';
import type { CLMemory } from '../opencl/memory.ts';
import type { CLCommandQueue } from '../opencl/queue.ts';
import type { WebCLContext } from './context.ts';
import { givenWaitList, type WebCLEvent, type WebCLWaitList } from './event.ts';
import { attempt, WebCLException } from './exception.ts';
import { checkSharesGL } from './extensions.ts';
import {
  checkCallback,
  checkName,
  given,
  innerOf,
  outerOf,
  type WebCLCallback,
  WebCLObject,
} from './handles.ts';
import type { WebCLKernel } from './kernel.ts';
import type { WebCLBuffer, WebCLImage, WebCLMemoryObject } from './memory.ts';
import { deviceFor, type WebCLDevice } from './platform.ts';

const names = [CL.QUEUE_CONTEXT, CL.QUEUE_DEVICE, CL.QUEUE_PROPERTIES];

export type Numbers = ArrayLike<number>;
export type EventOut = WebCLEvent | null | undefined;

/** The event of a call, for the OpenCL API. */
function out(event: EventOut): CLEvent | null {
  return event ? given(event) : null;
}

/** A place in an image, of two numbers; WebCL's images have one slice. @throws WebCLException INVALID_VALUE */
function flat(pair: Numbers, third: 0 | 1, what: string): [number, number, number] {
  if (pair?.length !== 2) {
    throw new WebCLException('INVALID_VALUE', `${what}: two numbers are needed`, CL.INVALID_VALUE);
  }
  return [pair[0]!, pair[1]!, third];
}

/** Three numbers for a rectangle. @throws WebCLException INVALID_VALUE */
function triple(values: Numbers, what: string): Numbers {
  if (values?.length === 3) return values;
  throw new WebCLException('INVALID_VALUE', `${what}: three numbers are needed`, CL.INVALID_VALUE);
}

/** @throws WebCLException INVALID_VALUE if a transfer would end inside an element of the array */
function checkElements(numBytes: number, hostPtr: HostBytes): void {
  const { BYTES_PER_ELEMENT: size = 1 } = (hostPtr ?? {}) as { BYTES_PER_ELEMENT?: number };
  if (numBytes % size === 0) return;
  const why = `${numBytes} bytes are no whole number of elements of ${size} bytes`;
  throw new WebCLException('INVALID_VALUE', why, CL.INVALID_VALUE);
}

export class PlainCommandQueue extends WebCLObject<CLCommandQueue> {
  /** QUEUE_CONTEXT, _DEVICE, _PROPERTIES. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): number | WebCLContext | WebCLDevice {
    const inner = this.#inner();
    attempt(() => inner.check());
    checkName(name, names);
    if (name === CL.QUEUE_DEVICE) return deviceFor(inner.device);
    if (name === CL.QUEUE_PROPERTIES) return inner.properties;
    return outerOf<CLContext, WebCLContext>(inner.context, () => {
      throw new Error('a context of OpenCL without one of WebCL');
    });
  }

  enqueueCopyBuffer(
    srcBuffer: WebCLBuffer,
    dstBuffer: WebCLBuffer,
    srcOffset: number,
    dstOffset: number,
    numBytes: number,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueCopyBuffer(
        given(srcBuffer),
        given(dstBuffer),
        srcOffset,
        dstOffset,
        numBytes,
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  enqueueCopyBufferRect(
    srcBuffer: WebCLBuffer,
    dstBuffer: WebCLBuffer,
    srcOrigin: Numbers,
    dstOrigin: Numbers,
    region: Numbers,
    srcRowPitch: number,
    srcSlicePitch: number,
    dstRowPitch: number,
    dstSlicePitch: number,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueCopyBufferRect(
        given(srcBuffer),
        given(dstBuffer),
        triple(srcOrigin, 'source origin'),
        triple(dstOrigin, 'destination origin'),
        triple(region, 'region'),
        srcRowPitch,
        srcSlicePitch,
        dstRowPitch,
        dstSlicePitch,
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  enqueueCopyImage(
    srcImage: WebCLImage,
    dstImage: WebCLImage,
    srcOrigin: Numbers,
    dstOrigin: Numbers,
    region: Numbers,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueCopyImage(
        given(srcImage),
        given(dstImage),
        flat(srcOrigin, 0, 'source origin'),
        flat(dstOrigin, 0, 'destination origin'),
        flat(region, 1, 'region'),
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  enqueueCopyImageToBuffer(
    srcImage: WebCLImage,
    dstBuffer: WebCLBuffer,
    srcOrigin: Numbers,
    srcRegion: Numbers,
    dstOffset: number,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueCopyImageToBuffer(
        given(srcImage),
        given(dstBuffer),
        flat(srcOrigin, 0, 'source origin'),
        flat(srcRegion, 1, 'region'),
        dstOffset,
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  enqueueCopyBufferToImage(
    srcBuffer: WebCLBuffer,
    dstImage: WebCLImage,
    srcOffset: number,
    dstOrigin: Numbers,
    dstRegion: Numbers,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueCopyBufferToImage(
        given(srcBuffer),
        given(dstImage),
        srcOffset,
        flat(dstOrigin, 0, 'destination origin'),
        flat(dstRegion, 1, 'region'),
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  enqueueReadBuffer(
    buffer: WebCLBuffer,
    blockingRead: boolean,
    bufferOffset: number,
    numBytes: number,
    hostPtr: HostBytes,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() => {
      checkElements(numBytes, hostPtr);
      this.#inner().enqueueReadBuffer(
        given(buffer),
        blockingRead,
        bufferOffset,
        numBytes,
        hostPtr,
        givenWaitList(eventWaitList, blockingRead),
        out(event),
      );
    });
  }

  enqueueReadBufferRect(
    buffer: WebCLBuffer,
    blockingRead: boolean,
    bufferOrigin: Numbers,
    hostOrigin: Numbers,
    region: Numbers,
    bufferRowPitch: number,
    bufferSlicePitch: number,
    hostRowPitch: number,
    hostSlicePitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueReadBufferRect(
        given(buffer),
        blockingRead,
        triple(bufferOrigin, 'buffer origin'),
        triple(hostOrigin, 'host origin'),
        triple(region, 'region'),
        bufferRowPitch,
        bufferSlicePitch,
        hostRowPitch,
        hostSlicePitch,
        hostPtr,
        givenWaitList(eventWaitList, blockingRead),
        out(event),
      ),
    );
  }

  enqueueReadImage(
    image: WebCLImage,
    blockingRead: boolean,
    origin: Numbers,
    region: Numbers,
    hostRowPitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueReadImage(
        given(image),
        blockingRead,
        flat(origin, 0, 'origin'),
        flat(region, 1, 'region'),
        hostRowPitch,
        0,
        hostPtr,
        givenWaitList(eventWaitList, blockingRead),
        out(event),
      ),
    );
  }

  enqueueWriteBuffer(
    buffer: WebCLBuffer,
    blockingWrite: boolean,
    bufferOffset: number,
    numBytes: number,
    hostPtr: HostBytes,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() => {
      checkElements(numBytes, hostPtr);
      this.#inner().enqueueWriteBuffer(
        given(buffer),
        blockingWrite,
        bufferOffset,
        numBytes,
        hostPtr,
        givenWaitList(eventWaitList, blockingWrite),
        out(event),
      );
    });
  }

  enqueueWriteBufferRect(
    buffer: WebCLBuffer,
    blockingWrite: boolean,
    bufferOrigin: Numbers,
    hostOrigin: Numbers,
    region: Numbers,
    bufferRowPitch: number,
    bufferSlicePitch: number,
    hostRowPitch: number,
    hostSlicePitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueWriteBufferRect(
        given(buffer),
        blockingWrite,
        triple(bufferOrigin, 'buffer origin'),
        triple(hostOrigin, 'host origin'),
        triple(region, 'region'),
        bufferRowPitch,
        bufferSlicePitch,
        hostRowPitch,
        hostSlicePitch,
        hostPtr,
        givenWaitList(eventWaitList, blockingWrite),
        out(event),
      ),
    );
  }

  enqueueWriteImage(
    image: WebCLImage,
    blockingWrite: boolean,
    origin: Numbers,
    region: Numbers,
    hostRowPitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#inner().enqueueWriteImage(
        given(image),
        blockingWrite,
        flat(origin, 0, 'origin'),
        flat(region, 1, 'region'),
        hostRowPitch,
        0,
        hostPtr,
        givenWaitList(eventWaitList, blockingWrite),
        out(event),
      ),
    );
  }

  /**
   * Runs a kernel. Offset and local size may be null or empty.
   * @throws WebCLException INVALID_KERNEL, INVALID_KERNEL_ARGS, INVALID_WORK_DIMENSION, INVALID_GLOBAL_WORK_SIZE,
   *   INVALID_GLOBAL_OFFSET, INVALID_WORK_GROUP_SIZE, INVALID_WORK_ITEM_SIZE, INVALID_EVENT_WAIT_LIST; TypeError
   */
  enqueueNDRangeKernel(
    kernel: WebCLKernel,
    workDim: number,
    globalWorkOffset: Numbers | null,
    globalWorkSize: Numbers,
    localWorkSize?: Numbers | null,
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    if (typeof globalWorkSize !== 'object' || globalWorkSize === null) {
      throw new TypeError('the global work size is a list of numbers');
    }
    // A list of the wrong length becomes one without numbers, which is refused in its turn. So does a range without work-items.
    const sized = (sizes: Numbers): Numbers => (sizes.length === workDim ? sizes : []);
    const isEmpty = Array.from(globalWorkSize).includes(0);
    const optional = (sizes: Numbers | null | undefined) => (sizes?.length ? sized(sizes) : null);
    attempt(() =>
      this.#inner().enqueueNDRangeKernel(
        given(kernel),
        workDim,
        optional(globalWorkOffset),
        isEmpty ? [] : sized(globalWorkSize),
        optional(localWorkSize),
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  /**
   * Takes objects of WebGL over (KHR_gl_sharing).
   * @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_CONTEXT, INVALID_MEM_OBJECT, INVALID_GL_OBJECT,
   *   INVALID_EVENT_WAIT_LIST, INVALID_EVENT
   */
  enqueueAcquireGLObjects(
    memObjects: readonly WebCLMemoryObject[],
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#sharing().enqueueAcquireGLObjects(
        memObjects?.map((memory) => given<CLMemory>(memory)),
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  /** Gives them back. @throws WebCLException as {@link enqueueAcquireGLObjects} */
  enqueueReleaseGLObjects(
    memObjects: readonly WebCLMemoryObject[],
    eventWaitList?: WebCLWaitList,
    event?: EventOut,
  ): void {
    attempt(() =>
      this.#sharing().enqueueReleaseGLObjects(
        memObjects?.map((memory) => given<CLMemory>(memory)),
        givenWaitList(eventWaitList),
        out(event),
      ),
    );
  }

  enqueueMarker(event: WebCLEvent): void {
    attempt(() => this.#inner().enqueueMarker(given(event)));
  }

  enqueueBarrier(): void {
    attempt(() => this.#inner().enqueueBarrier());
  }

  enqueueWaitForEvents(eventWaitList: readonly WebCLEvent[]): void {
    attempt(() => this.#inner().enqueueWaitForEvents(givenWaitList(eventWaitList) ?? []));
  }

  /** Sleeps until all commands have ended; with a callback it returns at once and calls it then. */
  finish(whenFinished?: WebCLCallback<PlainCommandQueue>): void {
    checkCallback(whenFinished);
    attempt(() => this.#inner().finish(whenFinished ? () => whenFinished(this) : undefined));
  }

  flush(): void {
    attempt(() => this.#inner().flush());
  }

  /** The queue, where KHR_gl_sharing is enabled. @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED */
  #sharing(): CLCommandQueue {
    const inner = this.#inner();
    inner.check();
    checkSharesGL(inner.context.devices);
    return inner;
  }

  #inner(): CLCommandQueue {
    return innerOf<CLCommandQueue>(this);
  }
}
