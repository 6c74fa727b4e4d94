/** Memory objects: buffers and parts of them (OpenCL 1.2, 5.2). */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import { bytesOf, type HostBytes } from '../../runtime/device-memory.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, invalidQuery } from './handle.ts';

const accessFlags = CL.MEM_READ_WRITE | CL.MEM_WRITE_ONLY | CL.MEM_READ_ONLY;
const pointerFlags = CL.MEM_USE_HOST_PTR | CL.MEM_ALLOC_HOST_PTR | CL.MEM_COPY_HOST_PTR;
const hostFlags = CL.MEM_HOST_WRITE_ONLY | CL.MEM_HOST_READ_ONLY | CL.MEM_HOST_NO_ACCESS;

/** What is mapped now, by the array that was handed out. */
export interface Mapping {
  readonly flags: number;
  readonly offset: number;
  readonly array: Uint8Array;
  count: number;
}

export class CLBuffer extends Handle {
  protected readonly kind = { error: 'CL_INVALID_MEM_OBJECT', noun: 'memory object' } as const;
  readonly context: CLContext;
  readonly flags: number;
  readonly size: number;
  readonly parent: CLBuffer | undefined;
  /** Bytes from the beginning of the parent. */
  readonly origin: number;
  /** The array of USE_HOST_PTR. */
  readonly hostArray: Uint8Array | undefined;
  readonly mappings: Mapping[] = [];
  readonly #runtime: RuntimeBuffer;
  readonly #destructors: ((buffer: CLBuffer) => void)[] = [];

  /** Buffers come from CLContext.createBuffer and createSubBuffer. */
  constructor(
    context: CLContext,
    flags: number,
    runtime: RuntimeBuffer,
    parent: CLBuffer | undefined,
    origin: number,
    hostArray: Uint8Array | undefined,
  ) {
    super();
    this.context = context;
    this.flags = flags;
    this.size = runtime.size;
    this.parent = parent;
    this.origin = origin;
    this.hostArray = hostArray;
    this.#runtime = runtime;
    context.attach();
  }

  /** clCreateBuffer; see CLContext.createBuffer. */
  static create(
    context: CLContext,
    flags: number,
    sizeOrData: number | HostBytes,
    hostPtr?: HostBytes | null,
  ): CLBuffer {
    const data = typeof sizeOrData === 'number' ? (hostPtr ?? undefined) : sizeOrData;
    let used = flags === 0 ? CL.MEM_READ_WRITE : flags;
    // WebCL has no host pointer flags: data given without one is copied.
    if (data && !(used & (CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR))) used |= CL.MEM_COPY_HOST_PTR;
    checkFlags(used);
    const size = typeof sizeOrData === 'number' ? sizeOrData : sizeOrData.byteLength;
    const limit = context.maxMemAllocSize;
    if (!Number.isInteger(size) || size <= 0 || size > limit) {
      throw new OpenCLError(
        'CL_INVALID_BUFFER_SIZE',
        `a buffer of ${size} bytes: the size must be from 1 to ${limit}`,
      );
    }
    const wantsData = (used & (CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR)) !== 0;
    if (wantsData && !data) {
      throw new OpenCLError('CL_INVALID_HOST_PTR', 'USE_HOST_PTR and COPY_HOST_PTR need host data');
    }
    if (data && (!ArrayBuffer.isView(data) || data.byteLength < size)) {
      throw new OpenCLError(
        'CL_INVALID_HOST_PTR',
        `the host data must be a typed array of at least ${size} bytes`,
      );
    }
    const runtime = RuntimeBuffer.create(context.runtime, size);
    const bytes = data ? bytesOf(data).subarray(0, size) : undefined;
    if (bytes) runtime.view(0, size).set(bytes);
    const kept = used & CL.MEM_USE_HOST_PTR ? bytes : undefined;
    return new CLBuffer(context, used, runtime, undefined, 0, kept);
  }

  /** The runtime's buffer. */
  get runtime(): RuntimeBuffer {
    this.check();
    return this.#runtime;
  }

