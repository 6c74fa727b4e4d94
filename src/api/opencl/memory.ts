/** Memory objects: what buffers and images share (OpenCL 1.2, 5.4). */
import type { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { Context } from '../../runtime/context.ts';
import { bytesOf, type HostBytes } from '../../runtime/device-memory.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Rectangle } from '../../runtime/transfer.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import type { GLLink } from './gl/links.ts';
import { Handle, invalidQuery, isBitsOf, shownBits } from './handle.ts';

export const accessFlags = CL.MEM_READ_WRITE | CL.MEM_WRITE_ONLY | CL.MEM_READ_ONLY;
const pointerFlags = CL.MEM_USE_HOST_PTR | CL.MEM_ALLOC_HOST_PTR | CL.MEM_COPY_HOST_PTR;
const hostFlags = CL.MEM_HOST_WRITE_ONLY | CL.MEM_HOST_READ_ONLY | CL.MEM_HOST_NO_ACCESS;

/** What is mapped now, by the array that was handed out. */
export interface Mapping {
  readonly flags: number;
  /** Bytes from the beginning of the object. */
  readonly offset: number;
  readonly array: Uint8Array;
  /** For a part of an image that is mapped into the host's own array: where it comes from and where it lies there. */
  readonly rectangle?: {
    readonly device: Rectangle;
    readonly host: Rectangle;
    readonly region: readonly [number, number, number];
  };
  count: number;
}

/** What clGetMemObjectInfo tells. */
export type MemoryInfo = number | boolean | readonly number[] | CLContext | CLMemory | Uint8Array | null;

export abstract class CLMemory extends Handle {
  protected readonly kind = { error: 'CL_INVALID_MEM_OBJECT', noun: 'memory object' } as const;
  readonly context: CLContext;
  readonly flags: number;
  /** The array of USE_HOST_PTR. */
  readonly hostArray: Uint8Array | undefined;
  /** The same if the device works on other bytes, so that mapping copies; undefined if it works on the array itself. */
  readonly hostCopy: Uint8Array | undefined;
  /** The list that it was created with (CL_MEM_PROPERTIES). */
  properties: readonly number[] = [];
  readonly mappings: Mapping[] = [];
  /** What ties it to an object of OpenGL, if it was created from one. */
  gl: GLLink | undefined;
  readonly #runtime: RuntimeBuffer;
  readonly #destructors: ((memory: CLMemory) => void)[] = [];

  constructor(context: CLContext, flags: number, runtime: RuntimeBuffer, hostArray: Uint8Array | undefined) {
    super();
    this.context = context;
    this.flags = flags;
    this.hostArray = hostArray;
    this.hostCopy = runtime.isHosts || runtime.isSvm ? undefined : hostArray;
    this.#runtime = runtime;
    context.life.attach(this, unmapping(context.runtime, this.mappings, this.hostCopy === undefined));
  }

  /** CL_MEM_OBJECT_*. */
  abstract readonly type: number;
  /** CL_MEM_SIZE: bytes. */
  abstract readonly size: number;
  /** CL_MEM_ASSOCIATED_MEMOBJECT: what it is a part or a view of. */
  abstract readonly parent: CLMemory | undefined;
  /** CL_MEM_OFFSET: bytes from the beginning of the parent. */
  abstract readonly origin: number;

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  /** The runtime's bytes. */
  get runtime(): RuntimeBuffer {
    this.check();
    return this.#runtime;
  }

  /** What of the runtime's memory a launch with the object uses. */
  get uses(): readonly RuntimeBuffer[] {
    return [this.runtime];
  }

  /** CL_MEM_USES_SVM_POINTER: its host array is shared virtual memory. */
  get usesSvmPointer(): boolean {
    const { memory, svm } = this.context.runtime;
    const array = this.hostArray;
    return array !== undefined && memory.holds(array) && svm.find(array.byteOffset) !== undefined;
  }

  /** clGetMemObjectInfo. */
  getInfo(name: number): MemoryInfo {
    this.check();
    switch (name) {
      case CL.MEM_TYPE:
        return this.type;
      case CL.MEM_FLAGS:
        return this.flags;
      case CL.MEM_SIZE:
        return this.size;
      case CL.MEM_HOST_PTR:
        return this.hostArray ?? null;
      case CL.MEM_MAP_COUNT:
        return this.mappings.reduce((sum, mapping) => sum + mapping.count, 0);
      case CL.MEM_REFERENCE_COUNT:
        return this.references;
      case CL.MEM_CONTEXT:
        return this.context;
      case CL.MEM_ASSOCIATED_MEMOBJECT:
        return this.parent ?? null;
      case CL.MEM_OFFSET:
        return this.origin;
      case CL.MEM_USES_SVM_POINTER:
        return this.usesSvmPointer;
      case CL.MEM_PROPERTIES:
        return this.properties;
      default:
        return invalidQuery(name);
    }
  }

  /**
   * clGetGLObjectInfo: the object of OpenGL that it was created from, and what kind that is (GL_OBJECT_*).
   * @throws OpenCLError CL_INVALID_MEM_OBJECT, CL_INVALID_GL_OBJECT
   */
  getGLObjectInfo(): { readonly type: number; readonly glObject: object } {
    this.check();
    if (!this.gl) {
      throw new OpenCLError('CL_INVALID_GL_OBJECT', 'the memory object was not created from one of OpenGL');
    }
    return { type: this.gl.objectType, glObject: this.gl.object };
  }

  /**
   * clSetMemObjectDestructorCallback: called when the object has been released and the commands that use it have ended, the last
   * one set first.
   */
  setDestructorCallback(callback: (memory: CLMemory) => void): void {
    this.check();
    if (typeof callback !== 'function')
      throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
    this.#destructors.push(callback);
  }

  protected destroy(): void {
    // Mappings of the host's own array are none of the device's memory.
    if (!this.hostCopy) this.context.runtime.memory.mapped -= this.mappings.length;
    const { life } = this.context;
    life.forget(this);
    this.#runtime.release();
    this.parent?.release();
    if (this.#destructors.length === 0) {
      life.detach();
      return;
    }
    // Commands under way still use the bytes, those of the host's own array among them (OpenCL 1.2, 5.4.1).
    this.#runtime.whenUnused(() => {
      for (const callback of this.#destructors.reverse()) life.runtime.callBack(() => callback(this));
      life.detach();
    });
  }
}

