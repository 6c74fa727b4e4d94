/**
 * A memory that belongs to somebody else and is lent to contexts in blocks: that of a host program in WebAssembly, whose own
 * pointers kernels can then follow. Host and pool both get room by growing the memory, so neither ever gets what the other
 * has. Contexts share a pool, and give their blocks back when they end. Host thread only.
 */
import { RangeAllocator, roundUp } from './range-allocator.ts';

const pageBytes = 65536;

/** Blocks are multiples of this where the memory allows, so that many small objects do not mean many small blocks. */
const stepBytes = 4 << 20;

/** The least address of a host's own data: compilers for WebAssembly leave so much free for what null pointers lead to. */
const firstOfHost = 1024;

/** A range of addresses. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

export class MemoryPool {
  readonly memory: WebAssembly.Memory;
  /** What the memory was made with; JavaScript does not tell. */
  readonly maximumPages: number;
  /** Neither the host nor a block has anything below this address. */
  readonly lowestAddress = firstOfHost;
  /** No block begins below this address: a host has a page of its own at least. */
  readonly lowestBlock = pageBytes;
  readonly #blocks = new RangeAllocator(0);

  /** `memory` must be shared. */
  constructor(memory: WebAssembly.Memory, maximumPages: number) {
    this.memory = memory;
    this.maximumPages = maximumPages;
  }

  /** At least `bytes` bytes that nobody else has. Undefined if the memory ends. */
  take(bytes: number): Block | undefined {
    return this.#take(roundUp(bytes, stepBytes)) ?? this.#take(roundUp(bytes, pageBytes));
  }

  giveBack(block: Block): void {
    this.#blocks.free(block.start);
  }

  #take(bytes: number): Block | undefined {
    let start = this.#blocks.allocate(bytes);
    if (start === undefined) {
      try {
        if (this.memory.buffer.byteLength < this.lowestBlock) this.memory.grow(this.lowestBlock / pageBytes);
        const grown = this.memory.grow(bytes / pageBytes) * pageBytes;
        this.#blocks.add(grown, grown + bytes);
      } catch {
        return undefined;
      }
      start = this.#blocks.allocate(bytes)!;
    }
    return { start, end: start + bytes };
  }
}
