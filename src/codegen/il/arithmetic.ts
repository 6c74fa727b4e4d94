/** Computations: those of 32 bits word by word, those of 64 bits in pairs, those of 8 and 16 bits with their sign kept in 32. */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { Longs } from './longs.ts';
import { type IlText, IlWriteError, laneCount, type Place } from './places.ts';

/** The bits of a number's element; truth values count as 32. */
export function bitsOf(type: Type): number {
  const element = elementOf(type);
  return element.kind === 'int' || element.kind === 'float' ? element.bits : 32;
}

const isFloat = (type: Type): boolean => elementOf(type).kind === 'float';

const signBit = -0x80000000;

const floats: Readonly<Record<string, string>> = {
  fadd: 'add',
  fsub: 'sub',
  fmul: 'mul_ieee',
  fdiv: 'div_zeroop(infinity)',
  fmin: 'min_ieee',
  fmax: 'max_ieee',
  fsqrt: 'sqrt_vec',
  fabs: 'abs',
  ffloor: 'round_neginf',
  fceil: 'round_plusinf',
  ftrunc: 'round_z',
  frint: 'round_nearest',
};

const doubles: Readonly<Record<string, string>> = {
  fadd: 'dadd',
  fsub: 'dsub',
  fmul: 'dmul',
  fdiv: 'ddiv_zeroop(infinity)',
  fmin: 'dmin',
  fmax: 'dmax',
  fsqrt: 'dsqrt',
  fabs: 'dabs',
};

const integers: Readonly<Record<string, string>> = {
  iadd: 'iadd',
  isub: 'isub',
  imul: 'imul',
  udiv: 'udiv',
  urem: 'umod',
  and: 'iand',
  or: 'ior',
  xor: 'ixor',
  shl: 'ishl',
  sshr: 'ishr',
  ushr: 'ushr',
  smin: 'imin',
  smax: 'imax',
  umin: 'umin',
  umax: 'umax',
  smulhi: 'imul_high',
  umulhi: 'umul_high',
  not: 'inot',
};

const longs: Readonly<Record<string, string>> = {
  iadd: 'i64add',
  isub: 'i64sub',
  imul: 'i64mul',
  sdiv: 'i64div',
  udiv: 'u64div',
  srem: 'i64mod',
  urem: 'u64mod',
  smin: 'i64min',
  smax: 'i64max',
  umin: 'u64min',
  umax: 'u64max',
  shl: 'i64shl',
  sshr: 'i64shr',
  ushr: 'u64shr',
};

/** Numbers of 8 and 16 bits are kept with their sign; these take them as unsigned. */
const unsigned = new Set(['udiv', 'urem', 'ushr', 'umin', 'umax', 'umulhi', 'clz', 'ctz', 'popcount']);

/** Comparisons, and whether the operands change places. */
const comparisons: Readonly<Record<string, readonly [name: string, swaps: boolean]>> = {
  eq: ['eq', false],
  ne: ['ne', false],
  slt: ['lt', false],
  sge: ['ge', false],
  sgt: ['lt', true],
  sle: ['ge', true],
  ult: ['ult', false],
  uge: ['uge', false],
  ugt: ['ult', true],
  ule: ['uge', true],
  feq: ['eq', false],
  fne: ['ne', false],
  flt: ['lt', false],
  fge: ['ge', false],
  fgt: ['lt', true],
  fle: ['ge', true],
};

export class Arithmetic {
  readonly #il: IlText;
  readonly #longs: Longs;

  constructor(il: IlText) {
    this.#il = il;
    this.#longs = new Longs(il, this);
  }

  /** The pairs of a value with lanes of 64 bits. */
  pairs(places: readonly Place[]): Place[][] {
    return Array.from({ length: places.length / 2 }, (_, lane) => places.slice(2 * lane, 2 * lane + 2));
  }

  /** Words as often as there are targets. */
  all(word: number, count: number): Place[] {
    const place = this.#il.constant(word);
    return Array.from({ length: count }, () => place);
  }

  /** Brings a result of 8 or 16 bits into its form. */
  narrow(places: readonly Place[], bits: number): void {
    if (bits >= 32) return;
    const by = this.all(32 - bits, places.length);
    this.#il.each('ishl', places, places, by);
    this.#il.each('ishr', places, places, by);
  }