/** What ends the mappings of an object that was dropped. */
function unmapping({ memory }: Context, mappings: readonly Mapping[], isInPlace: boolean): () => void {
  return () => {
    if (isInPlace) memory.mapped -= mappings.length;
  };
}

/**
 * The host's bytes for a new memory object of `size` bytes, or undefined where the flags ask for none.
 * @throws OpenCLError CL_INVALID_HOST_PTR if flags and data do not fit together (OpenCL 1.2, 5.2.1 and 5.3.1)
 */
export function hostDataFor(
  flags: number,
  data: HostBytes | undefined,
  size: number,
): Uint8Array | undefined {
  const wantsData = (flags & (CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR)) !== 0;
  if (wantsData && !data) {
    throw new OpenCLError('CL_INVALID_HOST_PTR', 'USE_HOST_PTR and COPY_HOST_PTR need host data');
  }
  if (!data) return undefined;
  if (!ArrayBuffer.isView(data) || data.byteLength < size) {
    throw new OpenCLError(
      'CL_INVALID_HOST_PTR',
      `the host data must be a typed array of at least ${size} bytes`,
    );
  }
  return bytesOf(data).subarray(0, size);
}

/** Whether devices can work on the host's own bytes: they lie in the context's memory, and no device keeps copies. */
export function usesInPlace(context: CLContext, bytes: Uint8Array): boolean {
  const { memory, hasCopies } = context.runtime;
  return memory.isLent && !hasCopies && memory.holds(bytes) && bytes.byteOffset >= memory.lowestAddress;
}

/**
 * The flags of a new object that is a part or a view of another: those given, completed by those of the whole.
 * @throws OpenCLError CL_INVALID_VALUE if they allow more than the whole's do
 */
export function inheritedFlags(given: number, whole: number): number {
  if (!isBitsOf(given, 0xffffffff)) checkFlags(given);
  const conflict =
    (given & accessFlags && whole & CL.MEM_WRITE_ONLY && given & (CL.MEM_READ_WRITE | CL.MEM_READ_ONLY)) ||
    (given & accessFlags && whole & CL.MEM_READ_ONLY && given & (CL.MEM_READ_WRITE | CL.MEM_WRITE_ONLY)) ||
    given & pointerFlags ||
    (whole & CL.MEM_HOST_WRITE_ONLY && given & CL.MEM_HOST_READ_ONLY) ||
    (whole & CL.MEM_HOST_READ_ONLY && given & CL.MEM_HOST_WRITE_ONLY) ||
    (whole & CL.MEM_HOST_NO_ACCESS && given & (CL.MEM_HOST_READ_ONLY | CL.MEM_HOST_WRITE_ONLY));
  if (conflict) {
    throw new OpenCLError('CL_INVALID_VALUE', 'the flags conflict with those of the whole buffer');
  }
  let flags = given;
  if ((flags & accessFlags) === 0) flags |= whole & accessFlags;
  checkFlags(flags);
  flags |= whole & pointerFlags;
  if ((flags & hostFlags) === 0) flags |= whole & hostFlags;
  return flags;
}

/** @throws OpenCLError CL_INVALID_VALUE */
export function checkFlags(flags: number): void {
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_VALUE', `memory flags ${shownBits(flags)}: ${why}`);
  };
  if (!isBitsOf(flags, accessFlags | pointerFlags | hostFlags)) fail('not defined');
  if (severalOf(flags, accessFlags)) fail('READ_WRITE, READ_ONLY and WRITE_ONLY exclude each other');
  if (severalOf(flags, hostFlags))
    fail('HOST_READ_ONLY, HOST_WRITE_ONLY and HOST_NO_ACCESS exclude each other');
  if (flags & CL.MEM_USE_HOST_PTR && flags & (CL.MEM_COPY_HOST_PTR | CL.MEM_ALLOC_HOST_PTR)) {
    fail('USE_HOST_PTR excludes COPY_HOST_PTR and ALLOC_HOST_PTR');
  }
}

/** Whether flags have more than one of those in a mask. */
export function severalOf(flags: number, mask: number): boolean {
  const some = flags & mask;
  return (some & (some - 1)) !== 0;
}
