/** Memory objects and samplers of WebCL (3.7 to 3.9). */
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import { CLContext } from '../opencl/context.ts';
import type { CLImage } from '../opencl/image.ts';
import type { CLMemory } from '../opencl/memory.ts';
import type { CLSampler } from '../opencl/sampler.ts';
import type { WebCLContext } from './context.ts';
import { attempt, WebCLException } from './exception.ts';
import { checkSharesGL } from './extensions.ts';
import { checkName, innerOf, outerOf, WebCLObject } from './handles.ts';

/** The flags that WebCL has. */
const memFlags = [CL.MEM_READ_WRITE, CL.MEM_WRITE_ONLY, CL.MEM_READ_ONLY];

/** @throws WebCLException INVALID_VALUE */
export function checkMemFlags(flags: number): void {
  if ((memFlags as readonly number[]).includes(flags)) return;
  throw new WebCLException(
    'INVALID_VALUE',
    `${flags} is none of MEM_READ_WRITE, MEM_WRITE_ONLY and MEM_READ_ONLY`,
    CL.INVALID_VALUE,
  );
}

const memoryNames = [
  CL.MEM_TYPE,
  CL.MEM_FLAGS,
  CL.MEM_SIZE,
  CL.MEM_CONTEXT,
  CL.MEM_ASSOCIATED_MEMOBJECT,
  CL.MEM_OFFSET,
];

export type WebCLMemoryInfo = number | WebCLContext | WebCLMemoryObject | null;

/** What a memory object shares with WebGL; target and level are those of a texture. */
export interface WebCLGLObjectInfo {
  /** GL_OBJECT_BUFFER, GL_OBJECT_TEXTURE2D, GL_OBJECT_RENDERBUFFER. */
  readonly type: number;
  readonly glObject: object;
  readonly textureTarget?: number;
  readonly mipmapLevel?: number;
}

export abstract class WebCLMemoryObject<Inner extends CLMemory = CLMemory> extends WebCLObject<Inner> {
  /** MEM_TYPE, _FLAGS, _SIZE, _CONTEXT, _ASSOCIATED_MEMOBJECT, _OFFSET. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): WebCLMemoryInfo {
    const inner = innerOf<CLMemory>(this);
    attempt(() => inner.check());
    checkName(name, memoryNames);
    switch (name) {
      case CL.MEM_FLAGS:
        return inner.flags & (CL.MEM_READ_WRITE | CL.MEM_WRITE_ONLY | CL.MEM_READ_ONLY);
      case CL.MEM_CONTEXT:
        return outerOf<CLContext, WebCLContext>(inner.context, ownerless);
      case CL.MEM_ASSOCIATED_MEMOBJECT:
        return inner.parent ? outerOf<CLMemory, WebCLMemoryObject>(inner.parent, ownerless) : null;
      default:
        return attempt(() => inner.getInfo(name)) as number;
    }
  }

  /** The object of WebGL that it was created from (KHR_gl_sharing). @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_GL_OBJECT */
  getGLObjectInfo(): WebCLGLObjectInfo {
    const inner = innerOf<CLMemory>(this);
    return attempt(() => {
      inner.check();
      checkSharesGL(inner.context.devices);
      const texture = inner.gl?.texture;
      const place = texture ? { textureTarget: texture.target, mipmapLevel: texture.level } : {};
      return { ...inner.getGLObjectInfo(), ...place };
    });
  }
}

export class WebCLBuffer extends WebCLMemoryObject<CLBuffer> {
  /**
   * A part of the buffer. `origin` is a multiple of DEVICE_MEM_BASE_ADDR_ALIGN bits.
   * @throws WebCLException INVALID_VALUE, INVALID_MEM_OBJECT, INVALID_BUFFER_SIZE, MISALIGNED_SUB_BUFFER_OFFSET
   */
  createSubBuffer(flags: number, origin: number, sizeInBytes: number): WebCLBuffer {
    attempt(() => innerOf<CLBuffer>(this).check());
    checkMemFlags(flags);
    return new WebCLBuffer(
      attempt(() => innerOf<CLBuffer>(this).createSubBuffer(flags, origin, sizeInBytes)),
    );
  }
}

/** What a 2D image is: sizes in pixels, the pitch in bytes. */
export class WebCLImageDescriptor {
  channelOrder: number;
  channelType: number;
  width: number;
  height: number;
  rowPitch: number;

  constructor(
    channelOrder: number = CL.RGBA,
    channelType: number = CL.UNORM_INT8,
    width = 0,
    height = 0,
    rowPitch = 0,
  ) {
    this.channelOrder = channelOrder;
    this.channelType = channelType;
    this.width = width;
    this.height = height;
    this.rowPitch = rowPitch;
  }
}

export class WebCLImage extends WebCLMemoryObject<CLImage> {
  /** What the image is; with a name as for all memory objects. */
  override getInfo(): WebCLImageDescriptor;
  override getInfo(name: number): WebCLMemoryInfo;
  override getInfo(name?: number): WebCLImageDescriptor | WebCLMemoryInfo {
    if (name !== undefined) return super.getInfo(name);
    const inner = innerOf<CLImage>(this);
    attempt(() => inner.check());
    const { channelOrder, channelType, width, height, rowPitch } = inner.shape;
    return new WebCLImageDescriptor(channelOrder, channelType, width, height, rowPitch);
  }

  /** GL_TEXTURE_TARGET, GL_MIPMAP_LEVEL (KHR_gl_sharing). @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_GL_OBJECT, INVALID_VALUE */
  getGLTextureInfo(name: number): number {
    const inner = innerOf<CLImage>(this);
    return attempt(() => {
      inner.check();
      checkSharesGL(inner.context.devices);
      return inner.getGLTextureInfo(name);
    });
  }
}

const samplerNames = [
  CL.SAMPLER_CONTEXT,
  CL.SAMPLER_NORMALIZED_COORDS,
  CL.SAMPLER_ADDRESSING_MODE,
  CL.SAMPLER_FILTER_MODE,
];

export class WebCLSampler extends WebCLObject<CLSampler> {
  /** SAMPLER_CONTEXT, _NORMALIZED_COORDS, _ADDRESSING_MODE, _FILTER_MODE. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): number | boolean | WebCLContext {
    const inner = innerOf<CLSampler>(this);
    attempt(() => inner.check());
    checkName(name, samplerNames);
    const answer = attempt(() => inner.getInfo(name));
    if (answer instanceof CLContext) return outerOf<CLContext, WebCLContext>(answer, ownerless);
    // None of the names is for a list.
    return answer as number | boolean;
  }
}

function ownerless(): never {
  throw new Error('an object of OpenCL without one of WebCL');
}
