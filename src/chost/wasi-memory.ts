/** A program's memory, as the system sees it: numbers, texts and pieces of it. Every pointer is checked. */
import { SystemError } from './wasi.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** As many as other systems take. */
const mostPieces = 1024;

export class WasiMemory {
  readonly memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
  }

  /** A range of bytes. @throws SystemError fault */
  bytes(at: number, length: number): Uint8Array {
    this.#check(at, length);
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** A range of bytes as numbers. @throws SystemError fault */
  view(at: number, length: number): DataView {
    this.#check(at, length);
    return new DataView(this.memory.buffer, at, length);
  }

  u32(at: number): number {
    return this.view(at, 4).getUint32(0, true);
  }

  setU32(at: number, value: number): void {
    this.view(at, 4).setUint32(0, value, true);
  }

  setU64(at: number, value: number | bigint): void {
    this.view(at, 8).setBigUint64(0, BigInt(value), true);
  }

  text(at: number, length: number): string {
    return decoder.decode(this.bytes(at, length).slice());
  }

  /** The pieces of a list of addresses and lengths (`iovec`). @throws SystemError invalid if there are very many */
  pieces(list: number, count: number): Uint8Array[] {
    if (count > mostPieces) throw new SystemError('invalid');
    const view = this.view(list, count * 8);
    return Array.from({ length: count }, (_, index) =>
      this.bytes(view.getUint32(index * 8, true), view.getUint32(index * 8 + 4, true)),
    );
  }

  /** Texts with a NUL each, one after another, and a list of where they are. */
  setTexts(list: number, at: number, texts: readonly string[]): void {
    let next = at;
    for (const [index, text] of texts.entries()) {
      const bytes = encoder.encode(`${text}\0`);
      this.bytes(next, bytes.length).set(bytes);
      this.setU32(list + index * 4, next);
      next += bytes.length;
    }
  }

  /** How many texts there are, and how many bytes {@link setTexts} takes for them. */
  setTextSizes(countAt: number, bytesAt: number, texts: readonly string[]): void {
    this.setU32(countAt, texts.length);
    this.setU32(
      bytesAt,
      texts.reduce((sum, text) => sum + encoder.encode(text).length + 1, 0),
    );
  }

  #check(at: number, length: number): void {
    if (at + length > this.memory.buffer.byteLength) throw new SystemError('fault');
  }
}
