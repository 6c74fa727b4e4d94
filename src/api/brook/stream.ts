/**
 * Streams (Stream Computing User Guide, 2.6): arrays of elements on a device. What goes wrong with one is not thrown: it is
 * kept, asked for with {@link Stream.error}, and handed on to what kernels compute from it.
 */
import { type ElementType, layoutOf } from '../../brook/types.ts';
import { bytesOf, type HostBytes } from '../../runtime/device-memory.ts';
import { dispose } from '../../runtime/dispose.ts';
import { watchClass } from '../../runtime/observe-calls.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { betterArray } from '../javascript/array-kinds.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import { CLEvent } from '../opencl/event.ts';
import { type BrookErrorName, messages } from './errors.ts';
import type { BrookSession } from './session.ts';
import { Shape, type Sizes } from './shape.ts';
import { scalarLayout } from './values.ts';

/** Elements that a stream may have: what address translation reaches. */
const mostElements = 2 ** 26;

/** Sizes from which on the real runtime had to compute addresses, which streams that are shared may not need. */
const largestTexture = 8192;

/** The memory of a stream and its domains. */
interface Storage {
  readonly buffer: CLBuffer;
  hasContent: boolean;
}

interface Part {
  /** Undefined for one that could not be made, which has no elements. */
  readonly parent: Stream | undefined;
  readonly shape: Shape;
}

/** Methods for programs: all others are the runtime's. */
const methods = /^(?:assign|domain|error|errorLog|execDomain|finish|isSync|read|release|setProperty|write)$/;

export class Stream {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'Stream';
  readonly session: BrookSession;
  readonly type: ElementType;
  readonly shape: Shape;
  /** Threads of the next kernels that write it, if {@link execDomain} says so. */
  threads: number | undefined;
  readonly #storage: Storage | undefined;
  readonly #isPart: boolean;
  #error: BrookErrorName = 'BR_NO_ERROR';
  #isSpoilt = false;
  #log = '';
  /** Something was asked for; and what tells whether it has ended. */
  #isBusy = false;
  #marker: (() => boolean) | undefined;

  /**
   * `sizes` has one number a dimension, x (the fastest) first. A wrong stream says so when it is asked. Parts come
   * from {@link domain}.
   */
  constructor(session: BrookSession, type: ElementType, sizes: readonly number[], part?: Part) {
    watchClass('Brook+', new.target, methods);
    this.session = session;
    this.type = type;
    this.#isPart = part !== undefined;
    if (part) {
      this.shape = part.shape;
      if (part.parent) this.#storage = part.parent.#storage;
      return;
    }
    const isGood =
      sizes.length >= 1 &&
      sizes.length <= 4 &&
      sizes.every((size) => Number.isInteger(size) && size > 0) &&
      sizes.reduce((product, size) => product * size, 1) <= mostElements;
    this.shape = Shape.whole(isGood ? sizes : [1]);
    if (isGood) this.#storage = this.#allocate();
    else this.fail('BR_ERROR_DECLARATION', messages.dimensions);
  }

  /**
   * Makes the stream one that shares memory with a binding of the device (`d3d9`, `d3d10`), which here has none: it has no memory
   * then and says so.
   */
  share(_binding: string): void {
    this.#storage?.buffer.release();
    const { kind } = this.type;
    const { rank, sizes } = this.shape;
    const isTranslated = rank > 2 || sizes.some((size) => size > largestTexture);
    const text = isTranslated ? messages.sharedShape : messages.shared;
    this.fail('BR_ERROR_DECLARATION', kind === 'struct' ? messages.sharedStruct : text);
  }

