/**
 * Memory: each buffer of a kernel is a uav of bytes, group memory is lds 0, and what is private, with the tables of the program, is an
 * array of indexed temporaries with a word in each element. A pointer is an offset in bytes; to which of these it belongs must be known
 * when the program is written.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { type Arithmetic, bitsOf } from './arithmetic.ts';
import { type IlText, IlWriteError, laneCount, laneWords, type Place, scalar, written } from './places.ts';

/** Where a pointer leads: a uav, group memory, private memory. */
export type Base = { readonly kind: 'uav'; readonly id: number } | { readonly kind: 'lds' | 'private' };

export const sameBase = (a: Base, b: Base): boolean =>
  a.kind === b.kind && (a.kind !== 'uav' || b.kind !== 'uav' || a.id === b.id);

const atomics: Readonly<Record<string, string>> = {
  exchange: 'xchg',
  add: 'add',
  sub: 'sub',
  and: 'and',
  or: 'or',
  xor: 'xor',
  smin: 'min',
  smax: 'max',
  umin: 'umin',
  umax: 'umax',
  compare_exchange: 'cmp_xchg',
};

/** Larger copies would be loops, which nobody has asked for. */
const mostCopied = 4096;

export class Memory {
  readonly #il: IlText;
  readonly #arithmetic: Arithmetic;
  /** Bytes of group and of private memory. */
  ldsBytes = 0;
  privateBytes = 0;

  constructor(il: IlText, arithmetic: Arithmetic) {
    this.#il = il;
    this.#arithmetic = arithmetic;
  }

  /** The offset of new bytes. */
  reserve(kind: 'lds' | 'private', size: number, align: number): number {
    const unit = Math.max(4, align);
    const before = kind === 'lds' ? this.ldsBytes : this.privateBytes;
    const start = Math.ceil(before / unit) * unit;
    if (kind === 'lds') this.ldsBytes = start + Math.ceil(size / 4) * 4;
    else this.privateBytes = start + Math.ceil(size / 4) * 4;
    return start;
  }

