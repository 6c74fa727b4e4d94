/**
 * The interpreter's memory: separate allocations in one flat range of addresses, with gaps between them that belong
 * to nobody (unless their addresses were given). A pointer is a plain number, so programs may store it, compare it and make an integer of it; an access that
 * leaves its allocation falls into a gap and is reported.
 */
import { counted } from '../../source/counted.ts';
import type { AddressSpace } from '../types.ts';

/** Something a running program did wrong. The interpreter adds who did it and where. */
export class Fault extends Error {}

/** Bytes at an address. */
export interface Allocation {
  readonly name: string;
  readonly space: Exclude<AddressSpace, 'generic'>;
  /** Address of the first byte; Infinity once it is released. */
  start: number;
  readonly size: number;
  bytes: Uint8Array;
  view: DataView;
  /** A byte for each byte, 1 where something was written; undefined where that is not tracked. */
  readonly written: Uint8Array | undefined;
}

/** An allocation, and where it began when it was kept. */
export interface KeptAllocation {
  readonly allocation: Allocation;
  readonly start: number;
}

/** Which allocations there were at some time; see {@link Memory.save}. */
export interface MemoryState {
  readonly allocations: readonly KeptAllocation[];
  readonly placed: readonly KeptAllocation[];
  readonly next: number;
}

/** Addresses below are never used, so that null and small offsets from it are no valid pointers. */
const firstAddress = 0x10000;
/** At least so many bytes lie between two allocations. Kernels that leave a buffer mostly leave it by rows of a matrix. */
const gap = { private: 256, local: 256, global: 1 << 18, constant: 4096 } as const;

export class Memory {
  /** In the order of their addresses. */
  readonly #allocations: Allocation[] = [];
  /** Those whose addresses were given; in their order, too. The others keep away from them. */
  readonly #placed: Allocation[] = [];
  readonly #checkUninitialised: boolean;
  readonly #tracksWritten: boolean;
  readonly #limit: number;
  #next = firstAddress + gap.global;

  /**
   * @param checkUninitialised whether reads of private and local bytes that nobody wrote are faults
   * @param tracksWritten whether it is known which of them were written
   */
  constructor(addressBits: 32 | 64, checkUninitialised: boolean, tracksWritten = checkUninitialised) {
    this.#limit = addressBits === 32 ? 2 ** 32 : 2 ** 52;
    this.#checkUninitialised = checkUninitialised;
    this.#tracksWritten = tracksWritten;
  }

  /** Zero bytes; whether a program may rely on that depends on what they are for. */
  reserve(space: Allocation['space'], size: number, align: number, name: string): Allocation {
    return this.allocate(space, zeroBytes(size, name), name, align, false);
  }

