/**
 * Which bytes of buffers are undefined between launches: those that nobody has written, until the host writes the buffer or asks for its
 * bytes, or a command writes it; and those that kernels have copied there undefined, with the copies that did so.
 */
import type { MemoryObject } from '../../runtime/command.ts';
import type { Shadow } from './shadow.ts';
import type { Site } from './sites.ts';
import type { UndefinedBytes } from './undefined-bytes.ts';

/** A copy that has stored bytes that are undefined. */
export interface CopyOrigin {
  readonly site: Site;
  readonly kernel: string;
}

export interface BufferRecord {
  readonly memory: MemoryObject;
  /** A 1 for each byte that is defined. */
  readonly written: Uint8Array;
  /** How often the host had been given the bytes. */
  readonly touches: number | undefined;
  /** For each byte the number of the copy that has stored it undefined, from 1 on; 0 where none has. */
  origins: Uint16Array | undefined;
}

const mostOrigins = 65535;

export class BufferRecords {
  readonly #bytes: UndefinedBytes;
  readonly #shadows: () => Iterable<Shadow>;
  readonly #records = new WeakMap<MemoryObject, BufferRecord>();
  /** Buffers of which nothing is undefined that kernels have not made so. */
  readonly #written = new WeakSet<MemoryObject>();
  readonly #origins: CopyOrigin[] = [];
  readonly #numbers = new Map<Site, number>();

  /** @param shadows in which granules may be marked */
  constructor(bytes: UndefinedBytes, shadows: () => Iterable<Shadow>) {
    this.#bytes = bytes;
    this.#shadows = shadows;
  }

  /** Of the buffer that a range is in; undefined if all is defined, or nobody can tell. */
  of(part: MemoryObject): BufferRecord | undefined {
    const memory = wholeOf(part);
    const known = this.#records.get(memory);
    if (known && known.touches === memory.touches) return known;
    if (known) this.forget(memory);
    if (memory.touches !== 0 || this.#written.has(memory)) return undefined;
    return this.#make(memory, 0);
  }

  /** Somebody has written the buffer, and nobody knows what. */
  forget(part: MemoryObject): void {
    const memory = wholeOf(part);
    this.#written.add(memory);
    if (!this.#records.delete(memory)) return;
    for (const shadow of this.#shadows()) shadow.unmark(memory.address, memory.size);
  }

  /** After a launch that began in the epoch `since`: what it has written, and what it has stored undefined. */
  collect(part: MemoryObject, shadow: Shadow, since: number, originOf: (who: number) => CopyOrigin): void {
    const memory = wholeOf(part);
    // Where the host may write at any time nothing is sure for long.
    if (Number.isNaN(memory.touches ?? Number.NaN)) return;
    const record = this.of(memory) ?? this.#make(memory, 1);
    const isAll = shadow.collectWritten(
      memory.address,
      record.written,
      since,
      this.#bytes,
      (at, count, who) => {
        record.origins ??= new Uint16Array(memory.size);
        record.origins.fill(this.#numberOf(originOf(who)), at, at + count);
      },
    );
    if (isAll) this.forget(memory);
  }

  /** The copy that stored a byte undefined, in a launch before. */
  originOf(part: MemoryObject, offset: number): CopyOrigin | undefined {
    const number = this.#records.get(wholeOf(part))?.origins?.[offset];
    return number ? this.#origins[number - 1] : undefined;
  }

  #make(memory: MemoryObject, value: 0 | 1): BufferRecord {
    const { size, touches } = memory;
    const written = new Uint8Array(size).fill(value);
    const record = { memory, written, touches, origins: undefined };
    this.#records.set(memory, record);
    return record;
  }

  #numberOf(origin: CopyOrigin): number {
    let number = this.#numbers.get(origin.site);
    if (number === undefined) {
      number = this.#origins.length === mostOrigins ? 0 : this.#origins.push(origin);
      this.#numbers.set(origin.site, number);
    }
    return number;
  }
}

/** The buffer that something is a part of. */
function wholeOf(memory: MemoryObject): MemoryObject {
  return memory.parent ?? memory;
}
