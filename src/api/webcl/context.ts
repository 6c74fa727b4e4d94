/** Contexts of WebCL (3.6). */
import type { HostBytes } from '../../runtime/device-memory.ts';
import { formatFacts } from '../../runtime/image-format.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import type { CLImageFormat } from '../opencl/image-descriptors.ts';
import type { CLMemory } from '../opencl/memory.ts';
import { WebCLUserEvent } from './event.ts';
import { attempt, WebCLException } from './exception.ts';
import { checkSharesGL } from './extensions.ts';
import { checkName, innerOf, WebCLObject } from './handles.ts';
import { isPixelSource, isVideo, type PixelSource, pixelsOf } from './html-pixels.ts';
import { WebCLCommandQueue } from './html-queue.ts';
import { checkMemFlags, WebCLBuffer, WebCLImage, WebCLImageDescriptor, WebCLSampler } from './memory.ts';
import { deviceFor, givenDevice, type WebCLDevice } from './platform.ts';
import { WebCLProgram } from './program.ts';

const names = [CL.CONTEXT_NUM_DEVICES, CL.CONTEXT_DEVICES];

/** Orders with an x, and packed pixels, are left out: their bytes a pixel cannot be told from the channels. */
const unsupportedOrders: ReadonlySet<number> = new Set([CL.Rx, CL.RGx, CL.RGB, CL.RGBx]);

/** WebGL's TEXTURE_3D and TEXTURE_2D_ARRAY. */
const layeredTargets: readonly number[] = [0x806f, 0x8c1a];

function isSupported({ channelOrder }: CLImageFormat): boolean {
  return !unsupportedOrders.has(channelOrder);
}

/** Memory may have been used before, and what a program finds in new memory is zeros. */
function clear(memory: CLMemory): void {
  const { runtime } = memory;
  runtime.view(0, runtime.size).fill(0);
}

function imageOf(context: CLContext, memFlags: number, source: PixelSource): WebCLImage {
  if (isVideo(source) && memFlags !== CL.MEM_READ_ONLY) {
    throw new WebCLException('INVALID_VALUE', 'images of videos are MEM_READ_ONLY', CL.INVALID_VALUE);
  }
  const [maxWidth, maxHeight] = context.devices[0]!.runtime.info.image2dMax;
  const { width, height, data } = pixelsOf(source, [maxWidth, maxHeight]);
  const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
  return new WebCLImage(context.createImage2D(memFlags, format, width, height, 0, data));
}

