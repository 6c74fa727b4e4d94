/**
 * The memory that all devices of a context share: one WebAssembly.Memory of up to 4 GiB, grown when buffers need room.
 * A buffer is a range of it, and mapping a buffer is making a typed array over the range.
 *
 * Without shared memory a growth detaches all typed arrays over it. It then happens in large steps (which cost
 * nothing until touched), and never while a buffer is mapped.
 *
 * A context may also have its memory from a {@link MemoryPool}: then it takes blocks of the pool's memory as it needs them.
 */
import { hasSharedMemory } from './host.ts';
import type { Block, MemoryPool } from './memory-pool.ts';
import { RangeAllocator, rangeAlignment, roundUp } from './range-allocator.ts';
import { OpenCLError } from './status.ts';

const pageBytes = 65536;
/**
 * Nothing is placed below this, so that a small address is never somebody's data; 0 is the null pointer. Kernels are compiled for it:
 * constants of addresses up to about so much become offsets of memory instructions, which do not wrap around
 * (codegen/wasm/memory/address-folding.ts). It costs address space only, for nobody touches those pages.
 */
const firstAddress = 1 << 20;

/**
 * So many bytes at the end of the memory are nobody's, as those below `firstAddress` are: kernels read whole vectors where
 * only some lanes are wanted, and the others may lie beside a buffer.
 */
const margin = 256;

/**
 * A gap behind large arrays that take up whole pages. Without it an array's elements would lie a multiple of 4096 bytes from those of
 * the next: processors compare no more than the last 12 bits of addresses at first, and make loads wait for
 * stores to another array that look like theirs. Half a page apart nothing does, and the arrays after next begin alike again.
 */
const gapBytes = 2048;
const leastGappedBytes = 32 << 10;
const comparedBytes = 4096;

/** Any view on bytes of the host. */
export type HostBytes = ArrayBufferView<ArrayBufferLike>;

export class DeviceMemory {
  readonly memory: WebAssembly.Memory;
  readonly shared: boolean;
  readonly maximumPages: number;
  /** Nothing that a kernel may touch has an address below this one. */
  readonly lowestAddress: number;
  /** Nor does {@link allocate} give one below this, which is higher where the memory is somebody else's, too. */
  readonly lowestAllocated: number;
  /** How many mappings of the host are alive. */
  mapped = 0;
  readonly #allocator = new RangeAllocator(firstAddress);
  readonly #step: number;
  readonly #buffers = new WeakSet<ArrayBufferLike>();
  readonly #pool: MemoryPool | undefined;
  readonly #blocks: Block[] = [];
  #bytes: Uint8Array;

