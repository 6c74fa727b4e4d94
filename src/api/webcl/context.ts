/** Contexts of WebCL (3.6). */
import type { HostBytes } from '../../runtime/device-memory.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import { WebCLUserEvent } from './event.ts';
import { attempt, WebCLException } from './exception.ts';
import { checkName, innerOf, WebCLObject } from './handles.ts';
import { checkMemFlags, WebCLBuffer, WebCLImage, WebCLImageDescriptor, WebCLSampler } from './memory.ts';
import { deviceFor, givenDevice, type WebCLDevice } from './platform.ts';
import { WebCLProgram } from './program.ts';
import { WebCLCommandQueue } from './queue.ts';

const names = [CL.CONTEXT_NUM_DEVICES, CL.CONTEXT_DEVICES];

export class WebCLContext extends WebCLObject<CLContext> {
  /** CONTEXT_NUM_DEVICES, CONTEXT_DEVICES. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): number | WebCLDevice[] {
    const inner = innerOf<CLContext>(this);
    attempt(() => inner.check());
    checkName(name, names);
    return name === CL.CONTEXT_NUM_DEVICES ? inner.devices.length : inner.devices.map(deviceFor);
  }

  /**
   * A buffer of so many bytes: a copy of the array's first ones, else zeros.
   * @throws WebCLException INVALID_VALUE, INVALID_BUFFER_SIZE, INVALID_HOST_PTR, MEM_OBJECT_ALLOCATION_FAILURE
   */
  createBuffer(memFlags: number, sizeInBytes: number, hostPtr?: HostBytes | null): WebCLBuffer {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      checkMemFlags(memFlags);
      return new WebCLBuffer(inner.createBuffer(memFlags, Number(sizeInBytes), hostPtr ?? null));
    });
  }

  /** @throws WebCLException INVALID_DEVICE, INVALID_VALUE, INVALID_QUEUE_PROPERTIES */
  createCommandQueue(device?: WebCLDevice | null, properties = 0): WebCLCommandQueue {
    const inner = innerOf<CLContext>(this);
    return new WebCLCommandQueue(attempt(() => inner.createCommandQueue(givenDevice(device), properties)));
  }

  /**
   * A 2D image: a copy of the array's pixels, else zeros.
   * @throws WebCLException INVALID_VALUE, INVALID_IMAGE_FORMAT_DESCRIPTOR, INVALID_IMAGE_SIZE, INVALID_HOST_PTR,
   *   IMAGE_FORMAT_NOT_SUPPORTED, INVALID_OPERATION, MEM_OBJECT_ALLOCATION_FAILURE
   */
  createImage(
    memFlags: number,
    descriptor: Partial<WebCLImageDescriptor>,
    hostPtr?: HostBytes | null,
  ): WebCLImage {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      checkMemFlags(memFlags);
      const { channelOrder = CL.RGBA, channelType = CL.UNORM_INT8, width, height, rowPitch = 0 } = descriptor;
      const format = { channelOrder, channelType };
      return new WebCLImage(inner.createImage2D(memFlags, format, width!, height!, rowPitch, hostPtr));
    });
  }

  /** @throws WebCLException INVALID_VALUE */
  createProgram(source: string): WebCLProgram {
    return new WebCLProgram(attempt(() => innerOf<CLContext>(this).createProgram(source)));
  }

  /** @throws WebCLException INVALID_VALUE, also for coordinates that repeat but are not normalised */
  createSampler(normalizedCoords: boolean, addressingMode: number, filterMode: number): WebCLSampler {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      const repeats = addressingMode === CL.ADDRESS_REPEAT || addressingMode === CL.ADDRESS_MIRRORED_REPEAT;
      if (repeats && !normalizedCoords) {
        const why = 'only normalised coordinates can repeat';
        throw new WebCLException('INVALID_VALUE', why, CL.INVALID_VALUE);
      }
      return new WebCLSampler(inner.createSampler(Boolean(normalizedCoords), addressingMode, filterMode));
    });
  }

  createUserEvent(): WebCLUserEvent {
    return new WebCLUserEvent(attempt(() => innerOf<CLContext>(this).createUserEvent()));
  }

  /** The formats of images, RGBA first. @throws WebCLException INVALID_VALUE */
  getSupportedImageFormats(memFlags: number = CL.MEM_READ_WRITE): WebCLImageDescriptor[] {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      checkMemFlags(memFlags);
      const formats = inner.getSupportedImageFormats(memFlags, CL.MEM_OBJECT_IMAGE2D);
      const rank = (order: number): number => (order === CL.RGBA ? 0 : 1);
      return formats
        .sort((a, b) => rank(a.channelOrder) - rank(b.channelOrder))
        .map(({ channelOrder, channelType }) => new WebCLImageDescriptor(channelOrder, channelType));
    });
  }

  /** Ends the context with everything in it, commands under way included. */
  releaseAll(): void {
    innerOf<CLContext>(this).releaseAll();
  }
}
