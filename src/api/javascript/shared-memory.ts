/** Shared virtual memory of the short form (OpenCL 2.0, 5.6): host and kernels work in it at once, and know it by the same addresses. */
import type { RuntimeBuffer } from '../../runtime/buffer.ts';
import { dispose } from '../../runtime/dispose.ts';
import { watchClass } from '../../runtime/observe-calls.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { checkKind, type TypedArray, type TypedArrayConstructor } from './device-buffer.ts';

export class SharedMemory {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'SharedMemory';
  /** What kernels know it by: a number to be stored where they expect a pointer. 128-aligned. */
  readonly address: number;
  /** Bytes. */
  readonly byteLength: number;
  readonly #queue: CommandQueue;
  readonly #buffer: RuntimeBuffer;
  readonly #onRelease: () => void;
  #released = false;

  /** They are made by Program.shared. */
  constructor(queue: CommandQueue, bytes: number, onRelease: () => void) {
    watchClass('Millrace', new.target, /^(?:map|read|release|write)$/);
    const { svmCapabilities, maxMemAllocSize, name } = queue.device.info;
    if (svmCapabilities === 0) {
      throw new OpenCLError('CL_INVALID_OPERATION', `${name} has no shared virtual memory`);
    }
    if (!Number.isInteger(bytes) || bytes <= 0 || bytes > maxMemAllocSize) {
      throw new OpenCLError(
        'CL_INVALID_BUFFER_SIZE',
        `${bytes} bytes of shared memory: from 1 to ${maxMemAllocSize} are possible`,
      );
    }
    this.#queue = queue;
    this.#onRelease = onRelease;
    this.#buffer = queue.context.svm.allocate(bytes, true);
    this.address = this.#buffer.address;
    this.byteLength = bytes;
  }

  /** For kernel calls. @throws OpenCLError CL_INVALID_MEM_OBJECT if it is released or another device's */
  memoryFor(queue: CommandQueue): RuntimeBuffer {
    this.#check();
    if (queue !== this.#queue) {
      throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the shared memory is of another device or time-out');
    }
    return this.#buffer;
  }

  /**
   * The memory itself as a typed array; kernels may work in it at the same time, and `Atomics` are atomic towards theirs. Elements,
   * not bytes.
   * @throws OpenCLError CL_INVALID_VALUE if it does not hold them
   */
  view<T extends TypedArray>(kind: TypedArrayConstructor<T>, first = 0, count?: number): T {
    this.#check();
    checkKind(kind, 'shared memory is seen');
    const total = Math.floor(this.byteLength / kind.BYTES_PER_ELEMENT);
    const length = count ?? total - first;
    if (
      !(Number.isInteger(first) && Number.isInteger(length)) ||
      Math.min(first, length, total - first - length) < 0
    ) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `elements ${first} to ${first + length} of shared memory that holds ${total} of them`,
      );
    }
    const { buffer } = this.#queue.context.memory.bytes;
    return new kind(buffer, this.address + first * kind.BYTES_PER_ELEMENT, length);
  }

  /** Gives the memory back once all calls so far are done. Arrays over it are void from now on. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    // A kernel may have come to it by a pointer.
    this.#buffer.use(this.#queue.mark());
    this.#queue.context.svm.free(this.#buffer);
    this.#onRelease();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  #check(): void {
    if (this.#released) throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the shared memory has been released');
  }
}
