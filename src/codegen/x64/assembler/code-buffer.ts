/** Bytes that grow, and the places in them that are filled in once it is known where things are. */

/** A distance of 32 bits that is not known yet: from the end of the instruction to a label or a constant. */
export interface Fixup {
  readonly kind: 'label' | 'constant';
  /** The number of the label or constant. */
  readonly target: number;
  /** Added to its place. */
  readonly offset: number;
  /** Where the four bytes are, and where the instruction ends. */
  readonly at: number;
  end: number;
}

export class CodeBuffer {
  bytes = new Uint8Array(1024);
  length = 0;
  readonly fixups: Fixup[] = [];

  byte(value: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = value;
  }

  /** The lowest bytes of a number, the lowest first. */
  number(value: number | bigint, bytes: number): void {
    if (bytes <= 4) {
      const low = typeof value === 'number' ? value : Number(BigInt.asIntN(32, value));
      for (let index = 0; index < bytes; index += 1) this.byte((low >> (8 * index)) & 0xff);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let index = 0; index < bytes; index += 1) {
      this.byte(Number(rest & 0xffn));
      rest >>= 8n;
    }
  }

  /** Four bytes that will be the distance to a label or constant. */
  distance(kind: Fixup['kind'], target: number, offset: number): void {
    this.fixups.push({ kind, target, offset, at: this.length, end: 0 });
    this.number(0, 4);
  }
}
