/** What IL has no instruction for on integers of 64 bits: bits that are counted and rotated, conversions to floats and from them. */
import type { Arithmetic } from './arithmetic.ts';
import type { IlText, Place } from './places.ts';

type Pair = readonly Place[];

const doubleWords = (value: number): number[] => [...new Int32Array(Float64Array.of(value).buffer)];

export class Longs {
  readonly #il: IlText;
  readonly #arithmetic: Arithmetic;

  constructor(il: IlText, arithmetic: Arithmetic) {
    this.#il = il;
    this.#arithmetic = arithmetic;
  }

  #pair(name: string, ...sources: readonly Pair[]): Place[] {
    const result = this.#il.fresh(2);
    this.#il.pair(name, result, ...sources);
    return result;
  }

  #word(name: string, ...sources: readonly Place[]): Place {
    const result = this.#il.one();
    this.#il.each(name, [result], ...sources.map((source) => [source]));
    return result;
  }

  /** A constant pair of two words. */
  #words(low: number, high: number): Place[] {
    return this.#il.constants([low, high]);
  }

  rotate(target: readonly Place[], x: readonly Place[], by: readonly Place[]): void {
    const il = this.#il;
    for (const [lane, pair] of this.#arithmetic.pairs(target).entries()) {
      const [from, count] = [x.slice(2 * lane, 2 * lane + 2), by[2 * lane]!];
      const left = this.#word('iand', count, il.constant(63));
      const right = this.#word('iand', this.#word('isub', il.constant(64), left), il.constant(63));
      il.each('ior', pair, this.#pair('i64shl', from, [left]), this.#pair('u64shr', from, [right]));
    }
  }

  /** `clz`, `ctz` and `popcount`, whose results have 64 bits, too. */
  count(fn: 'clz' | 'ctz' | 'popcount', target: readonly Place[], x: readonly Place[]): void {
    const il = this.#il;
    for (const [lane, pair] of this.#arithmetic.pairs(target).entries()) {
      const [low, high] = [x[2 * lane]!, x[2 * lane + 1]!];
      let found: Place;
      if (fn === 'popcount')
        found = this.#word('iadd', this.#word('icbits', low), this.#word('icbits', high));
      else {
        const name = fn === 'clz' ? 'ffb_hi' : 'ffb_lo';
        const [first, second] = fn === 'clz' ? [high, low] : [low, high];
        const beyond = this.#word('iadd', this.#word(name, second), il.constant(32));
        const rest = this.#word('cmov_logical', second, beyond, il.constant(64));
        found = this.#word('cmov_logical', first, this.#word(name, first), rest);
      }
      il.move(pair, [found, il.constant(0)]);
    }
  }

  /** To floats, rounded once. */
  toFloat(isSigned: boolean, bits: number, target: readonly Place[], x: readonly Place[]): void {
    const il = this.#il;
    const lanes = x.length / 2;
    for (let lane = 0; lane < lanes; lane += 1) {
      const from = x.slice(2 * lane, 2 * lane + 2);
      const sign = isSigned ? this.#word('ishr', from[1]!, il.constant(31)) : il.constant(0);
      const [low, high] = isSigned ? this.#size(from, sign) : [from[0]!, from[1]!];
      let word = low!;
      if (bits === 32) {
        // what a double would round away decides how the float is rounded: one bit tells that there was something
        const rest = this.#word('iadd', this.#word('iand', word, il.constant(0x7ff)), il.constant(0x7ff));
        const sticky = this.#word('iand', this.#word('ior', word, rest), il.constant(-0x800));
        const isLarge = this.#word('uge', high!, il.constant(0x200000));
        word = this.#word('cmov_logical', isLarge, sticky, word);
      }
      const upper = this.#pair('dmul', this.#pair('utod', [high!]), il.constants(doubleWords(2 ** 32)));
      const sum = this.#pair('dadd', upper, this.#pair('utod', [word]));
      const bit = this.#word('iand', sign, il.constant(-0x80000000));
      const signed = il.fresh(2);
      il.move(signed, [sum[0]!, this.#word('ior', sum[1]!, bit)]);
      if (bits === 64) il.move(target.slice(2 * lane, 2 * lane + 2), signed);
      else il.pair('d2f', [target[lane]!], signed);
    }
  }

  /** The absolute value. */
  #size(x: Pair, sign: Place): readonly Place[] {
    const mask = this.#il.fresh(2);
    this.#il.each('mov', mask, [sign, sign]);
    const turned = this.#il.fresh(2);
    this.#il.each('ixor', turned, x, mask);
    return this.#pair('i64sub', turned, mask);
  }

  /** From floats, toward zero; out of range anything. */
  fromFloat(bits: number, target: readonly Place[], x: readonly Place[]): void {
    const il = this.#il;
    for (const [lane, pair] of this.#arithmetic.pairs(target).entries()) {
      const from = bits === 64 ? x.slice(2 * lane, 2 * lane + 2) : this.#pair('f2d', [x[lane]!]);
      const sign = this.#word('ishr', from[1]!, il.constant(31));
      const size = il.fresh(2);
      il.each('iand', size, from, this.#words(-1, 0x7fffffff));
      const scaled = this.#pair('dmul', size, il.constants(doubleWords(2 ** -32)));
      const upper = this.#pair('dsub', scaled, this.#pair('dfrac', scaled));
      const rest = this.#pair('dsub', size, this.#pair('dmul', upper, il.constants(doubleWords(2 ** 32))));
      const [low, high] = [il.one(), il.one()];
      il.pair('dtou', [low], rest);
      il.pair('dtou', [high], upper);
      const whole = il.fresh(2);
      il.move(whole, [low, high]);
      const mask = il.fresh(2);
      il.each('mov', mask, [sign, sign]);
      const turned = il.fresh(2);
      il.each('ixor', turned, whole, mask);
      il.pair('i64sub', pair, turned, mask);
    }
  }
}