  /** Memory of its own, shared between threads if the place allows it (`false` refuses), or memory from a pool. */
  constructor(source: boolean | MemoryPool = hasSharedMemory()) {
    this.shared = source !== false;
    this.#step = this.shared ? 16 << 20 : 128 << 20;
    if (typeof source === 'object') {
      this.#pool = source;
      this.memory = source.memory;
      this.maximumPages = source.maximumPages;
      this.lowestAddress = source.lowestAddress;
      this.lowestAllocated = source.lowestBlock;
      this.#bytes = this.#view();
      return;
    }
    const { memory, maximum } = reserve(this.shared, this.#step / pageBytes);
    this.memory = memory;
    this.maximumPages = maximum;
    this.lowestAddress = firstAddress;
    this.lowestAllocated = firstAddress;
    this.#bytes = this.#view();
    this.#allocator.extend(this.#bytes.byteLength - margin);
  }

  /** All bytes as of now; a later growth needs a new call. */
  get bytes(): Uint8Array {
    // Others may have grown a pool's memory.
    if (this.#pool && this.memory.buffer !== this.#bytes.buffer) this.#bytes = this.#view();
    return this.#bytes;
  }

  /** Bytes handed out. */
  get used(): number {
    return this.#allocator.used;
  }

  /**
   * The address of `bytes` new bytes, 128-aligned and with any content.
   * @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate(bytes: number): number {
    const isGapped = bytes >= leastGappedBytes && bytes % comparedBytes === 0;
    const gapped = isGapped ? bytes + gapBytes : bytes;
    const found = this.#allocator.allocate(gapped) ?? this.#allocator.allocate(bytes);
    if (found !== undefined) return found;
    const hasRoom = this.#allocator.endFor(gapped) + margin <= this.maximumPages * pageBytes;
    const taken = hasRoom ? gapped : bytes;
    this.#grow(taken, bytes);
    return this.#allocator.allocate(taken)!;
  }

  free(address: number): void {
    this.#allocator.free(address);
  }

  /** Whether a typed array of the host lies in this memory, so that commands can reach its bytes by themselves. */
  holds(view: HostBytes): boolean {
    if (this.#pool && view.buffer === this.bytes.buffer) return true;
    return this.#buffers.has(view.buffer);
  }

  /** Whether the memory is somebody else's, and its addresses those of a host's pointers. */
  get isLent(): boolean {
    return this.#pool !== undefined;
  }

  /** Bytes that the engine does not count, as it does not know who else has the memory. */
  get sharedBytes(): number {
    return this.shared ? this.#bytes.byteLength : 0;
  }

  /** The context has ended: a pool gets its blocks back. */
  close(): void {
    for (const block of this.#blocks.splice(0)) this.#pool?.giveBack(block);
  }

  /** Makes room for a range of `taken` bytes, for somebody who wants `wanted` of them. */
  #grow(taken: number, wanted: number): void {
    if (this.#pool) {
      this.#takeBlock(this.#pool, taken, wanted);
      return;
    }
    const end = this.#allocator.endFor(taken) + margin;
    const limit = this.maximumPages * pageBytes;
    const fail = (why: string): never => {
      throw new OpenCLError(
        'CL_MEM_OBJECT_ALLOCATION_FAILURE',
        `cannot allocate ${wanted} bytes: ${why} (${this.used} bytes of the context's memory are in use)`,
      );
    };
    if (end > limit) fail(`device memory ends at ${limit} bytes`);
    if (!this.shared && this.mapped > 0) {
      fail('without shared memory it cannot grow while a buffer is mapped; unmap first');
    }
    const target = Math.min(limit, roundUp(end, this.#step));
    try {
      this.memory.grow((target - this.#bytes.byteLength) / pageBytes);
    } catch {
      fail('the machine refuses more memory');
    }
    this.#bytes = this.#view();
    this.#allocator.extend(target - margin);
  }

  #takeBlock(pool: MemoryPool, taken: number, wanted: number): void {
    const block = pool.take(roundUp(Math.max(taken, 1), rangeAlignment) + margin);
    if (!block) {
      throw new OpenCLError(
        'CL_MEM_OBJECT_ALLOCATION_FAILURE',
        `cannot allocate ${wanted} bytes: the host's memory is used up or cannot grow`,
      );
    }
    this.#blocks.push(block);
    this.#allocator.add(block.start, block.end - margin);
  }

  #view(): Uint8Array {
    const buffer: ArrayBufferLike = this.memory.buffer;
    this.#buffers.add(buffer);
    return new Uint8Array(buffer);
  }
}

/** Asks for 4 GiB of address space, and for less where that is not to be had (32-bit machines, phones). */
function reserve(shared: boolean, initial: number): { memory: WebAssembly.Memory; maximum: number } {
  for (let maximum = 65536; ; maximum >>= 1) {
    try {
      return { memory: new WebAssembly.Memory({ initial, maximum, shared }), maximum };
    } catch (error) {
      if (maximum <= 4096) {
        throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', 'no address space for device memory', {
          cause: error,
        });
      }
    }
  }
}

/** The bytes of any typed array or DataView, not copied. */
export function bytesOf(view: HostBytes): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