  /** A number of 8 or 16 bits without its sign. */
  wide(places: readonly Place[], bits: number): readonly Place[] {
    if (bits >= 32) return places;
    const result = this.#il.fresh(places.length);
    this.#il.each('iand', result, places, this.all(2 ** bits - 1, places.length));
    return result;
  }

  unary({ fn, span }: ir.Unary, type: Type, target: readonly Place[], x: readonly Place[]): void {
    const il = this.#il;
    const bits = bitsOf(type);
    if (isFloat(type)) {
      if (fn === 'fneg') {
        const signs = target.map((_, word) => (bits === 64 && word % 2 === 0 ? 0 : signBit));
        il.each('ixor', target, x, il.constants(signs));
      } else if (bits === 32) il.each(floats[fn]!, target, x);
      else if (doubles[fn]) this.#inPairs(doubles[fn], target, x);
      else throw new IlWriteError(`IL has no ${fn.slice(1)} of doubles`, span);
      return;
    }
    if (fn === 'not') {
      il.each('inot', target, x);
      return;
    }
    if (bits === 64) {
      this.#longs.count(fn as 'clz', target, x);
      return;
    }
    const from = this.wide(x, bits);
    if (fn === 'popcount') il.each('icbits', target, from);
    else {
      const found = il.fresh(target.length);
      il.each(fn === 'clz' ? 'ffb_hi' : 'ffb_lo', found, from);
      il.each('cmov_logical', target, from, found, this.all(fn === 'clz' ? 32 : bits, target.length));
      if (fn === 'clz' && bits < 32) il.each('isub', target, target, this.all(32 - bits, target.length));
    }
  }

  binary(
    { fn, span }: ir.Binary,
    type: Type,
    target: readonly Place[],
    a: readonly Place[],
    b: readonly Place[],
  ): void {
    const il = this.#il;
    const bits = bitsOf(type);
    if (fn === 'fcopysign') {
      const signs = target.map((_, word) => (bits === 64 && word % 2 === 0 ? 0 : signBit));
      il.each('bfi', target, il.constants(signs), b, a);
    } else if (isFloat(type)) {
      if (bits === 32) il.each(floats[fn]!, target, a, b);
      else this.#inPairs(doubles[fn]!, target, a, b);
    } else if (bits === 64) this.#long(fn, target, a, b, span);
    else this.#integer(fn, bits, target, a, b);
  }