export class WebCLContext extends WebCLObject<CLContext> {
  /** CONTEXT_NUM_DEVICES, CONTEXT_DEVICES. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): number | WebCLDevice[] {
    const inner = innerOf<CLContext>(this);
    attempt(() => inner.check());
    checkName(name, names);
    return name === CL.CONTEXT_NUM_DEVICES ? inner.devices.length : inner.devices.map(deviceFor);
  }

  /**
   * A buffer of so many bytes: a copy of the array's first ones, else zeros. With WEBCL_html_image also of the pixels of an
   * element of the page, four bytes each.
   * @throws WebCLException INVALID_VALUE, INVALID_BUFFER_SIZE, INVALID_HOST_PTR, MEM_OBJECT_ALLOCATION_FAILURE
   */
  createBuffer(memFlags: number, srcPixels: PixelSource): WebCLBuffer;
  createBuffer(memFlags: number, sizeInBytes: number, hostPtr?: HostBytes | null): WebCLBuffer;
  createBuffer(memFlags: number, sizeInBytes: number | PixelSource, hostPtr?: HostBytes | null): WebCLBuffer {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      checkMemFlags(memFlags);
      if (isPixelSource(sizeInBytes)) {
        const { data } = pixelsOf(sizeInBytes);
        return new WebCLBuffer(inner.createBuffer(memFlags, data.length, data));
      }
      const buffer = inner.createBuffer(memFlags, Number(sizeInBytes), hostPtr ?? null);
      if (!hostPtr) clear(buffer);
      return new WebCLBuffer(buffer);
    });
  }

  /** @throws WebCLException INVALID_DEVICE, INVALID_VALUE, INVALID_QUEUE_PROPERTIES */
  createCommandQueue(device?: WebCLDevice | null, properties = 0): WebCLCommandQueue {
    const inner = innerOf<CLContext>(this);
    return new WebCLCommandQueue(attempt(() => inner.createCommandQueue(givenDevice(device), properties)));
  }

  /**
   * A 2D image: a copy of the array's pixels, else zeros. With WEBCL_html_image and WEBCL_html_video also of an element of
   * the page, as RGBA with UNORM_INT8; of a video only MEM_READ_ONLY.
   * @throws WebCLException INVALID_VALUE, INVALID_IMAGE_FORMAT_DESCRIPTOR, INVALID_IMAGE_SIZE, INVALID_HOST_PTR,
   *   IMAGE_FORMAT_NOT_SUPPORTED, INVALID_OPERATION, MEM_OBJECT_ALLOCATION_FAILURE
   */
  createImage(memFlags: number, srcPixels: PixelSource): WebCLImage;
  createImage(
    memFlags: number,
    descriptor: Partial<WebCLImageDescriptor>,
    hostPtr?: HostBytes | null,
  ): WebCLImage;
  createImage(
    memFlags: number,
    descriptor: Partial<WebCLImageDescriptor> | PixelSource,
    hostPtr?: HostBytes | null,
  ): WebCLImage {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      checkMemFlags(memFlags);
      if (isPixelSource(descriptor)) return imageOf(inner, memFlags, descriptor);
      const { channelOrder = CL.RGBA, channelType = CL.UNORM_INT8, width, height, rowPitch = 0 } = descriptor;
      const format = { channelOrder, channelType };
      if (formatFacts({ order: channelOrder, type: channelType }) && !isSupported(format)) {
        const why = 'WebCL has no images of this format';
        throw new WebCLException('IMAGE_FORMAT_NOT_SUPPORTED', why, CL.IMAGE_FORMAT_NOT_SUPPORTED);
      }
      const image = inner.createImage2D(memFlags, format, width!, height!, rowPitch, hostPtr);
      if (!hostPtr) clear(image);
      return new WebCLImage(image);
    });
  }

  /**
   * A buffer as large as a WebGLBuffer, which has its data store (KHR_gl_sharing).
   * @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_CONTEXT, INVALID_VALUE, INVALID_GL_OBJECT
   */
  createFromGLBuffer(memFlags: number, buffer: object): WebCLBuffer {
    return this.#shared((inner) => new WebCLBuffer(inner.createFromGLBuffer(memFlags, buffer)), memFlags);
  }

  /**
   * A 2D image of a WebGLRenderbuffer (KHR_gl_sharing).
   * @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_CONTEXT, INVALID_VALUE, INVALID_GL_OBJECT, INVALID_OPERATION,
   *   INVALID_IMAGE_FORMAT_DESCRIPTOR
   */
  createFromGLRenderbuffer(memFlags: number, renderbuffer: object): WebCLImage {
    return this.#shared(
      (inner) => new WebCLImage(inner.createFromGLRenderbuffer(memFlags, renderbuffer)),
      memFlags,
    );
  }

  /**
   * A 2D image of a level of a WebGLTexture, of TEXTURE_2D or a face of a cube map (KHR_gl_sharing).
   * @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_CONTEXT, INVALID_VALUE, INVALID_GL_OBJECT,
   *   INVALID_MIP_LEVEL, INVALID_IMAGE_FORMAT_DESCRIPTOR
   */
  createFromGLTexture(
    memFlags: number,
    textureTarget: number,
    miplevel: number,
    texture: object,
  ): WebCLImage {
    return this.#shared((inner) => {
      if (layeredTargets.includes(textureTarget)) {
        throw new WebCLException('INVALID_VALUE', 'the images of WebCL are flat', CL.INVALID_VALUE);
      }
      return new WebCLImage(inner.createFromGLTexture(memFlags, textureTarget, miplevel, texture));
    }, memFlags);
  }

  /** The WebGL context that it was created with (KHR_gl_sharing). @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_CONTEXT */
  getGLContext(): object {
    return this.#shared((inner) => {
      if (inner.glShareGroup) return inner.glShareGroup.gl;
      throw new WebCLException(
        'INVALID_CONTEXT',
        'the context was created without one of WebGL',
        CL.INVALID_CONTEXT,
      );
    });
  }

  /** Does something with objects of OpenGL, if the extension is enabled. */
  #shared<T>(action: (inner: CLContext) => T, memFlags?: number): T {
    const inner = innerOf<CLContext>(this);
    return attempt(() => {
      inner.check();
      checkSharesGL(inner.devices);
      if (memFlags !== undefined) checkMemFlags(memFlags);
      return action(inner);
    });
  }

  /** @throws WebCLException INVALID_VALUE */
  createProgram(source: string): WebCLProgram {
    // Here an empty text is no source; OpenCL takes one.
    const texts = source === '' ? [] : source;
    return new WebCLProgram(attempt(() => innerOf<CLContext>(this).createProgram(texts)));
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
      const formats = inner.getSupportedImageFormats(memFlags, CL.MEM_OBJECT_IMAGE2D).filter(isSupported);
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
