/** Device memory of the short form. */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { KernelAccess } from '../../runtime/command.ts';
import { bytesOf } from '../../runtime/device-memory.ts';
import { dispose } from '../../runtime/dispose.ts';
import type { RuntimeEvent } from '../../runtime/event.ts';
import { watchClass } from '../../runtime/observe-calls.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { readBuffer, writeBuffer } from '../../runtime/transfer.ts';
import { shown } from '../../source/shown.ts';

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** The constructor of a kind of typed arrays, such as Float32Array. */
export interface TypedArrayConstructor<T extends TypedArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

const commandRead = 0x11f3;
const commandWrite = 0x11f4;
const commandMap = 0x11fb;

export class DeviceBuffer {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'DeviceBuffer';
  /** Bytes. */
  readonly byteLength: number;
  readonly #queue: CommandQueue;
  readonly #buffer: RuntimeBuffer;
  readonly #onRelease: () => void;
  #released = false;
  #mapped = false;

  /** Buffers are made by Program.buffer. */
  constructor(
    queue: CommandQueue,
    content: number | TypedArray,
    onRelease: () => void,
    kernelAccess?: KernelAccess | undefined,
  ) {
    watchClass('Millrace', new.target, /^(?:map|read|release|write)$/);
    if (typeof content !== 'number' && !ArrayBuffer.isView(content)) {
      throw new OpenCLError('CL_INVALID_VALUE', 'a buffer is made from a number of bytes or a typed array');
    }
    const size = typeof content === 'number' ? content : content.byteLength;
    if (!Number.isInteger(size) || size <= 0 || size > queue.device.info.maxMemAllocSize) {
      throw new OpenCLError(
        'CL_INVALID_BUFFER_SIZE',
        `a buffer of ${size} bytes: the size must be from 1 to ${queue.device.info.maxMemAllocSize}`,
      );
    }
    this.#queue = queue;
    this.#onRelease = onRelease;
    this.byteLength = size;
    this.#buffer = RuntimeBuffer.create(queue.context, size);
    this.#buffer.kernelAccess = kernelAccess;
    if (typeof content !== 'number') this.#buffer.view(0, size).set(bytesOf(content));
  }

  /** For kernel calls. @throws OpenCLError CL_INVALID_MEM_OBJECT if it is released or another program's */
  memoryFor(queue: CommandQueue): RuntimeBuffer {
    this.#check();
    if (queue.context !== this.#queue.context) {
      throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the buffer is of another device or time-out');
    }
    return this.#buffer;
  }

  /** A copy of the content once all calls so far are done: `await buffer.read(Float32Array)`. Elements, not bytes. */
  async read<T extends TypedArray>(kind: TypedArrayConstructor<T>, first = 0, count?: number): Promise<T> {
    const length = this.#range(kind, first, count);
    const result = new kind(length);
    const options = { type: commandRead, blocking: false, waits: [] };
    await done(readBuffer(this.#queue, this.#buffer, first * kind.BYTES_PER_ELEMENT, result, options));
    return result;
  }

  /**
   * Replaces the content from a byte on. The array may be changed as soon as the call returns.
   * @throws OpenCLError CL_INVALID_VALUE if it is no typed array, or does not fit; CL_INVALID_MEM_OBJECT
   */
  async write(data: TypedArray, byteOffset = 0): Promise<void> {
    this.#check();
    if (!ArrayBuffer.isView(data)) {
      throw new OpenCLError('CL_INVALID_VALUE', `a buffer is written from a typed array, not ${shown(data)}`);
    }
    if (!Number.isInteger(byteOffset) || byteOffset < 0 || byteOffset + data.byteLength > this.byteLength) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `${data.byteLength} bytes at ${byteOffset} do not fit into a buffer of ${this.byteLength}`,
      );
    }
    if (data.byteLength === 0) return;
    const options = { type: commandWrite, blocking: false, waits: [] };
    await done(writeBuffer(this.#queue, this.#buffer, byteOffset, data, options));
  }

  /**
   * The device's own bytes as a typed array, not copied. What a kernel under way writes shows when it likes: await the
   * calls first. Elements, not bytes.
   */
  map<T extends TypedArray>(kind: TypedArrayConstructor<T>, first = 0, count?: number): T {
    const length = this.#range(kind, first, count);
    const { memory } = this.#queue.context;
    this.#buffer.touch();
    if (!this.#mapped) {
      this.#mapped = true;
      memory.mapped += 1;
      if (this.#queue.context.hasCopies) this.#bringUpToDate();
    }
    return new kind(memory.bytes.buffer, this.#buffer.address + first * kind.BYTES_PER_ELEMENT, length);
  }

  /** Sleeps until a device that keeps copies has brought this one back. From then on mapped buffers are kept equal. */
  #bringUpToDate(): void {
    const range = { memory: this.#buffer, offset: 0 };
    const event = this.#queue.enqueue(
      commandMap,
      { kind: 'marker', reads: range, writes: range },
      [],
      [this.#buffer],
    );
    event.wait();
    event.release();
  }

  /** Gives the memory back once the calls using it are done. Mapped arrays are void from now on. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#mapped) this.#queue.context.memory.mapped -= 1;
    this.#buffer.release();
    this.#onRelease();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  #range(kind: { readonly BYTES_PER_ELEMENT: number }, first: number, count: number | undefined): number {
    this.#check();
    checkKind(kind, 'a buffer is read and mapped');
    const total = Math.floor(this.byteLength / kind.BYTES_PER_ELEMENT);
    const length = count ?? total - first;
    if (
      !Number.isInteger(first) ||
      !Number.isInteger(length) ||
      first < 0 ||
      length < 0 ||
      first + length > total
    ) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `elements ${first} to ${first + length} of a buffer that holds ${total} of them`,
      );
    }
    return length;
  }

  #check(): void {
    if (this.#released) throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the buffer has been released');
  }
}

/** That it is a constructor of typed arrays, not one of them. @throws OpenCLError CL_INVALID_VALUE */
export function checkKind(kind: unknown, what: string): void {
  if (typeof kind === 'function' && 'BYTES_PER_ELEMENT' in kind) return;
  const also = ArrayBuffer.isView(kind) ? ', and comes as a new one: give its class' : '';
  throw new OpenCLError('CL_INVALID_VALUE', `${what} as a kind of typed array, such as Float32Array${also}`);
}

/** Awaits an event and gives it back. */
export async function done(event: RuntimeEvent): Promise<void> {
  try {
    await event.done;
  } finally {
    event.release();
  }
}
