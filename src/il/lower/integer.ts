/** Instructions on 32-bit integers and their bits, and on 64-bit integers in pairs of components. */
import type * as ir from '../../ir/ir.ts';
import { i32, i64 } from '../../ir/types.ts';
import type { Code } from './code.ts';
import type { Context } from './context.ts';
import { eachInteger, type Handler, type Handlers } from './handlers.ts';

const unary = (compute: (code: Code, x: ir.Value) => ir.Value): Handler =>
  eachInteger(({ code }, [x]) => compute(code, x!));

const binary = (fn: ir.BinaryFunction): Handler => eachInteger(({ code }, [a, b]) => code.binary(fn, a!, b!));

const compare = (fn: ir.CompareFunction): Handler =>
  eachInteger(({ code }, [a, b]) => code.mask(code.compare(fn, a!, b!)));

const ternary = (compute: (code: Code, a: ir.Value, b: ir.Value, c: ir.Value) => ir.Value): Handler =>
  eachInteger(({ code }, [a, b, c]) => compute(code, a!, b!, c!));

/**
 * Quotients and remainders by zero have all bits set. Nothing is divided by zero then, for that would be a fault to those who look
 * for faults.
 */
const divided = (fn: 'udiv' | 'urem'): Handler =>
  eachInteger(({ code }, [a, b]) => {
    const isZero = code.compare('eq', b!, code.int(0));
    return code.select(isZero, code.int(-1), code.binary(fn, a!, code.select(isZero, code.int(1), b!)));
  });

/** The low 24 bits, with their sign or without. */
const low24 = (code: Code, x: ir.Value, isSigned: boolean): ir.Value =>
  isSigned
    ? code.binary('sshr', code.binary('shl', x, code.int(8)), code.int(8))
    : code.binary('and', x, code.int(0xffffff));

const times24 = (fn: 'imul' | 'smulhi' | 'umulhi', isSigned: boolean): Handler =>
  eachInteger(({ code }, [a, b]) => code.binary(fn, low24(code, a!, isSigned), low24(code, b!, isSigned)));

const plus24 = (isSigned: boolean): Handler =>
  ternary((code, a, b, c) =>
    code.binary('iadd', code.binary('imul', low24(code, a, isSigned), low24(code, b, isSigned)), c),
  );

/** So many ones from bit 0 on; of 32 as of 0 none. */
function ones(code: Code, count: ir.Value): ir.Value {
  const bit = code.binary('shl', code.int(1), code.binary('and', count, code.int(31)));
  return code.binary('isub', bit, code.int(1));
}

/** Operands: width, first bit, value. */
const extracted = (isSigned: boolean): Handler =>
  ternary((code, rawWidth, rawFirst, value) => {
    const width = code.binary('and', rawWidth, code.int(31));
    const first = code.binary('and', rawFirst, code.int(31));
    const shift: ir.BinaryFunction = isSigned ? 'sshr' : 'ushr';
    // to the upper end, where it fits; what would reach beyond is only moved down
    const above = code.binary('isub', code.int(32), code.binary('iadd', width, first));
    const isInside = code.compare('sgt', above, code.int(0));
    const up = code.binary('shl', value, code.select(isInside, above, code.int(0)));
    const down = code.select(isInside, code.binary('isub', code.int(32), width), first);
    const field = code.binary(shift, up, down);
    return code.select(code.compare('eq', width, code.int(0)), code.int(0), field);
  });

/** Operands: width, first bit, what is inserted, what it is inserted into. */
const inserted: Handler = eachInteger(({ code }, [width, first, field, base]) => {
  const place = code.binary('and', first!, code.int(31));
  const mask = code.binary('shl', ones(code, width!), place);
  return choose(code, mask, code.binary('shl', field!, place), base!);
});

/** Bits of `a` where the mask has ones, of `b` elsewhere. */
const choose = (code: Code, mask: ir.Value, a: ir.Value, b: ir.Value): ir.Value =>
  code.binary('or', code.binary('and', mask, a), code.binary('and', code.unary('not', mask), b));

/** Two words, the first one above the second, moved down by so many bits. */
function aligned(code: Code, high: ir.Value, low: ir.Value, bits: ir.Value): ir.Value {
  const isZero = code.compare('eq', bits, code.int(0));
  const up = code.binary('shl', high, code.binary('isub', code.int(32), bits));
  return code.select(isZero, low, code.binary('or', up, code.binary('ushr', low, bits)));
}