  /** An address some bytes further on. */
  #at(address: Place, bytes: number): Place {
    if (bytes === 0) return address;
    const result = this.#il.one();
    this.#il.each('iadd', [result], [address], [this.#il.constant(bytes)]);
    return result;
  }

  load(base: Base, address: Place, type: Type, target: readonly Place[], align: number): void {
    const bits = bitsOf(type);
    if (elementOf(type).kind === 'bool') throw new IlWriteError('truth values are not stored');
    if (bits < 32) {
      for (const [lane, place] of target.entries()) {
        this.#loadSmall(base, this.#at(address, (lane * bits) / 8), bits as 8 | 16, place);
      }
      return;
    }
    if (align < 4) {
      for (const [word, place] of target.entries()) this.#loadBytes(base, this.#at(address, word * 4), place);
      return;
    }
    for (let start = 0; start < target.length; start += 4) {
      this.#loadWords(base, this.#at(address, start * 4), target.slice(start, start + 4));
    }
  }

  #loadWords(base: Base, address: Place, target: readonly Place[]): void {
    const il = this.#il;
    if (base.kind === 'private') {
      for (const [word, place] of target.entries()) {
        il.line(`mov ${written([place])}, ${this.#element(this.#at(address, word * 4))}.xxxx`);
      }
      return;
    }
    // what is loaded is in x, y, z and w as it lies in memory
    const direct = target.every(({ component }, index) => component === index);
    const into = direct ? target : il.fresh(target.length);
    il.line(
      base.kind === 'uav'
        ? `uav_raw_load_id(${base.id}) ${written(into)}, ${scalar(address)}`
        : `lds_load_vec_id(0) ${written(into)}, ${scalar(address)}, ${scalar(il.constant(0))}`,
    );
    if (!direct) il.move(target, into);
  }

  /** An element of the private array. */
  #element(address: Place): string {
    const index = this.#il.one();
    this.#il.each('ushr', [index], [address], [this.#il.constant(2)]);
    return `x0[${scalar(index)}]`;
  }

  /** The bits below those of an address in its word. */
  #shift(address: Place): Place {
    const il = this.#il;
    const shift = il.one();
    il.each('iand', [shift], [address], [il.constant(3)]);
    il.each('ishl', [shift], [shift], [il.constant(3)]);
    return shift;
  }

  /** A number of 8 or 16 bits, with its sign. */
  #loadSmall(base: Base, address: Place, bits: 8 | 16, target: Place): void {
    const il = this.#il;
    const name = bits === 8 ? 'byte' : 'short';
    if (base.kind === 'uav')
      il.line(`uav_${name}_load_id(${base.id}) ${written([target])}, ${scalar(address)}`);
    else if (base.kind === 'lds') il.line(`lds_load_${name}_id(0) ${written([target])}, ${scalar(address)}`);
    else {
      il.line(`mov ${written([target])}, ${this.#element(address)}.xxxx`);
      il.each('ushr', [target], [target], [this.#shift(address)]);
      this.#arithmetic.narrow([target], bits);
    }
  }

  /** A word that may lie anywhere. */
  #loadBytes(base: Base, address: Place, target: Place): void {
    const il = this.#il;
    const word = il.one();
    il.move([word], [il.constant(0)]);
    for (let byte = 0; byte < 4; byte += 1) {
      const part = il.one();
      this.#loadSmall(base, this.#at(address, byte), 8, part);
      il.each('iand', [part], [part], [il.constant(255)]);
      il.each('ishl', [part], [part], [il.constant(8 * byte)]);
      il.each('ior', [word], [word], [part]);
    }
    il.move([target], [word]);
  }

  store(base: Base, address: Place, type: Type, value: readonly Place[], align: number): void {
    const bits = bitsOf(type);
    if (elementOf(type).kind === 'bool') throw new IlWriteError('truth values are not stored');
    if (bits < 32) {
      for (const [lane, place] of value.entries()) {
        this.#storeSmall(base, this.#at(address, (lane * bits) / 8), bits as 8 | 16, place);
      }
      return;
    }
    if (align < 4) {
      value.forEach((place, word) => {
        for (let byte = 0; byte < 4; byte += 1) {
          const part = this.#il.one();
          this.#il.each('ushr', [part], [place], [this.#il.constant(8 * byte)]);
          this.#storeSmall(base, this.#at(address, word * 4 + byte), 8, part);
        }
      });
      return;
    }
    for (let start = 0; start < value.length; start += 4) {
      this.#storeWords(base, this.#at(address, start * 4), value.slice(start, start + 4));
    }
  }

  #storeWords(base: Base, address: Place, value: readonly Place[]): void {
    const il = this.#il;
    if (base.kind === 'private') {
      for (const [word, place] of value.entries()) {
        il.line(`mov ${this.#element(this.#at(address, word * 4))}.x___, ${scalar(place)}`);
      }
      return;
    }
    const isInOrder = value.every(
      ({ bank, register, component }, index) =>
        component === index && bank === value[0]!.bank && register === value[0]!.register,
    );
    let from = value;
    if (!isInOrder && value.length > 1) {
      from = il.fresh(value.length);
      il.move(from, value);
    }
    const mask = 'xyzw'.slice(0, value.length).padEnd(4, '_');
    const source = value.length === 1 ? scalar(from[0]!) : `${from[0]!.bank}${from[0]!.register}`;
    il.line(
      base.kind === 'uav'
        ? `uav_raw_store_id(${base.id}) mem.${mask}, ${scalar(address)}, ${source}`
        : `lds_store_vec_id(0) mem.${mask}, ${scalar(address)}, ${scalar(il.constant(0))}, ${source}`,
    );
  }

  #storeSmall(base: Base, address: Place, bits: 8 | 16, value: Place): void {
    const il = this.#il;
    const name = bits === 8 ? 'byte' : 'short';
    if (base.kind === 'uav') {
      il.line(`uav_${name}_store_id(${base.id}) ${scalar(address)}, ${scalar(value)}`);
      return;
    }
    if (base.kind === 'lds') {
      il.line(`lds_store_${name}_id(0) ${scalar(address)}, ${scalar(value)}`);
      return;
    }
    const element = this.#element(address);
    const shift = this.#shift(address);
    const [mask, field, word] = [il.one(), il.one(), il.one()];
    il.each('ishl', [mask], [il.constant(2 ** bits - 1)], [shift]);
    il.each('ishl', [field], [value], [shift]);
    il.line(`mov ${written([word])}, ${element}.xxxx`);
    il.each('bfi', [word], [mask], [field], [word]);
    il.line(`mov ${element}.x___, ${scalar(word)}`);
  }

  atomic(
    { fn, span }: ir.Atomic,
    base: Base,
    address: Place,
    type: Type,
    operands: readonly Place[],
    target: readonly Place[],
  ): void {
    if (bitsOf(type) !== 32) throw new IlWriteError('IL has no atomic operations on 64 bits', span);
    if (base.kind === 'private')
      throw new IlWriteError('IL has no atomic operations on private memory', span);
    if (fn === 'load') {
      this.#loadWords(base, address, target);
      return;
    }
    if (fn === 'store') {
      this.#storeWords(base, address, operands);
      return;
    }
    const memory = base.kind === 'uav' ? 'uav' : 'lds';
    const id = base.kind === 'uav' ? base.id : 0;
    const sources = [address, ...operands].map(scalar).join(', ');
    this.#il.line(`${memory}_read_${atomics[fn]}_id(${id}) ${written(target)}, ${sources}`);
  }

  /** Words as far as both begin at one, bytes otherwise. */
  copy(to: Base, target: Place, from: Base, source: Place, bytes: number, align: number): void {
    if (bytes > mostCopied)
      throw new IlWriteError(`${bytes} bytes are copied at once; IL copies up to ${mostCopied}`);
    let at = 0;
    for (; align >= 4 && at + 4 <= bytes; at += 4) {
      const word = [this.#il.one()];
      this.#loadWords(from, this.#at(source, at), word);
      this.#storeWords(to, this.#at(target, at), word);
    }
    for (; at < bytes; at += 1) {
      const byte = this.#il.one();
      this.#loadSmall(from, this.#at(source, at), 8, byte);
      this.#storeSmall(to, this.#at(target, at), 8, byte);
    }
  }

  fill(to: Base, target: Place, byte: number, bytes: number, align: number): void {
    if (bytes > mostCopied)
      throw new IlWriteError(`${bytes} bytes are filled at once; IL fills up to ${mostCopied}`);
    const word = this.#il.constant(byte * 0x01010101);
    let at = 0;
    for (; align >= 4 && at + 4 <= bytes; at += 4) this.#storeWords(to, this.#at(target, at), [word]);
    for (; at < bytes; at += 1) this.#storeSmall(to, this.#at(target, at), 8, word);
  }

  /** Puts a table of the program into private memory. */
  initialise(start: number, words: readonly number[]): void {
    for (const [index, word] of words.entries()) {
      this.#il.line(`mov x0[${start / 4 + index}].x___, ${scalar(this.#il.constant(word))}`);
    }
  }
}

/** Words that a value of a type takes in registers. */
export const wordsOf = (type: Type): number => laneCount(type) * laneWords(type);
