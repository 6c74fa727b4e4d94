/**
 * Shared virtual memory (OpenCL 2.0, 5.6): buffers whose addresses mean the same to the host and to kernels, so that data may
 * hold pointers. To JavaScript the bytes are typed arrays over the context's memory, and an address is a number.
 */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { isBitsOf, shownBits } from './handle.ts';
import { accessFlags, severalOf } from './memory.ts';

/**
 * Where shared memory is: a buffer of it (its beginning), an address in one, or a typed array over bytes of one. In programs
 * in C, whose memory is the device's, any address.
 */
export type SVMPointer = CLSVMBuffer | number | HostBytes;

/** The constructors of typed arrays. */
type ArrayType<T> = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => T;

/** The largest alignment that clSVMAlloc takes: that of the largest types. */
const largestAlignment = 128;

const svmFlags = accessFlags | CL.MEM_SVM_FINE_GRAIN_BUFFER | CL.MEM_SVM_ATOMICS;

/** What CLContext.svmAlloc gives. It lasts until it is given to svmFree, whoever refers to it: addresses may be anywhere. */
export class CLSVMBuffer {
  readonly context: CLContext;
  readonly flags: number;
  /** What kernels know it by. 128-aligned. */
  readonly address: number;
  /** Bytes. */
  readonly size: number;
  readonly #runtime: RuntimeBuffer;

  /** They come from CLContext.svmAlloc. */
  constructor(context: CLContext, flags: number, runtime: RuntimeBuffer) {
    this.context = context;
    this.flags = flags;
    this.address = runtime.address;
    this.size = runtime.size;
    this.#runtime = runtime;
  }

  /** Whether svmFree has had it. */
  get isFreed(): boolean {
    return this.context.runtime.svm.find(this.address) !== this.#runtime;
  }

  /** All bytes, in the memory that kernels work in. @throws OpenCLError CL_INVALID_VALUE if it has been freed */
  get bytes(): Uint8Array {
    if (this.isFreed) throw new OpenCLError('CL_INVALID_VALUE', 'the shared memory has been freed');
    return this.#runtime.view(0, this.size);
  }

  /**
   * A typed array over it: `view(Int32Array, 16, 4)` has 4 elements from byte 16 on; without a length those that fit. Where
   * memory is shared between threads it is over a SharedArrayBuffer, which workers and Atomics take.
   * @throws OpenCLError CL_INVALID_VALUE if it has been freed; RangeError if the array would leave it or is not aligned
   */
  view<T extends HostBytes>(
    type: ArrayType<T> & { readonly BYTES_PER_ELEMENT: number },
    byteOffset = 0,
    length = Math.floor((this.size - byteOffset) / type.BYTES_PER_ELEMENT),
  ): T {
    const { buffer, byteOffset: start } = this.bytes;
    const bytes = length * type.BYTES_PER_ELEMENT;
    if (!(byteOffset >= 0 && bytes >= 0 && byteOffset + bytes <= this.size)) {
      throw new RangeError(`${bytes} bytes at ${byteOffset} of ${this.size} bytes of shared memory`);
    }
    return new type(buffer, start + byteOffset, length);
  }
}

/** What a pointer leads to. */
export interface SVMPlace {
  readonly memory: RuntimeBuffer;
  /** Bytes from the beginning of `memory`. */
  readonly offset: number;
}