  #allocate(): Storage | undefined {
    const { session, shape } = this;
    if (usesDouble(this.type) && !session.hasDouble) {
      this.fail('BR_ERROR_NOT_SUPPORTED', messages.noDouble);
      return undefined;
    }
    try {
      const bytes = shape.count * this.elementBytes;
      return { buffer: session.context.createBuffer(CL.MEM_READ_WRITE, bytes), hasContent: false };
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      this.fail('BR_ERROR_DECLARATION', messages.allocation);
      return undefined;
    }
  }

  /** Bytes of an element as host memory has it. */
  get elementBytes(): number {
    return layoutOf(this.type).size;
  }

  get byteLength(): number {
    return this.shape.count * this.elementBytes;
  }

  /** The memory; undefined if there was none to be had, or it has been given back. */
  get buffer(): CLBuffer | undefined {
    const buffer = this.#storage?.buffer;
    return buffer && buffer.references > 0 ? buffer : undefined;
  }

  /** What it shares with its parts. */
  get memory(): object | undefined {
    return this.#storage;
  }

  /** Whether anything was written to it. */
  get hasContent(): boolean {
    return this.#storage?.hasContent ?? false;
  }

  /** A kernel writes to it. */
  markWritten(): void {
    if (this.#storage) this.#storage.hasContent = true;
    this.#setBusy();
  }

  /** Whether one is waiting of those that leave something wrong in the stream, and so go to what is computed from it. */
  get isSpoilt(): boolean {
    return this.#isSpoilt;
  }

  /** Whether an error is waiting to be asked for. */
  get isFaulty(): boolean {
    return this.#error !== 'BR_NO_ERROR';
  }

  /**
   * From the host to the stream, all of it. The array may be changed as soon as this returns, whatever the flags (`async`, `nocopy`)
   * would allow.
   * @throws TypeError if it has fewer bytes than the stream, or is for other numbers
   */
  read(from: HostBytes | null, _flags = ''): void {
    if (!from) {
      this.fail('BR_ERROR_INVALID_PARAMATER', messages.readNull);
      return;
    }
    const { buffer } = this;
    if (!buffer) {
      this.fail('BR_ERROR_READ', messages.readBuffer);
      return;
    }
    this.#checkRoom(from);
    const { queue } = this.session;
    const isDone = this.#attempt('BR_ERROR_READ', messages.readCopy, [], (event) =>
      this.#transfer((range) => {
        const bytes = bytesOf(from).subarray(range.host, range.host + range.bytes);
        queue.enqueueWriteBuffer(buffer, false, range.device, range.bytes, bytes, null, event());
      }),
    );
    if (isDone) this.markWritten();
  }

  /**
   * Whether the device takes commands; if not, or if they fail later, the stream has an error. `commands` asks for an event for
   * each.
   */
  #attempt(
    error: BrookErrorName,
    text: string,
    inputs: readonly Stream[],
    commands: (event: () => CLEvent) => void,
  ): boolean {
    const events: CLEvent[] = [];
    try {
      commands(() => {
        const event = new CLEvent();
        events.push(event);
        return event;
      });
      return true;
    } catch (failure) {
      if (!(failure instanceof OpenCLError)) throw failure;
      const why = `${text}\n${failure.message}`;
      if (error === 'BR_ERROR_WRITE') this.refuse(error, why);
      else this.fail(error, why);
      return false;
    } finally {
      const isWhole = error === 'BR_ERROR_READ' && !this.#isPart;
      const taken = events.filter(({ isFilled }) => isFilled);
      const inputText = messages.assignInvalid;
      this.session.commands.add({ events: taken, inputs, outputs: [this], isWhole, error, text, inputText });
    }
  }

  /**
   * From the stream to the host; returns when it is there, or with `async` at once: see {@link finish}.
   * @throws TypeError if the array has fewer bytes than the stream, or is for other numbers
   */
  write(to: HostBytes | null, flags = ''): void {
    if (!to) {
      this.refuse('BR_ERROR_INVALID_PARAMATER', messages.writeNull);
      return;
    }
    const { buffer } = this;
    if (!buffer) {
      this.refuse('BR_ERROR_WRITE', messages.writeBuffer);
      return;
    }
    if (!this.hasContent) {
      this.refuse('BR_ERROR_WRITE', messages.writeUninitialized);
      return;
    }
    this.#checkRoom(to);
    const { queue } = this.session;
    const isAsync = flags.split(' ').includes('async');
    const isDone = this.#attempt('BR_ERROR_WRITE', messages.writeCopy, [], (event) =>
      this.#transfer((range) => {
        const bytes = bytesOf(to).subarray(range.host, range.host + range.bytes);
        queue.enqueueReadBuffer(buffer, false, range.device, range.bytes, bytes, null, event());
      }),
    );
    if (isDone && isAsync) this.#setBusy();
    else if (isDone) this.finish();
  }

  #checkRoom(array: HostBytes): void {
    if (!ArrayBuffer.isView(array)) throw new TypeError('streams are read from and written to typed arrays');
    const better = betterArray(scalarLayout(this.type), array);
    if (better !== undefined) {
      const kind = array.constructor.name;
      throw new TypeError(`give a ${better}, or the stream's bytes as a Uint8Array, not ${kind}`);
    }
    if (array.byteLength < this.byteLength)
      throw new TypeError(`the array has ${array.byteLength} bytes, the stream ${this.byteLength}`);
  }

  /** Copies all elements of another stream of the same type and sizes. */
  assign(source: Stream): void {
    const { buffer } = this;
    const from = source.buffer;
    if (!buffer) this.fail('BR_ERROR_INVALID_PARAMATER', messages.assignTarget);
    else if (!from || source.isSpoilt) this.fail('BR_ERROR_INVALID_PARAMATER', messages.assignInvalid);
    else if (!source.hasContent) this.fail('BR_ERROR_INVALID_PARAMATER', messages.assignUninitialized);
    else if (!this.shape.sameSizes(source.shape) || this.elementBytes !== source.elementBytes)
      this.fail('BR_ERROR_INVALID_PARAMATER', messages.assignShape);
    else if (source.session === this.session && this.shape.isContiguous && source.shape.isContiguous) {
      const bytes = this.elementBytes;
      const starts = [source.shape.start * bytes, this.shape.start * bytes] as const;
      const isDone = this.#attempt('BR_ERROR_INVALID_PARAMATER', messages.assignFlush, [source], (event) =>
        this.session.queue.enqueueCopyBuffer(from, buffer, ...starts, this.byteLength, null, event()),
      );
      if (isDone) this.markWritten();
    } else {
      // By way of the host: rows of parts, or another device.
      const between = new Uint8Array(source.byteLength);
      source.write(between);
      if (source.isSpoilt) this.fail('BR_ERROR_INVALID_PARAMATER', messages.assignInvalid);
      else this.read(between);
    }
  }

  /**
   * The part of the stream from one point to before another, x first: a stream of its own whose elements are those of this
   * one. Undefined coordinates mean the rank is wrong.
   * @throws TypeError if the points are no arrays
   */
  domain(start: readonly number[] | null, end: readonly number[] | null): Stream {
    const { shape } = this;
    const fail = (text: string): Stream => {
      const nothing = { parent: undefined, shape: Shape.whole([1]) };
      const none = new Stream(this.session, this.type, [1], nothing);
      none.fail('BR_ERROR_DOMAIN', text);
      this.refuse('BR_ERROR_DOMAIN', text);
      return none;
    };
    if (start === null || start === undefined) return fail(messages.domainStart);
    if (end === null || end === undefined) return fail(messages.domainEnd);
    if (!this.buffer) return fail(messages.domainBuffer);
    if (!Array.isArray(start) || !Array.isArray(end))
      throw new TypeError('the points of a domain are arrays, x first: domain([0], [10])');
    if (start.length > shape.rank || end.length > shape.rank) return fail(messages.domainSize);
    const from = filled(start, 0);
    const to = filled(end, 1);
    if (![...from, ...to].every(Number.isInteger)) return fail(messages.domainOrder);
    if (from.some((one, axis) => one >= to[axis]!)) return fail(messages.domainOrder);
    if (from.some((one) => one < 0) || to.some((one, axis) => one > shape.sizes[axis]!))
      return fail(messages.domainSize);
    return new Stream(this.session, this.type, [1], { parent: this, shape: shape.part(from, to) });
  }

  /** Lets kernels that write this stream run for its first elements only. */
  execDomain(threads: number): void {
    if (!this.buffer) this.refuse('BR_ERROR_INVALID_PARAMATER', messages.execBuffer);
    else if (!(threads > 0)) this.refuse('BR_ERROR_INVALID_PARAMATER', messages.execPositive);
    else if (this.shape.rank !== 1) this.refuse('BR_ERROR_INVALID_PARAMATER', messages.execRank);
    else if (threads > this.shape.count) this.refuse('BR_ERROR_INVALID_PARAMATER', messages.execSize);
    else this.threads = threads;
  }

  /** Properties are those of streams that share memory with Direct3D, which there are none of here. */
  setProperty(_name: string, _value: unknown): void {
    this.refuse('BR_ERROR_INVALID_PARAMATER', messages.property);
  }

  /** Whether all that was asked for and changes the stream, or copies it to the host, has ended. */
  isSync(): boolean {
    if (!this.#isBusy) return true;
    this.#marker ??= this.session.marker();
    if (!this.#marker()) return false;
    this.session.commands.settle();
    this.#setIdle();
    return true;
  }

  /** Waits until it has. */
  finish(): void {
    this.session.finish();
    this.#setIdle();
  }

  #setBusy(): void {
    this.#isBusy = true;
    this.#marker = undefined;
  }

  #setIdle(): void {
    this.#isBusy = false;
    this.#marker = undefined;
  }

  /** The first error since it was last asked for, of this stream or of one that it was computed from. */
  error(): BrookErrorName {
    this.session.commands.settle();
    const found = this.#error;
    this.#error = 'BR_NO_ERROR';
    this.#isSpoilt = false;
    return found;
  }

  /** All that went wrong so far, a line each. */
  errorLog(): string {
    this.session.commands.settle();
    return this.#log;
  }

  /** Something went wrong, and what should be in the stream is not. */
  fail(error: BrookErrorName, text: string): void {
    this.#isSpoilt = true;
    this.refuse(error, text);
  }

  /** Something was asked for that cannot be; what is in the stream is as good as before. */
  refuse(error: BrookErrorName, text: string): void {
    if (this.#error === 'BR_NO_ERROR') this.#error = error;
    this.warn(text);
  }

  /** Something may be wrong. */
  warn(text: string): void {
    this.#log += `${text}\n`;
    this.session.log(`${text}\n`);
  }

  /** Gives the memory back; parts of other streams have none of their own. */
  release(): void {
    if (!this.#isPart) this.buffer?.release();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  /** Goes through the rows of the stream: where each lies in the buffer and in an array of the host, in bytes. */
  #transfer(
    move: (range: { readonly device: number; readonly host: number; readonly bytes: number }) => void,
  ): void {
    const { shape, elementBytes } = this;
    if (shape.isContiguous) {
      move({ device: shape.start * elementBytes, host: 0, bytes: this.byteLength });
      return;
    }
    const [width, height, depth, volumes] = shape.sizes;
    const bytes = width * elementBytes;
    let host = 0;
    for (let w = 0; w < volumes; w += 1) {
      for (let z = 0; z < depth; z += 1) {
        for (let y = 0; y < height; y += 1) {
          const [, rows, slices, fourth] = shape.steps;
          const device = (shape.start + w * fourth + z * slices + y * rows) * elementBytes;
          move({ device, host, bytes });
          host += bytes;
        }
      }
    }
  }
}

function filled(point: readonly number[], rest: number): Sizes {
  const [x = rest, y = rest, z = rest, w = rest] = point;
  return [x, y, z, w];
}

function usesDouble(type: ElementType): boolean {
  return type.kind === 'struct'
    ? type.fields.some((field) => usesDouble(field.type))
    : type.scalar === 'double';
}
