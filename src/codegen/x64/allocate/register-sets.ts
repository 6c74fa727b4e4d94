/** A set of virtual registers for each block, as bits, of those registers that may be in any of them. */
export class RegisterSets {
  /** The registers in order; and where each is among them, -1 for the others. */
  readonly #registers: readonly number[];
  readonly #places: Int32Array;
  readonly #words: number;
  readonly #bits: Uint32Array;
  readonly #blocks: number;

  /** @param first what each block's set has at first; no other registers will be in any. */
  constructor(registers: number, first: readonly (readonly number[])[] | RegisterSets) {
    if (first instanceof RegisterSets) {
      this.#registers = first.#registers;
      this.#places = first.#places;
      this.#words = first.#words;
      this.#blocks = first.#blocks;
      this.#bits = new Uint32Array(first.#bits.length);
      return;
    }
    this.#places = new Int32Array(registers).fill(-1);
    const found: number[] = [];
    for (const list of first) {
      for (const register of list) {
        if (this.#places[register] !== -1) continue;
        this.#places[register] = 0;
        found.push(register);
      }
    }
    found.sort((a, b) => a - b);
    found.forEach((register, place) => {
      this.#places[register] = place;
    });
    this.#registers = found;
    this.#words = (found.length + 31) >> 5;
    this.#blocks = first.length;
    this.#bits = new Uint32Array(this.#blocks * this.#words);
    first.forEach((list, block) => {
      for (const register of list) this.add(block, register);
    });
  }

  /** Sets of the same registers for the same blocks. */
  empty(): RegisterSets {
    return new RegisterSets(0, this);
  }

  /** Nothing for a register that is in none of the sets. */
  add(block: number, register: number): void {
    const place = this.#places[register]!;
    if (place >= 0) this.#bits[block * this.#words + (place >> 5)]! |= 1 << (place & 31);
  }

  /** Adds another block's set to a block's; whether that is more than there was. */
  include(block: number, others: RegisterSets, other: number): boolean {
    let grows = false;
    const to = block * this.#words;
    const from = other * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      const before = this.#bits[to + word]!;
      const after = (before | others.#bits[from + word]!) >>> 0;
      if (after === before) continue;
      this.#bits[to + word] = after;
      grows = true;
    }
    return grows;
  }

  /** Adds another set of the block's, but for what is in a third; whether that is more than there was. */
  includeBut(block: number, others: RegisterSets, excepted: RegisterSets): boolean {
    let grows = false;
    const from = block * this.#words;
    for (let at = from; at < from + this.#words; at += 1) {
      const before = this.#bits[at]!;
      const after = (before | (others.#bits[at]! & ~excepted.#bits[at]!)) >>> 0;
      if (after === before) continue;
      this.#bits[at] = after;
      grows = true;
    }
    return grows;
  }

  /** Calls `visit` for each register of a block's set, in order. */
  forEach(block: number, visit: (register: number) => void): void {
    const from = block * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      let bits = this.#bits[from + word]!;
      while (bits !== 0) {
        const lowest = 31 - Math.clz32(bits & -bits);
        visit(this.#registers[(word << 5) | lowest]!);
        bits &= bits - 1;
      }
    }
  }
}