  #long(
    fn: ir.BinaryFunction,
    target: readonly Place[],
    a: readonly Place[],
    b: readonly Place[],
    span: ir.Instruction['span'],
  ): void {
    if (fn === 'and' || fn === 'or' || fn === 'xor') this.#il.each(integers[fn]!, target, a, b);
    else if (fn === 'rotl') this.#longs.rotate(target, a, b);
    else if (longs[fn]) this.#inPairs(longs[fn], target, a, b);
    else throw new IlWriteError(`IL has no ${fn} of 64 bits`, span);
  }

  #integer(
    fn: ir.BinaryFunction,
    bits: number,
    target: readonly Place[],
    first: readonly Place[],
    second: readonly Place[],
  ): void {
    const il = this.#il;
    const count = target.length;
    const shifts = fn === 'shl' || fn === 'sshr' || fn === 'ushr';
    const a = unsigned.has(fn) ? this.wide(first, bits) : first;
    let b = unsigned.has(fn) ? this.wide(second, bits) : second;
    if (shifts && bits < 32) {
      const within = il.fresh(count);
      il.each('iand', within, second, this.all(bits - 1, count));
      b = within;
    }
    if (fn === 'sdiv' || fn === 'srem') this.#signed(fn, target, a, b);
    else if (fn === 'rotl') this.#rotated(bits, target, first, second);
    else if ((fn === 'smulhi' || fn === 'umulhi') && bits < 32) {
      il.each('imul', target, a, b);
      il.each('ishr', target, target, this.all(bits, count));
    } else il.each(integers[fn]!, target, a, b);
    this.narrow(target, bits);
  }

  /** IL divides unsigned numbers: the signs are taken off and given to the result. */
  #signed(fn: 'sdiv' | 'srem', target: readonly Place[], a: readonly Place[], b: readonly Place[]): void {
    const il = this.#il;
    const count = target.length;
    const places = this.all(31, count);
    const [signA, signB] = [a, b].map((operand) => {
      const sign = il.fresh(count);
      il.each('ishr', sign, operand, places);
      return sign;
    }) as [Place[], Place[]];
    const size = (operand: readonly Place[], sign: readonly Place[]): Place[] => {
      const result = il.fresh(count);
      il.each('ixor', result, operand, sign);
      il.each('isub', result, result, sign);
      return result;
    };
    const [sizeA, sizeB] = [size(a, signA), size(b, signB)];
    const found = il.fresh(count);
    il.each(fn === 'sdiv' ? 'udiv' : 'umod', found, sizeA, sizeB);
    const sign = il.fresh(count);
    if (fn === 'sdiv') il.each('ixor', sign, signA, signB);
    else il.each('mov', sign, signA);
    il.each('ixor', found, found, sign);
    il.each('isub', target, found, sign);
  }

  #rotated(bits: number, target: readonly Place[], x: readonly Place[], by: readonly Place[]): void {
    const il = this.#il;
    const count = target.length;
    const left = il.fresh(count);
    const right = il.fresh(count);
    const from = this.wide(x, bits);
    il.each('iand', left, by, this.all(bits - 1, count));
    il.each('isub', right, this.all(bits, count), left);
    il.each('iand', right, right, this.all(bits - 1, count));
    il.each('ishl', left, from, left);
    il.each('ushr', right, from, right);
    il.each('ior', target, left, right);
  }

  fma(type: Type, target: readonly Place[], ...operands: readonly (readonly Place[])[]): void {
    if (bitsOf(type) === 32) this.#il.each('fma', target, ...operands);
    else this.#inPairs('dfma', target, ...operands);
  }

  compare(
    fn: ir.CompareFunction,
    type: Type,
    target: readonly Place[],
    a: readonly Place[],
    b: readonly Place[],
  ): void {
    const [name, swaps] = comparisons[fn]!;
    const bits = bitsOf(type);
    const isUnsigned = name.startsWith('u');
    const [left, right] = isUnsigned ? [this.wide(a, bits), this.wide(b, bits)] : [a, b];
    const [first, second] = swaps ? [right, left] : [left, right];
    if (isFloat(type)) {
      if (bits === 32) this.#il.each(name, target, first, second);
      else this.#comparePairs(`d${name}`, target, first, second);
    } else if (bits === 64) {
      this.#comparePairs(isUnsigned ? `u64${name.slice(1)}` : `i64${name}`, target, first, second);
    } else this.#il.each(isUnsigned ? name : `i${name}`, target, first, second);
  }

  #comparePairs(name: string, target: readonly Place[], a: readonly Place[], b: readonly Place[]): void {
    const [left, right] = [this.pairs(a), this.pairs(b)];
    for (const [lane, place] of target.entries()) {
      this.#il.pair(name, [place], left[lane]!, right[lane]!);
    }
  }

  #inPairs(name: string, target: readonly Place[], ...sources: readonly (readonly Place[])[]): void {
    const operands = sources.map((source) => this.pairs(source));
    for (const [lane, pair] of this.pairs(target).entries()) {
      this.#il.pair(name, pair, ...operands.map((list) => list[lane]!));
    }
  }

  select(
    type: Type,
    target: readonly Place[],
    condition: readonly Place[],
    a: readonly Place[],
    b: readonly Place[],
  ): void {
    const words = target.length / laneCount(type);
    const each = target.map((_, word) => condition[condition.length === 1 ? 0 : Math.floor(word / words)]!);
    this.#il.each('cmov_logical', target, each, a, b);
  }

  convert(
    { fn, rounding, saturate, span }: ir.Convert,
    from: Type,
    to: Type,
    target: readonly Place[],
    x: readonly Place[],
  ): void {
    const il = this.#il;
    const [bits, wanted] = [bitsOf(from), bitsOf(to)];
    const isBool = elementOf(from).kind === 'bool';
    const usual = fn === 'ftos' || fn === 'ftou' ? 'rtz' : 'rte';
    if (rounding !== undefined && rounding !== usual)
      throw new IlWriteError(`IL has no conversion that rounds by ${rounding}`, span);
    switch (fn) {
      case 'space':
      case 'ptoi':
        il.move(target, x);
        return;
      case 'bitcast':
        if (bits < 32 || wanted < 32) this.#recast(bits, wanted, target, x);
        else il.move(target, x);
        return;
      case 'sext':
      case 'zext': {
        const words = fn === 'zext' ? (isBool ? this.#ones(x) : this.wide(x, bits)) : x;
        if (wanted < 64) {
          il.move(target, words);
          if (fn === 'zext') this.narrow(target, wanted);
          return;
        }
        const high = fn === 'zext' ? this.all(0, words.length) : il.fresh(words.length);
        if (fn === 'sext') il.each('ishr', high, words, this.all(31, words.length));
        il.move(
          target,
          words.flatMap((word, lane) => [word, high[lane]!]),
        );
        return;
      }
      case 'trunc':
        il.move(target, bits === 64 ? x.filter((_, word) => word % 2 === 0) : x);
        this.narrow(target, wanted);
        return;
      case 'fwiden':
        for (const [lane, pair] of this.pairs(target).entries()) {
          il.pair('f2d', pair, [x[lane]!]);
        }
        return;
      case 'fnarrow':
        for (const [lane, pair] of this.pairs(x).entries()) {
          il.pair('d2f', [target[lane]!], pair);
        }
        return;
      case 'stof':
      case 'utof': {
        if (bits === 64) {
          this.#longs.toFloat(fn === 'stof', wanted, target, x);
          return;
        }
        const number = fn === 'utof' ? this.wide(x, bits) : x;
        const letter = fn === 'utof' ? 'u' : 'i';
        if (wanted === 32) il.each(`${letter}tof`, target, number);
        else
          for (const [lane, pair] of this.pairs(target).entries()) {
            il.pair(`${letter}tod`, pair, [number[lane]!]);
          }
        return;
      }
      case 'ftos':
      case 'ftou': {
        if (wanted === 64) {
          if (saturate) throw new IlWriteError('IL has no conversion to 64 bits that saturates', span);
          this.#longs.fromFloat(bits, target, x);
          return;
        }
        const letter = fn === 'ftou' ? 'u' : 'i';
        if (bits === 32) il.each(`fto${letter}`, target, x);
        else
          for (const [lane, pair] of this.pairs(x).entries()) {
            il.pair(`dto${letter}`, [target[lane]!], pair);
          }
        if (wanted < 32 && saturate) {
          const most = fn === 'ftou' ? 2 ** wanted - 1 : 2 ** (wanted - 1) - 1;
          il.each(`${letter}min`, target, target, this.all(most, target.length));
          if (fn === 'ftos') il.each('imax', target, target, this.all(-most - 1, target.length));
        }
        this.narrow(target, wanted);
        return;
      }
      default:
        throw new IlWriteError('a pointer that is made of a number leads to no buffer of IL', span);
    }
  }

  /** Truth values as 1 and 0. */
  #ones(x: readonly Place[]): Place[] {
    const result = this.#il.fresh(x.length);
    this.#il.each('iand', result, x, this.all(1, x.length));
    return result;
  }

  /** The same bytes in lanes of another size, one of which is less than a word. */
  #recast(bits: number, wanted: number, target: readonly Place[], x: readonly Place[]): void {
    const il = this.#il;
    if (bits === wanted) {
      il.move(target, x);
      return;
    }
    const [small, large] = bits < wanted ? [bits, wanted] : [wanted, bits];
    const size = Math.min(32, large);
    const many = size / small;
    if (bits < wanted) {
      const wide = this.wide(x, bits);
      const result = target.map((place, index) => {
        const word = il.one();
        il.move([word], [wide[index * many]!]);
        for (let part = 1; part < many; part += 1) {
          const moved = il.one();
          il.each('ishl', [moved], [wide[index * many + part]!], [il.constant(part * small)]);
          il.each('ior', [word], [word], [moved]);
        }
        return [place, word] as const;
      });
      il.move(
        result.map(([place]) => place),
        result.map(([, word]) => word),
      );
    } else {
      target.forEach((place, index) => {
        const from = x[Math.floor(index / many)]!;
        il.each('ushr', [place], [from], [il.constant((index % many) * small)]);
      });
    }
    this.narrow(target, wanted);
  }
}
