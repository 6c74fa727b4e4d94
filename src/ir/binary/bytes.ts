/**
 * Numbers and texts as bytes. Whole numbers take seven bits a byte, lowest first, the top bit saying that more follows;
 * signed ones are zigzagged first. A text that came before is a reference to it.
 */

/** The bytes are no module: damaged, cut off, or made to do harm. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError';
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;
  readonly #texts = new Map<string, number>();

  /** A copy of what has been written. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** A whole number from 0 to 2^53 - 1. */
  count(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  /** A whole number below 2^52 in size. */
  signed(value: number): void {
    this.count(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** A 64-bit number, as its eight bytes. */
  wide(value: bigint): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigInt64(0, value, true);
    this.bytes(new Uint8Array(view.buffer));
  }

  float(value: number, size: 4 | 8): void {
    const view = new DataView(new ArrayBuffer(size));
    if (size === 4) view.setFloat32(0, value, true);
    else view.setFloat64(0, value, true);
    this.bytes(new Uint8Array(view.buffer));
  }

  text(value: string): void {
    const known = this.#texts.get(value);
    this.count(known ?? this.#texts.size);
    if (known !== undefined) return;
    this.#texts.set(value, this.#texts.size);
    const bytes = encoder.encode(value);
    this.count(bytes.length);
    this.bytes(bytes);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Every method throws a BinaryError where the bytes do not have what it reads. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #texts: string[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) this.fail('it ends too early');
    this.#at += 1;
    return value;
  }

  bytes(length: number): Uint8Array {
    if (length > this.left) this.fail('it ends too early');
    const at = this.#at;
    this.#at += length;
    return this.#bytes.subarray(at, at + length);
  }

  /** A whole number up to `most`, which is below 2^53. */
  count(most: number): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (value > most) this.fail(`${value} where at most ${most} is allowed`);
      if (byte < 0x80) return value;
      // Zeros at the end would let a number go on for ever.
      if (scale > most) this.fail('a number is too long');
    }
  }

  /** How many elements follow; each takes a byte at least. */
  length(): number {
    return this.count(this.left);
  }

  signed(most: number): number {
    const value = this.count(most * 2);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  wide(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  float(size: 4 | 8): number {
    const at = this.#take(size);
    return size === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  text(): string {
    const index = this.count(this.#texts.length);
    const known = this.#texts[index];
    if (known !== undefined) return known;
    const bytes = this.bytes(this.length());
    try {
      const text = decoder.decode(bytes);
      this.#texts.push(text);
      return text;
    } catch {
      return this.fail('a text is not UTF-8');
    }
  }

  fail(reason: string): never {
    throw new BinaryError(reason);
  }

  #take(size: number): number {
    if (size > this.left) this.fail('it ends too early');
    const at = this.#at;
    this.#at += size;
    return at;
  }
}
