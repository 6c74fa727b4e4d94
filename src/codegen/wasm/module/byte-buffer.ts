/**
 * A growing run of bytes and WebAssembly's way of writing numbers into it. Everything the encoder produces
 * goes through here.
 */

const text = new TextEncoder();
/** Where floats become bytes: a view of each buffer would cost more than most of them hold. */
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

export class ByteBuffer {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Replaces a byte written before. */
  patch(at: number, value: number): void {
    this.#bytes[at] = value;
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** Unsigned LEB128 of a number below 2^32. */
  u32(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Signed LEB128 of a 32-bit integer. */
  s32(value: number): void {
    let rest = value | 0;
    while (rest < -0x40 || rest > 0x3f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }

  /** Signed LEB128 of a 64-bit integer. */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -0x40n || rest > 0x3fn) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest & 0x7fn));
  }

  /** Four bytes, IEEE single, little endian. */
  f32(value: number): void {
    scratch.setFloat32(0, value, true);
    this.bytes(scratchBytes.subarray(0, 4));
  }

  /** Eight bytes, IEEE double, little endian. */
  f64(value: number): void {
    scratch.setFloat64(0, value, true);
    this.bytes(scratchBytes);
  }

  /** A length and UTF-8 bytes. */
  name(value: string): void {
    const encoded = text.encode(value);
    this.u32(encoded.length);
    this.bytes(encoded);
  }

  /** Another buffer's bytes with their length before them. */
  sized(content: ByteBuffer): void {
    this.u32(content.length);
    this.bytes(content.view());
  }

  /** The bytes so far, not copied: valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of the bytes so far. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
