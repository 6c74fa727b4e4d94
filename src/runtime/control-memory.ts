/**
 * Control memory: the bytes through which the threads of a context talk. Event slots, command streams, launch slots,
 * doorbells and kernel modules lie here, and kernels never see it, so a wild kernel cannot corrupt the runtime.
 *
 * It is a shared WebAssembly.Memory because that can grow in every engine; without shared memory it is plain bytes on
 * one thread. Places in it are *word indices* (of 32 bits). A thread that is told of a place beyond its view calls
 * {@link ControlMemory.reach} first. Only the host thread allocates; lists that other threads give things back
 * through are made of compare-exchange pushes and whole-list takes, which have no ABA problem.
 */
import { RangeAllocator, roundUp } from './range-allocator.ts';
import { bufferUpTo } from './shared-growth.ts';
import { OpenCLError } from './status.ts';

const pageBytes = 65536;
const maximumPages = 16384;
const leastPages = 256;
const growthBytes = 1 << 20;

/** Word indices of the fixed head. */
export const head = {
  /** Counts up whenever the host thread should look; it sleeps on this word. */
  hostBell: 0,
  /** Head of the list of event slots the host is to look at. */
  hostList: 1,
  /** 1 while a message to the host thread is under way. */
  hostMessage: 2,
  /** 1 while the host thread sleeps on its bell or is about to, and so needs no message. */
  hostAsleep: 3,
  /** Head of the list of free event slots. */
  freeSlots: 4,
  /** Head of the list of free stream chunks. */
  freeChunks: 5,
  /** How many entries of the message ring were ever written. */
  messageCount: 6,
  /** How many doorbells there are. */
  bellCount: 7,
  /** Word indices of the doorbells of all processors. */
  bells: 8,
  /** How many entries of the ring of failures were ever written. */
  failureCount: 64,
} as const;

/** The most device processors a context can have. */
export const maximumBells = 56;
const headWords = 96;

/** The ring of error messages lies behind the head: entries of a length in bytes, then UTF-8 text. */
export const messageRing = { start: headWords, entries: 64, entryWords: 128 } as const;

/** Behind it the ring of commands that have failed: see EventTable. */
export const failureRing = {
  start: headWords + messageRing.entries * messageRing.entryWords,
  entries: 256,
  entryWords: 8,
} as const;

const reservedBytes = roundUp((failureRing.start + failureRing.entries * failureRing.entryWords) * 4, 128);

export class ControlMemory {
  /** The memory that other threads attach to; undefined on one thread. */
  readonly memory: WebAssembly.Memory | undefined;
  words!: Int32Array;
  floats!: Float64Array;
  bytes!: Uint8Array;
  readonly #allocator: RangeAllocator | undefined;

  private constructor(memory: WebAssembly.Memory | undefined, allocates: boolean) {
    this.memory = memory;
    if (memory) this.#view(memory.buffer);
    else this.#view(new ArrayBuffer(growthBytes));
    if (allocates) {
      this.#allocator = new RangeAllocator(reservedBytes);
      this.#allocator.extend(this.bytes.byteLength);
    }
  }

  /** New control memory, owned by this thread; shared with others if `shared`. @throws OpenCLError CL_OUT_OF_HOST_MEMORY */
  static create(shared: boolean): ControlMemory {
    try {
      return new ControlMemory(shared ? reserve() : undefined, true);
    } catch (cause) {
      throw noMemory(cause);
    }
  }

  /** The view of another thread on the memory of its host thread. */
  static attach(memory: WebAssembly.Memory): ControlMemory {
    return new ControlMemory(memory, false);
  }

  /** Makes the views cover a word that another thread spoke of. */
  reach(word: number): void {
    if (word >= this.words.length && this.memory) this.#view(bufferUpTo(this.memory, 4 * (word + 1)));
  }

  /** Zeroed bytes, 128-aligned, as a word index. Host thread only. @throws OpenCLError CL_OUT_OF_HOST_MEMORY */
  allocate(bytes: number): number {
    const allocator = this.#allocator!;
    let start = allocator.allocate(bytes);
    if (start === undefined) {
      this.#grow(allocator.endFor(bytes));
      start = allocator.allocate(bytes)!;
    }
    this.words.fill(0, start / 4, start / 4 + Math.ceil(bytes / 4));
    return start / 4;
  }

  /** Gives back what {@link allocate} gave. Host thread only. */
  free(word: number): void {
    this.#allocator!.free(word * 4);
  }

  /** Bytes handed out. Host thread only. */
  get used(): number {
    return this.#allocator!.used;
  }

  /** Bytes that the engine does not count, as it does not know who else has the memory. */
  get sharedBytes(): number {
    return this.memory ? this.bytes.byteLength : 0;
  }

  #grow(end: number): void {
    const target = roundUp(Math.max(end, this.bytes.byteLength + growthBytes), pageBytes);
    try {
      if (this.memory) {
        this.memory.grow((target - this.memory.buffer.byteLength) / pageBytes);
        this.#view(this.memory.buffer);
      } else {
        if (target > maximumPages * pageBytes)
          throw new RangeError(`it ends at ${maximumPages * pageBytes} bytes`);
        const bigger = new ArrayBuffer(target);
        new Uint8Array(bigger).set(this.bytes);
        this.#view(bigger);
      }
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new OpenCLError(
        'CL_OUT_OF_HOST_MEMORY',
        `the runtime's own memory cannot grow to ${target} bytes (${this.used} are in use): ${why}`,
        { cause },
      );
    }
    this.#allocator!.extend(target);
  }

  #view(buffer: ArrayBufferLike): void {
    this.words = new Int32Array(buffer);
    this.floats = new Float64Array(buffer);
    this.bytes = new Uint8Array(buffer);
  }
}

function noMemory(cause: unknown): OpenCLError {
  return new OpenCLError('CL_OUT_OF_HOST_MEMORY', "no address space for the runtime's own memory", { cause });
}

/** Asks for 1 GiB of address space, and for less where that is not to be had: a context with few commands needs little. */
function reserve(): WebAssembly.Memory {
  for (let maximum = maximumPages; ; maximum >>= 1) {
    try {
      return new WebAssembly.Memory({ initial: growthBytes / pageBytes, maximum, shared: true });
    } catch (cause) {
      if (maximum <= leastPages) throw cause;
    }
  }
}