/** -1 where there is no such bit. */
const found = (code: Code, x: ir.Value, position: ir.Value): ir.Value =>
  code.select(code.compare('eq', x, code.int(0)), code.int(-1), position);

function reversed(code: Code, x: ir.Value): ir.Value {
  let value = x;
  for (const [shift, mask] of [
    [1, 0x55555555],
    [2, 0x33333333],
    [4, 0x0f0f0f0f],
    [8, 0x00ff00ff],
  ] as const) {
    const down = code.binary('and', code.binary('ushr', value, code.int(shift)), code.int(mask));
    const up = code.binary('shl', code.binary('and', value, code.int(mask)), code.int(shift));
    value = code.binary('or', down, up);
  }
  return code.binary('rotl', value, code.int(16));
}

const byteOf = (code: Code, x: ir.Value, index: number): ir.Value =>
  code.binary('and', code.binary('ushr', x, code.int(8 * index)), code.int(255));

/** The sum of the differences of four bytes. */
function byteDifferences(code: Code, a: ir.Value, b: ir.Value): ir.Value {
  let sum: ir.Value | undefined;
  for (let index = 0; index < 4; index += 1) {
    const difference = code.binary('isub', byteOf(code, a, index), byteOf(code, b, index));
    const size = code.binary('smax', difference, code.binary('isub', code.int(0), difference));
    sum = sum ? code.binary('iadd', sum, size) : size;
  }
  return sum!;
}

/** Averages of four bytes, rounded up where the third operand's byte is odd. */
function byteAverages(code: Code, a: ir.Value, b: ir.Value, c: ir.Value): ir.Value {
  let result: ir.Value | undefined;
  for (let index = 0; index < 4; index += 1) {
    const odd = code.binary('and', byteOf(code, c, index), code.int(1));
    const sum = code.binary('iadd', code.binary('iadd', byteOf(code, a, index), byteOf(code, b, index)), odd);
    const byte = code.binary('shl', code.binary('ushr', sum, code.int(1)), code.int(8 * index));
    result = result ? code.binary('or', result, byte) : byte;
  }
  return result!;
}

const ofUnsigned = (compute: (code: Code, a: ir.Value, b: ir.Value) => ir.Value): Handler =>
  eachInteger(({ code }, [a, b]) => code.convert('zext', compute(code, a!, b!), i32));

/** The differences of the bytes of all four positions, and position x of the third operand. */
const fourByteDifferences: Handler = (cx, instruction) => {
  const { code } = cx;
  const [a, b, c] = cx.sources(instruction).map((source) => cx.integers(source));
  let sum: ir.Value | undefined;
  cx.write(instruction, () => {
    sum ??= [0, 1, 2, 3].reduce(
      (total, position) => code.binary('iadd', total, byteDifferences(code, a!(position), b!(position))),
      c!(0),
    );
    return sum;
  });
};

const and = binary('and');
const or = binary('or');
const xor = binary('xor');
const not = unary((code, x) => code.unary('not', x));