  /** clCreateSubBuffer with BUFFER_CREATE_TYPE_REGION: `size` bytes from `origin` of this buffer. */
  createSubBuffer(memFlags: number, origin: number, sizeInBytes: number): CLBuffer {
    this.check();
    if (this.parent) {
      throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'a part of a buffer cannot be divided again');
    }
    let flags = memFlags;
    const conflict =
      (flags & accessFlags &&
        this.flags & CL.MEM_WRITE_ONLY &&
        flags & (CL.MEM_READ_WRITE | CL.MEM_READ_ONLY)) ||
      (flags & accessFlags &&
        this.flags & CL.MEM_READ_ONLY &&
        flags & (CL.MEM_READ_WRITE | CL.MEM_WRITE_ONLY)) ||
      flags & pointerFlags ||
      (this.flags & CL.MEM_HOST_WRITE_ONLY && flags & CL.MEM_HOST_READ_ONLY) ||
      (this.flags & CL.MEM_HOST_READ_ONLY && flags & CL.MEM_HOST_WRITE_ONLY) ||
      (this.flags & CL.MEM_HOST_NO_ACCESS && flags & (CL.MEM_HOST_READ_ONLY | CL.MEM_HOST_WRITE_ONLY));
    if (conflict) {
      throw new OpenCLError('CL_INVALID_VALUE', 'the flags conflict with those of the whole buffer');
    }
    if ((flags & accessFlags) === 0) flags |= this.flags & accessFlags;
    checkFlags(flags);
    flags |= this.flags & pointerFlags;
    if ((flags & hostFlags) === 0) flags |= this.flags & hostFlags;
    if (!Number.isInteger(origin) || !Number.isInteger(sizeInBytes) || origin < 0) {
      throw new OpenCLError('CL_INVALID_VALUE', `a part of ${sizeInBytes} bytes from ${origin}`);
    }
    if (sizeInBytes <= 0)
      throw new OpenCLError('CL_INVALID_BUFFER_SIZE', 'a part of a buffer needs at least 1 byte');
    if (origin + sizeInBytes > this.size) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `bytes ${origin} to ${origin + sizeInBytes} of a buffer of ${this.size}`,
      );
    }
    const align = Math.min(...this.context.devices.map((device) => device.runtime.info.memBaseAddrAlign)) / 8;
    if (origin % align !== 0) {
      throw new OpenCLError(
        'CL_MISALIGNED_SUB_BUFFER_OFFSET',
        `origin ${origin} is not a multiple of ${align} bytes`,
      );
    }
    const host = this.hostArray?.subarray(origin, origin + sizeInBytes);
    // The whole must outlive its parts.
    this.retain();
    return new CLBuffer(this.context, flags, this.#runtime.part(origin, sizeInBytes), this, origin, host);
  }

  /** clGetMemObjectInfo. */
  getInfo(name: number): number | boolean | CLContext | CLBuffer | Uint8Array | null {
    this.check();
    switch (name) {
      case CL.MEM_TYPE:
        return CL.MEM_OBJECT_BUFFER;
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
        return false;
      default:
        return invalidQuery(name);
    }
  }

  /** clSetMemObjectDestructorCallback: called when the object ends, the last one set first. */
  setDestructorCallback(callback: (buffer: CLBuffer) => void): void {
    this.check();
    if (typeof callback !== 'function')
      throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
    this.#destructors.push(callback);
  }

  protected destroy(): void {
    this.context.runtime.memory.mapped -= this.mappings.length;
    this.#runtime.release();
    this.parent?.release();
    this.context.detach();
    for (const callback of this.#destructors.reverse()) queueMicrotask(() => callback(this));
  }
}

/** @throws OpenCLError CL_INVALID_VALUE */
function checkFlags(flags: number): void {
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_VALUE', `memory flags 0x${flags.toString(16)}: ${why}`);
  };
  if (!Number.isInteger(flags) || flags < 0 || flags & ~(accessFlags | pointerFlags | hostFlags))
    fail('not defined');
  if (severalOf(flags, accessFlags)) fail('READ_WRITE, READ_ONLY and WRITE_ONLY exclude each other');
  if (severalOf(flags, hostFlags))
    fail('HOST_READ_ONLY, HOST_WRITE_ONLY and HOST_NO_ACCESS exclude each other');
  if (flags & CL.MEM_USE_HOST_PTR && flags & (CL.MEM_COPY_HOST_PTR | CL.MEM_ALLOC_HOST_PTR)) {
    fail('USE_HOST_PTR excludes COPY_HOST_PTR and ALLOC_HOST_PTR');
  }
}

function severalOf(flags: number, mask: number): boolean {
  const some = flags & mask;
  return (some & (some - 1)) !== 0;
}
