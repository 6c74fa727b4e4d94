/**
 * The memory that all devices of a context share: one WebAssembly.Memory of up to 4 GiB, grown when buffers need room.
 * A buffer is a range of it, and mapping a buffer is making a typed array over the range.
 *
 * Without shared memory a growth detaches all typed arrays over it. It then happens in large steps (which cost
 * nothing until touched), and never while a buffer is mapped.
 */
import { hasSharedMemory } from './host.ts';
import { RangeAllocator, roundUp } from './range-allocator.ts';
import { OpenCLError } from './status.ts';

const pageBytes = 65536;
/** Nothing is placed below this, so that a small address is never somebody's data. 0 is the null pointer. */
const firstAddress = 1024;

/**
 * So many bytes at the end of the memory are nobody's, as those below `firstAddress` are: kernels read whole vectors where
 * only some lanes are wanted, and the others may lie beside a buffer.
 */
const margin = 256;

/** Any view on bytes of the host. */
export type HostBytes = ArrayBufferView<ArrayBufferLike>;

export class DeviceMemory {
  readonly memory: WebAssembly.Memory;
  readonly shared: boolean;
  readonly maximumPages: number;
  /** How many mappings of the host are alive. */
  mapped = 0;
  readonly #allocator = new RangeAllocator(firstAddress);
  readonly #step: number;
  readonly #buffers = new WeakSet<ArrayBufferLike>();
  #bytes: Uint8Array;

  /** Memory shared between threads if the place allows it; `shared: false` refuses. */
  constructor(shared: boolean = hasSharedMemory()) {
    this.shared = shared;
    this.#step = shared ? 16 << 20 : 128 << 20;
    const { memory, maximum } = reserve(shared, this.#step / pageBytes);
    this.memory = memory;
    this.maximumPages = maximum;
    this.#bytes = this.#view();
    this.#allocator.extend(this.#bytes.byteLength - margin);
  }

  /** All bytes as of now; a later growth needs a new call. */
  get bytes(): Uint8Array {
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
    const found = this.#allocator.allocate(bytes);
    if (found !== undefined) return found;
    this.#grow(this.#allocator.endFor(bytes), bytes);
    return this.#allocator.allocate(bytes)!;
  }

  free(address: number): void {
    this.#allocator.free(address);
  }

  /** Whether a typed array of the host lies in this memory, so that commands can reach its bytes by themselves. */
  holds(view: HostBytes): boolean {
    return this.#buffers.has(view.buffer);
  }

  #grow(endOfRange: number, wanted: number): void {
    const end = endOfRange + margin;
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