  /** Gives existing bytes an address. They are used in place. `isWritten`: they mean something from the start. */
  allocate(
    space: Allocation['space'],
    bytes: Uint8Array,
    name: string,
    align = 128,
    isWritten = true,
  ): Allocation {
    const granule = Math.max(align, 128);
    const start = this.#freeFrom(Math.ceil(this.#next / granule) * granule, bytes.length, granule);
    const next = start + bytes.length + gap[space];
    if (next > this.#limit) throw new Fault(`out of addresses for ${bytes.length} bytes of ${space} memory`);
    const tracked = this.#tracksWritten && !isWritten && (space === 'private' || space === 'local');
    const written = tracked ? new Uint8Array(bytes.length) : undefined;
    const allocation = allocationOf(space, start, bytes, name, written);
    this.#next = next;
    this.#allocations.push(allocation);
    return allocation;
  }

  /** Gives existing bytes a certain address, where nothing else may be. They are used in place, until {@link release}. */
  place(space: Allocation['space'], start: number, bytes: Uint8Array, name: string): Allocation {
    const allocation = allocationOf(space, start, bytes, name, undefined);
    this.#placed.splice(after(this.#placed, start), 0, allocation);
    return allocation;
  }

  /** What is allocated now, without its bytes. */
  save(): MemoryState {
    const kept = (allocation: Allocation): KeptAllocation => ({ allocation, start: allocation.start });
    return { allocations: this.#allocations.map(kept), placed: this.#placed.map(kept), next: this.#next };
  }

  /** Has allocated what was then, and nothing else. The bytes are those of now. */
  restore({ allocations, placed, next }: MemoryState): void {
    for (const list of [this.#allocations, this.#placed]) {
      for (const allocation of list) allocation.start = Number.POSITIVE_INFINITY;
      list.length = 0;
    }
    for (const [list, kept] of [
      [this.#allocations, allocations],
      [this.#placed, placed],
    ] as const) {
      for (const { allocation, start } of kept) {
        allocation.start = start;
        list.push(allocation);
      }
    }
    this.#next = next;
  }

  /** What holds an address, or ends there; undefined if nothing does. */
  at(address: number): Allocation | undefined {
    return this.#find(address, ({ start, size }) => address <= start + size);
  }

  /** How many allocations there are, for {@link releaseTo}. */
  get mark(): number {
    return this.#allocations.length;
  }

  /** Releases everything allocated since the mark was taken; its addresses will be used again. */
  releaseTo(mark: number): void {
    const released = this.#allocations.splice(mark);
    const first = released[0];
    if (!first) return;
    this.#next = first.start;
    for (const allocation of released) allocation.start = Number.POSITIVE_INFINITY;
  }

  /** Releases one allocation; its addresses are not used again. */
  release(address: number): void {
    const list = this.#placed.some(({ start }) => start === address) ? this.#placed : this.#allocations;
    const index = list.findIndex(({ start }) => start === address);
    const [allocation] = index < 0 ? [] : list.splice(index, 1);
    if (!allocation) throw new Fault(`nothing is allocated at address ${hex(address)}`);
    allocation.start = Number.POSITIVE_INFINITY;
  }

  /**
   * The allocation that holds all bytes of an access.
   * @param space what the pointer's type says
   * @param guess the allocation that an access before it found, which is likely to be the same
   * @throws Fault if there is none, or it is of another space, or the address is not aligned
   */
  access(
    address: number,
    size: number,
    align: number,
    space: AddressSpace,
    what: string,
    guess?: Allocation,
  ): Allocation {
    const found = guess && holds(guess, address, size) ? guess : this.#search(address);
    if (!found || !holds(found, address, size)) {
      throw new Fault(`${what} of ${size} bytes ${this.#describe(address)}`);
    }
    if (!spacesFit(space, found.space)) {
      throw new Fault(
        `${what} through a pointer to ${space} memory reaches ${found.space} memory, '${found.name}'`,
      );
    }
    if (address % align !== 0) {
      throw new Fault(`${what} at ${hex(address)}, in '${found.name}', is not aligned to ${align} bytes`);
    }
    return found;
  }

  /** Checks that all bytes of a read were written, if that is asked for. */
  checkWritten(allocation: Allocation, offset: number, size: number): void {
    const { written } = allocation;
    if (!written || !this.#checkUninitialised) return;
    for (let index = offset; index < offset + size; index += 1) {
      if (written[index] === 0) {
        throw new Fault(`load of byte ${index} of '${allocation.name}', which was never written`);
      }
    }
  }

  /** The space of what a pointer leads to, which may lie just behind an object; undefined for null and the like. */
  spaceAt(address: number): Allocation['space'] | undefined {
    return this.at(address)?.space;
  }

  /** The last allocation that starts at or before the address, if it reaches so far. */
  #search(address: number): Allocation | undefined {
    return this.#find(address, ({ start, size }) => address < start + size);
  }

  #find(address: number, reaches: (allocation: Allocation) => boolean): Allocation | undefined {
    const before = this.#allocations[after(this.#allocations, address) - 1];
    if (before && reaches(before)) return before;
    const placed = this.#placed[after(this.#placed, address) - 1];
    return placed && reaches(placed) ? placed : undefined;
  }

  /** The first address from `start` on with room for `size` bytes next to the placed allocations. */
  #freeFrom(start: number, size: number, granule: number): number {
    let free = start;
    for (const placed of this.#placed) {
      if (placed.start >= free + size + gap.global) break;
      const end = placed.start + placed.size + gap.global;
      if (end > free) free = Math.ceil(end / granule) * granule;
    }
    return free;
  }

  #describe(address: number): string {
    if (address >= 0 && address < firstAddress) {
      return address === 0 ? 'through a null pointer' : `${counted(address, 'byte')} after a null pointer`;
    }
    const all = [...this.#allocations, ...this.#placed].sort((a, b) => a.start - b.start);
    const index = after(all, address);
    const before = all[index - 1];
    const next = all[index];
    const past = before ? address - before.start : Number.POSITIVE_INFINITY;
    // Just before an object, and far behind the one before it: an index below zero.
    const isBelow = next !== undefined && next.start - address <= 64 && before && past - before.size > 512;
    if (before && past - before.size < 65536 && !isBelow) {
      return `at byte ${past} of '${before.name}', which has ${before.size}`;
    }
    if (next) return `${counted(next.start - address, 'byte')} before '${next.name}'`;
    return `at address ${hex(address)}, where nothing is`;
  }
}

function allocationOf(
  space: Allocation['space'],
  start: number,
  bytes: Uint8Array,
  name: string,
  written: Uint8Array | undefined,
): Allocation {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { name, space, start, size: bytes.length, bytes, view, written };
}

/** The index of the first of a sorted list that starts after the address. */
function after(allocations: readonly Allocation[], address: number): number {
  let low = 0;
  let high = allocations.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (allocations[middle]!.start <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @throws Fault for constant memory */
export function mayWrite(allocation: Allocation): void {
  if (allocation.space === 'constant') throw new Fault(`store to '${allocation.name}' in constant memory`);
}

/** A program may ask for more than the host has. */
function zeroBytes(size: number, name: string): Uint8Array {
  try {
    return new Uint8Array(size);
  } catch (error) {
    if (error instanceof RangeError) throw new Fault(`no room for ${size} bytes of '${name}'`);
    throw error;
  }
}

function holds(allocation: Allocation, address: number, size: number): boolean {
  return address >= allocation.start && address + size <= allocation.start + allocation.size;
}

/** Whether a pointer to one space may reach an allocation of another: constant pointers may reach any buffer. */
function spacesFit(pointer: AddressSpace, allocation: Allocation['space']): boolean {
  if (pointer === allocation || pointer === 'generic') return true;
  const buffers = (space: string) => space === 'global' || space === 'constant';
  return buffers(pointer) && buffers(allocation);
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}