/** clSVMAlloc; see CLContext.svmAlloc. */
export function allocateSVM(
  context: CLContext,
  memFlags: number,
  size: number,
  alignment: number,
): CLSVMBuffer {
  const capabilities = contextCapabilities(context);
  checkSVM(capabilities);
  const flags = memFlags === 0 ? CL.MEM_READ_WRITE : memFlags;
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_VALUE', `shared memory: ${why}`);
  };
  if (!isBitsOf(flags, svmFlags) || severalOf(flags, accessFlags)) {
    fail(`flags ${shownBits(flags)} are not defined, or not together`);
  }
  if (flags & CL.MEM_SVM_ATOMICS && !(flags & CL.MEM_SVM_FINE_GRAIN_BUFFER)) {
    fail('SVM_ATOMICS needs SVM_FINE_GRAIN_BUFFER');
  }
  if (flags & CL.MEM_SVM_FINE_GRAIN_BUFFER && !(capabilities & CL.DEVICE_SVM_FINE_GRAIN_BUFFER)) {
    fail('no device of the context has fine-grained buffers');
  }
  if (flags & CL.MEM_SVM_ATOMICS && !(capabilities & CL.DEVICE_SVM_ATOMICS)) {
    fail('no device of the context has atomic operations towards the host');
  }
  const limit = context.maxMemAllocSize;
  if (!Number.isInteger(size) || size <= 0 || size > limit) {
    fail(`${shown(size)} bytes; from 1 to ${limit} are possible`);
  }
  const align = alignment === 0 ? 1 : alignment;
  if (!Number.isInteger(align) || align < 0 || align > largestAlignment || align & (align - 1)) {
    fail(`an alignment of ${shown(alignment)}: it must be a power of two up to ${largestAlignment}`);
  }
  const isFineGrained = (flags & CL.MEM_SVM_FINE_GRAIN_BUFFER) !== 0;
  return new CLSVMBuffer(context, flags, context.runtime.svm.allocate(size, isFineGrained));
}

/** clSVMFree; see CLContext.svmFree. */
export function freeSVM(context: CLContext, pointer: SVMPointer): void {
  const { svm } = context.runtime;
  const address = addressOf(context, pointer, 'CL_INVALID_VALUE');
  const buffer = svm.find(address);
  if (buffer?.address !== address) {
    throw new OpenCLError('CL_INVALID_VALUE', `no shared memory begins at ${shownBits(address)}`);
  }
  svm.free(buffer);
}

/** CL_DEVICE_SVM_*: what at least one device of the context can do. */
export function contextCapabilities(context: CLContext): number {
  const { isLent } = context.runtime.memory;
  return context.devices.reduce((bits, { runtime }) => bits | capabilitiesOf(runtime.info, isLent), 0);
}

/** What a device can do for a host whose memory is the device's (`isLent`), or is not. */
export function capabilitiesOf({ svmCapabilities }: { svmCapabilities: number }, isLent: boolean): number {
  return isLent ? svmCapabilities : svmCapabilities & ~CL.DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

/** @throws OpenCLError CL_INVALID_OPERATION without any shared memory */
export function checkSVM(capabilities: number): void {
  if (capabilities === 0) {
    throw new OpenCLError('CL_INVALID_OPERATION', 'the device has no shared virtual memory');
  }
}

/** The number that a pointer is. @throws OpenCLError with the given code for what is none */
export function addressOf(context: CLContext, pointer: SVMPointer, error: StatusName): number {
  if (pointer instanceof CLSVMBuffer && pointer.context === context) return pointer.address;
  if (typeof pointer === 'number' && Number.isInteger(pointer) && pointer > 0) return pointer;
  if (ArrayBuffer.isView(pointer) && context.runtime.memory.holds(pointer)) return pointer.byteOffset;
  throw new OpenCLError(error, `${shown(pointer)} is no pointer to shared memory of the context`);
}

/**
 * What `size` bytes behind a pointer are.
 * @throws OpenCLError with the given code unless they are shared memory
 */
export function placeOf(
  context: CLContext,
  pointer: SVMPointer,
  size: number,
  error: StatusName = 'CL_INVALID_VALUE',
): SVMPlace {
  const address = addressOf(context, pointer, error);
  const { svm, memory } = context.runtime;
  const found = svm.find(address);
  if (found) {
    const offset = address - found.address;
    if (offset + size <= found.size) return { memory: found, offset };
    throw new OpenCLError(error, `${size} bytes at ${offset} of ${found.size} bytes of shared memory`);
  }
  if (memory.isLent && address + size <= memory.bytes.length) {
    const bytes = memory.bytes.subarray(address, address + size);
    return { memory: RuntimeBuffer.over(context.runtime, bytes), offset: 0 };
  }
  throw new OpenCLError(error, `${shownBits(address)} leads to no shared memory of ${size} bytes`);
}