export const integerHandlers: Handlers = {
  inot: not,
  not,
  inegate: unary((code, x) => code.binary('isub', code.int(0), x)),
  iand: and,
  and,
  ior: or,
  or,
  ixor: xor,
  xor,
  iadd: binary('iadd'),
  isub: binary('isub'),
  imax: binary('smax'),
  imin: binary('smin'),
  umax: binary('umax'),
  umin: binary('umin'),
  imul: binary('imul'),
  umul: binary('imul'),
  imul_high: binary('smulhi'),
  umul_high: binary('umulhi'),
  imul24: times24('imul', true),
  umul24: times24('imul', false),
  imul24_high: times24('smulhi', true),
  umul24_high: times24('umulhi', false),
  imad: ternary((code, a, b, c) => code.binary('iadd', code.binary('imul', a, b), c)),
  umad: ternary((code, a, b, c) => code.binary('iadd', code.binary('imul', a, b), c)),
  imad24: plus24(true),
  umad24: plus24(false),
  ishl: binary('shl'),
  ishr: binary('sshr'),
  ushr: binary('ushr'),
  udiv: divided('udiv'),
  umod: divided('urem'),
  ieq: compare('eq'),
  ine: compare('ne'),
  ige: compare('sge'),
  ilt: compare('slt'),
  uge: compare('uge'),
  ult: compare('ult'),
  // 1 or 0: whether the sum has a 33rd bit, whether the difference is below zero
  icarry: ofUnsigned((code, a, b) => code.compare('ult', code.binary('iadd', a, b), a)),
  iborrow: ofUnsigned((code, a, b) => code.compare('ult', a, b)),
  icbits: unary((code, x) => code.unary('popcount', x)),
  ffb_hi: unary((code, x) => found(code, x, code.unary('clz', x))),
  ffb_lo: unary((code, x) => found(code, x, code.unary('ctz', x))),
  ffb_shi: unary((code, x) => {
    const changes = code.binary('xor', x, code.binary('sshr', x, code.int(31)));
    return found(code, changes, code.unary('clz', changes));
  }),
  ubit_reverse: unary(reversed),
  ibit_extract: extracted(true),
  ubit_extract: extracted(false),
  ibit_insert: inserted,
  ubit_insert: inserted,
  bfi: ternary((code, mask, a, b) => choose(code, mask, a, b)),
  bfm: eachInteger(({ code }, [count, first]) =>
    code.binary('shl', ones(code, count!), code.binary('and', first!, code.int(31))),
  ),
  bitalign: ternary((code, high, low, count) =>
    aligned(code, high, low, code.binary('and', count, code.int(31))),
  ),
  bytealign: ternary((code, high, low, count) =>
    aligned(code, high, low, code.binary('shl', code.binary('and', count, code.int(3)), code.int(3))),
  ),
  sad: ternary((code, a, b, c) => code.binary('iadd', byteDifferences(code, a, b), c)),
  sad4: fourByteDifferences,
  sadhi: ternary((code, a, b, c) =>
    code.binary('iadd', code.binary('shl', byteDifferences(code, a, b), code.int(16)), c),
  ),
  u4lerp: ternary(byteAverages),
};

// ---------------------------------------------------------------------------------------------------- 64 bits

/** The first two positions of each source as one number. */
function longs(cx: Context, instruction: Parameters<Handler>[1]): ir.Value[] {
  return cx.sources(instruction).map((source) => cx.long(source));
}

const long =
  (compute: (code: Code, a: ir.Value, b: ir.Value) => ir.Value): Handler =>
  (cx, instruction) => {
    const [a, b] = longs(cx, instruction);
    cx.writePair(instruction, compute(cx.code, a!, b!));
  };

const longBinary = (fn: ir.BinaryFunction): Handler => long((code, a, b) => code.binary(fn, a, b));

/** The count of a shift is a 32-bit number. */
const longShift =
  (fn: 'shl' | 'sshr' | 'ushr'): Handler =>
  (cx, instruction) => {
    const [value, count] = cx.sources(instruction);
    const { code } = cx;
    const places = code.convert('zext', cx.integers(count!)(0), i64);
    cx.writePair(instruction, code.binary(fn, cx.long(value!), places));
  };

const longCompare =
  (fn: ir.CompareFunction): Handler =>
  (cx, instruction) => {
    const [a, b] = longs(cx, instruction);
    const mask = cx.code.mask(cx.code.compare(fn, a!, b!));
    cx.write(instruction, () => mask);
  };

const longDivided = (fn: 'sdiv' | 'udiv' | 'srem' | 'urem'): Handler =>
  long((code, a, b) => {
    const isZero = code.compare('eq', b, code.integer(i64, 0));
    const divisor = code.select(isZero, code.integer(i64, 1), b);
    return code.select(isZero, code.integer(i64, -1), code.binary(fn, a, divisor));
  });

export const longHandlers: Handlers = {
  i64negate: long((code, a) => code.binary('isub', code.integer(i64, 0), a)),
  i64not: long((code, a) => code.unary('not', a)),
  i64add: longBinary('iadd'),
  i64sub: longBinary('isub'),
  i64mul: longBinary('imul'),
  u64mul: longBinary('imul'),
  i64max: longBinary('smax'),
  i64min: longBinary('smin'),
  u64max: longBinary('umax'),
  u64min: longBinary('umin'),
  i64shl: longShift('shl'),
  i64shr: longShift('sshr'),
  u64shr: longShift('ushr'),
  i64div: longDivided('sdiv'),
  u64div: longDivided('udiv'),
  i64mod: longDivided('srem'),
  u64mod: longDivided('urem'),
  i64eq: longCompare('eq'),
  i64ne: longCompare('ne'),
  i64ge: longCompare('sge'),
  i64lt: longCompare('slt'),
  u64ge: longCompare('uge'),
  u64lt: longCompare('ult'),
};
