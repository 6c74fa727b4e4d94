/** Buffers and parts of them (OpenCL 1.2, 5.2). */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { isBitsOf } from './handle.ts';
import { CLMemory, checkFlags, hostDataFor, inheritedFlags, usesInPlace } from './memory.ts';

export class CLBuffer extends CLMemory {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLBuffer';
  readonly type: number = CL.MEM_OBJECT_BUFFER;
  readonly size: number;
  readonly parent: CLBuffer | undefined;
  readonly origin: number;

  /** Buffers come from CLContext.createBuffer and createSubBuffer. */
  constructor(
    context: CLContext,
    flags: number,
    runtime: RuntimeBuffer,
    parent: CLBuffer | undefined,
    origin: number,
    hostArray: Uint8Array | undefined,
  ) {
    super(context, flags, runtime, hostArray);
    if (flags & CL.MEM_READ_ONLY) runtime.kernelAccess = 'read-only';
    else if (flags & CL.MEM_WRITE_ONLY) runtime.kernelAccess = 'write-only';
    this.size = runtime.size;
    this.parent = parent;
    this.origin = origin;
  }

  /** clCreateBuffer; see CLContext.createBuffer. */
  static create(
    context: CLContext,
    flags: number,
    sizeOrData: number | HostBytes,
    hostPtr?: HostBytes | null,
  ): CLBuffer {
    if (!isBitsOf(flags, 0xffffffff)) checkFlags(flags);
    const data = typeof sizeOrData === 'number' ? (hostPtr ?? undefined) : sizeOrData;
    let used = flags === 0 ? CL.MEM_READ_WRITE : flags;
    // WebCL has no host pointer flags: data given without one is copied.
    if (data && !(used & (CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR))) used |= CL.MEM_COPY_HOST_PTR;
    checkFlags(used);
    const size: unknown = typeof sizeOrData === 'number' ? sizeOrData : sizeOrData?.byteLength;
    const limit = context.maxMemAllocSize;
    if (!isWhole(size) || size <= 0 || size > limit) {
      throw new OpenCLError(
        'CL_INVALID_BUFFER_SIZE',
        `a buffer of ${shown(size)} bytes: the size must be from 1 to ${limit}`,
      );
    }
    const svm = used & CL.MEM_USE_HOST_PTR && data && svmPartOf(context, data, size);
    if (svm) return new CLBuffer(context, used, svm, undefined, 0, svm.view(0, size));
    const bytes = hostDataFor(used, data, size);
    const kept = used & CL.MEM_USE_HOST_PTR ? bytes : undefined;
    if (kept && usesInPlace(context, kept)) {
      return new CLBuffer(context, used, RuntimeBuffer.over(context.runtime, kept), undefined, 0, kept);
    }
    const runtime = RuntimeBuffer.create(context.runtime, size);
    if (bytes) runtime.view(0, size).set(bytes);
    return new CLBuffer(context, used, runtime, undefined, 0, kept);
  }

  /** clCreateSubBuffer with BUFFER_CREATE_TYPE_REGION: `size` bytes from `origin` of this buffer. */
  createSubBuffer(memFlags: number, origin: number, sizeInBytes: number): CLBuffer {
    this.check();
    if (this.parent) {
      throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'a part of a buffer cannot be divided again');
    }
    const flags = inheritedFlags(memFlags, this.flags);
    if (!Number.isInteger(origin) || !Number.isInteger(sizeInBytes) || origin < 0) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `a part is made by flags, origin and size in bytes, not origin ${shown(origin)} and size ${shown(sizeInBytes)}`,
      );
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
    return new CLBuffer(this.context, flags, this.runtime.part(origin, sizeInBytes), this, origin, host);
  }
}

/**
 * The part of shared virtual memory that a new buffer is made over.
 * @throws OpenCLError CL_INVALID_BUFFER_SIZE if that ends before the buffer does
 */
function svmPartOf(context: CLContext, data: HostBytes, size: number): RuntimeBuffer | undefined {
  const { memory, svm } = context.runtime;
  const found = ArrayBuffer.isView(data) && memory.holds(data) ? svm.find(data.byteOffset) : undefined;
  if (!found) return undefined;
  const offset = data.byteOffset - found.address;
  if (offset + size <= found.size) return found.part(offset, size);
  throw new OpenCLError(
    'CL_INVALID_BUFFER_SIZE',
    `a buffer of ${size} bytes at ${offset} of ${found.size} bytes of shared memory`,
  );
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}
