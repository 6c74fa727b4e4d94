/** Vectors of 128 bits: arithmetic, comparisons, logic, shifts and conversions of stack code, with AVX2. */
import { bytesOfAll } from '../../wasm/vector/constant-division.ts';
import { immediate, type Operand, type VectorRegister } from '../assembler/instruction.ts';
import type { FunctionSelector } from './function-selector.ts';
import type { PlainRule } from './rule.ts';
import { greatest, least } from './scalar.ts';

const repeat = (bytes: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, at) => bytes[at % bytes.length]!);
const floats = (value: number): Uint8Array => new Uint8Array(new Float32Array(4).fill(value).buffer);
const doubles = (value: number): Uint8Array => new Uint8Array(new Float64Array(2).fill(value).buffer);

export function zero({ fn }: FunctionSelector): VectorRegister {
  const to = fn.vector();
  fn.emit('vpxord', to, to, to);
  return to;
}

function ones({ fn }: FunctionSelector): VectorRegister {
  const to = fn.vector();
  fn.emit('vpcmpeqd', to, to, to);
  return to;
}

/** A rule that pops operands, the last one first, and gives a register. */
export function give(
  make: (s: FunctionSelector, ...operands: VectorRegister[]) => VectorRegister,
  count: number,
): PlainRule {
  return (s) => {
    const operands: VectorRegister[] = [];
    for (let at = 0; at < count; at += 1) operands.unshift(s.stack.popVector());
    s.stack.pushVector('v128', make(s, ...operands));
  };
}

/** One instruction of two operands. */
export function two(name: string): PlainRule {
  return ({ fn, stack }) => {
    const b = stack.popVectorOperand();
    const a = stack.popVector();
    fn.emit(name, stack.result('v128'), a, b);
  };
}

/** The same with its operands exchanged. */
function twoSwapped(name: string): PlainRule {
  return ({ fn, stack }) => {
    const b = stack.popVector();
    const a = stack.popVector();
    fn.emit(name, stack.result('v128'), b, a);
  };
}

export function one(name: string): PlainRule {
  return ({ fn, stack }) => {
    const a = stack.popVector();
    fn.emit(name, stack.result('v128'), a);
  };
}

function withNumber(name: string, number: number): PlainRule {
  return ({ fn, stack }) => {
    const a = stack.popVector();
    fn.emit(name, stack.result('v128'), a, immediate(number));
  };
}

/** A new register with the result of an instruction. */
export function made({ fn }: FunctionSelector, name: string, ...operands: Operand[]): VectorRegister {
  const to = fn.vector();
  fn.emit(name, to, ...operands);
  return to;
}

const invert = (s: FunctionSelector, a: VectorRegister): VectorRegister => made(s, 'vpxord', a, ones(s));

// ------------------------------------------------------------------------------------------------ comparisons

const letters = { i8x16: 'b', i16x8: 'w', i32x4: 'd', i64x2: 'q' } as const;
type IntegerShape = keyof typeof letters;

function integerComparisons(shape: IntegerShape): [string, PlainRule][] {
  const letter = letters[shape];
  const equal = `vpcmpeq${letter}`;
  const greater = `vpcmpgt${letter}`;
  const not =
    (name: string, swapped: boolean): PlainRule =>
    (s) =>
      give((s, a, b) => invert(s, swapped ? made(s, name, b, a) : made(s, name, a, b)), 2)(s);
  const signed: [string, PlainRule][] = [
    [`${shape}.eq`, two(equal)],
    [`${shape}.ne`, not(equal, false)],
    [`${shape}.gt_s`, two(greater)],
    [`${shape}.lt_s`, twoSwapped(greater)],
    [`${shape}.le_s`, not(greater, false)],
    [`${shape}.ge_s`, not(greater, true)],
  ];
  if (shape === 'i64x2') return signed;
  // a >= b where the greater of them is a.
  const byExtreme = (name: string, inverted: boolean): PlainRule =>
    give((s, a, b) => {
      const same = made(s, equal, made(s, `${name}${letter}`, a, b), a);
      return inverted ? invert(s, same) : same;
    }, 2);
  return [
    ...signed,
    [`${shape}.ge_u`, byExtreme('vpmaxu', false)],
    [`${shape}.le_u`, byExtreme('vpminu', false)],
    [`${shape}.gt_u`, byExtreme('vpminu', true)],
    [`${shape}.lt_u`, byExtreme('vpmaxu', true)],
  ];
}

function floatComparisons(shape: 'f32x4' | 'f64x2'): [string, PlainRule][] {
  const name = shape === 'f32x4' ? 'vcmpps' : 'vcmppd';
  const compare =
    (predicate: number, swapped: boolean): PlainRule =>
    ({ fn, stack }) => {
      const b = stack.popVector();
      const a = stack.popVector();
      const [first, second] = swapped ? [b, a] : [a, b];
      fn.emit(name, stack.result('v128'), first, second, immediate(predicate));
    };
  return [
    [`${shape}.eq`, compare(0, false)],
    [`${shape}.ne`, compare(4, false)],
    [`${shape}.lt`, compare(1, false)],
    [`${shape}.le`, compare(2, false)],
    [`${shape}.gt`, compare(1, true)],
    [`${shape}.ge`, compare(2, true)],
  ];
}

// ----------------------------------------------------------------------------------------------------- integers

const negate = (letter: string): PlainRule => give((s, a) => made(s, `vpsub${letter}`, zero(s), a), 1);

const absolute64 = give((s, a) => {
  const sign = made(s, 'vpcmpgtq', zero(s), a);
  return made(s, 'vpsubq', made(s, 'vpxord', a, sign), sign);
}, 1);

const multiply64 = give((s, a, b) => {
  const crossed = made(s, 'vpmuludq', made(s, 'vpsrlq', a, immediate(32)), b);
  const other = made(s, 'vpmuludq', made(s, 'vpsrlq', b, immediate(32)), a);
  const high = made(s, 'vpsllq', made(s, 'vpaddq', crossed, other), immediate(32));
  return made(s, 'vpaddq', made(s, 'vpmuludq', a, b), high);
}, 2);

/** Ones of each byte, four bits at a time. */
const populationBytes = give((s, a) => {
  const four = s.stack.constant(repeat([15]));
  const table = made(
    s,
    'vmovups',
    s.stack.constant(Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)),
  );
  const low = made(s, 'vpshufb', table, made(s, 'vpand', a, four));
  const shifted = made(s, 'vpsrlw', a, immediate(4));
  return made(s, 'vpaddb', low, made(s, 'vpshufb', table, made(s, 'vpand', shifted, four)));
}, 1);

/** Products of the lower or the upper halves, of twice the width. */
function longProduct(from: IntegerShape, high: boolean, signed: boolean): PlainRule {
  if (from === 'i32x4') {
    const order = immediate(high ? 0xfa : 0x50);
    return give(
      (s, a, b) =>
        made(s, signed ? 'vpmuldq' : 'vpmuludq', made(s, 'vpshufd', a, order), made(s, 'vpshufd', b, order)),
      2,
    );
  }
  const name = from === 'i8x16' ? 'bw' : 'wd';
  const multiply = from === 'i8x16' ? 'vpmullw' : 'vpmulld';
  const long = (s: FunctionSelector, a: VectorRegister): VectorRegister =>
    made(s, `vpmov${signed ? 's' : 'z'}x${name}`, high ? made(s, 'vpsrldq', a, immediate(8)) : a);
  return give((s, a, b) => made(s, multiply, long(s, a), long(s, b)), 2);
}

function extend(name: string, high: boolean): PlainRule {
  return give((s, a) => made(s, name, high ? made(s, 'vpsrldq', a, immediate(8)) : a), 1);
}

const extendAll = (
  [
    ['i16x8', 'i8x16', 'bw'],
    ['i32x4', 'i16x8', 'wd'],
    ['i64x2', 'i32x4', 'dq'],
  ] as const
).flatMap(([to, from, sizes]) =>
  (['low', 'high'] as const).flatMap((half) =>
    (['s', 'u'] as const).flatMap((sign): [string, PlainRule][] => [
      [
        `${to}.extend_${half}_${from}_${sign}`,
        extend(`vpmov${sign === 's' ? 's' : 'z'}x${sizes}`, half === 'high'),
      ],
      [`${to}.extmul_${half}_${from}_${sign}`, longProduct(from, half === 'high', sign === 's')],
    ]),
  ),
);

/** The product of Q15, rounded: the processor's only differs for the least number by itself. */
const productQ15 = give((s, a, b) => {
  const product = made(s, 'vpmulhrsw', a, b);
  const least = s.stack.constant(repeat([0, 0x80]));
  return made(s, 'vpxord', product, made(s, 'vpcmpeqw', product, least));
}, 2);

// ------------------------------------------------------------------------------------------------------- shifts

/** The count modulo the width, in a vector register; or a number. */
function popCount(s: FunctionSelector, bits: number): number | VectorRegister {
  const { fn, stack } = s;
  const entry = stack.pop();
  if (entry.kind === 'number') return Number(entry.value & BigInt(bits - 1));
  stack.push(entry);
  const count = stack.popCopy();
  fn.emit('and', count, immediate(bits - 1));
  return made(s, 'vmovd', count);
}

export function shift(name: string, bits: number): PlainRule {
  return (s) => {
    const count = popCount(s, bits);
    const a = s.stack.popVector();
    s.fn.emit(name, s.stack.result('v128'), a, typeof count === 'number' ? immediate(count) : count);
  };
}

/** Without an instruction for it: the sign is put where it belongs by a subtraction. */
const shiftSigned64: PlainRule = (s) => {
  const count = popCount(s, 64);
  const a = s.stack.popVector();
  const by = typeof count === 'number' ? immediate(count) : count;
  const sign = made(s, 'vmovups', s.stack.constant(bytesOfAll(1n << 63n, 64)));
  const place = made(s, 'vpsrlq', sign, by);
  const shifted = made(s, 'vpsrlq', a, by);
  s.stack.pushVector('v128', made(s, 'vpsubq', made(s, 'vpxord', shifted, place), place));
};

/** Bytes are shifted as words, whose bits from the neighbour are cut off. */
function shiftBytes(kind: 'shl' | 'shr_u'): PlainRule {
  return (s) => {
    const { fn, stack } = s;
    const count = popCount(s, 8);
    const a = stack.popVector();
    const name = kind === 'shl' ? 'vpsllw' : 'vpsrlw';
    if (typeof count === 'number') {
      const mask = kind === 'shl' ? (0xff << count) & 0xff : 0xff >> count;
      fn.emit(
        'vpand',
        stack.result('v128'),
        made(s, name, a, immediate(count)),
        stack.constant(repeat([mask])),
      );
      return;
    }
    // The mask is what becomes of all ones; as words they are shifted with zeros between them.
    const words = made(s, 'vpsrlw', ones(s), immediate(8));
    const low = made(s, 'vpand', made(s, name, words, count), words);
    const mask = made(s, 'vpor', low, made(s, 'vpsllw', low, immediate(8)));
    fn.emit('vpand', stack.result('v128'), made(s, name, a, count), mask);
  };
}

const shiftBytesSigned: PlainRule = (s) => {
  const count = popCount(s, 8);
  const a = s.stack.popVector();
  const by = typeof count === 'number' ? immediate(count) : count;
  const eight = immediate(8);
  const words = (name: string): VectorRegister =>
    made(s, 'vpsraw', made(s, 'vpsraw', made(s, name, a, a), eight), by);
  const low = words('vpunpcklbw');
  s.stack.pushVector('v128', made(s, 'vpacksswb', low, words('vpunpckhbw')));
};

// ------------------------------------------------------------------------------------------------------- floats

function floatRules(shape: 'f32x4' | 'f64x2'): [string, PlainRule][] {
  const form = shape === 'f32x4' ? 'ps' : 'pd';
  const bits = shape === 'f32x4' ? 32 : 64;
  const sign = 1n << BigInt(bits - 1);
  const logic =
    (name: string, mask: bigint): PlainRule =>
    ({ fn, stack }) => {
      const a = stack.popVector();
      fn.emit(name, stack.result('v128'), a, stack.constant(bytesOfAll(mask, bits)));
    };
  const extreme = (find: typeof least): PlainRule => give((s, a, b) => find(s, a, b, form), 2);
  const round = (mode: number): PlainRule => withNumber(`vround${form}`, mode);
  /** c + a * b */
  const fused = (name: string): PlainRule =>
    give((s, a, b, c) => {
      const to = s.fn.vector();
      s.fn.emit('vmovaps', to, c);
      s.fn.emit(`${name}${form}`, to, a, b);
      return to;
    }, 3);
  return [
    [`${shape}.add`, two(`vadd${form}`)],
    [`${shape}.sub`, two(`vsub${form}`)],
    [`${shape}.mul`, two(`vmul${form}`)],
    [`${shape}.div`, two(`vdiv${form}`)],
    [`${shape}.sqrt`, one(`vsqrt${form}`)],
    [`${shape}.abs`, logic('vandps', ~sign)],
    [`${shape}.neg`, logic('vxorps', sign)],
    [`${shape}.min`, extreme(least)],
    [`${shape}.max`, extreme(greatest)],
    // b < a ? b : a, and a < b ? b : a: the second operand where they are not ordered.
    [`${shape}.pmin`, twoSwapped(`vmin${form}`)],
    [`${shape}.pmax`, twoSwapped(`vmax${form}`)],
    [`${shape}.relaxed_min`, two(`vmin${form}`)],
    [`${shape}.relaxed_max`, two(`vmax${form}`)],
    [`${shape}.nearest`, round(8)],
    [`${shape}.floor`, round(9)],
    [`${shape}.ceil`, round(10)],
    [`${shape}.trunc`, round(11)],
    [`${shape}.relaxed_madd`, fused('vfmadd231')],
    [`${shape}.relaxed_nmadd`, fused('vfnmadd231')],
    ...floatComparisons(shape),
  ];
}

/** To integers with a sign: NaN to zero, and what is too large to the greatest. */
const truncateSigned = give((s, a) => {
  const known = made(s, 'vandps', made(s, 'vcmpps', a, a, immediate(0)), a);
  const tooLarge = made(
    s,
    'vcmpps',
    made(s, 'vmovups', s.stack.constant(floats(2 ** 31))),
    known,
    immediate(2),
  );
  return made(s, 'vpxord', made(s, 'vcvttps2dq', known), tooLarge);
}, 1);

/** The part below 2^31 and the part from there on, of which one is what the processor gives for what it cannot. */
const truncateUnsigned = give((s, a) => {
  const limit = s.stack.constant(floats(2 ** 31));
  const none = zero(s);
  const known = made(s, 'vmaxps', a, none);
  const low = made(s, 'vcvttps2dq', known);
  const above = made(s, 'vmaxps', made(s, 'vsubps', known, limit), none);
  const tooLarge = made(s, 'vcmpps', made(s, 'vmovups', limit), above, immediate(2));
  const high = made(s, 'vpxord', made(s, 'vcvttps2dq', above), tooLarge);
  return made(s, 'vpaddd', low, high);
}, 1);

function truncateDoubles(signed: boolean): PlainRule {
  return give((s, a) => {
    const constant = (value: number) => s.stack.constant(doubles(value));
    if (signed) {
      const known = made(s, 'vandpd', made(s, 'vcmppd', a, a, immediate(0)), a);
      return made(s, 'vcvttpd2dq', made(s, 'vminpd', known, constant(2147483647)));
    }
    const known = made(s, 'vmaxpd', a, zero(s));
    const whole = made(s, 'vroundpd', made(s, 'vminpd', known, constant(4294967295)), immediate(11));
    // The lower halves of numbers at 2^52 are integers; zeros above them.
    return made(s, 'vshufps', made(s, 'vaddpd', whole, constant(2 ** 52)), zero(s), immediate(0x88));
  }, 1);
}

/** Halves of 16 bits each, so that only the last sum rounds. */
const convertUnsigned = give((s, a) => {
  const low = made(s, 'vpblendw', zero(s), a, immediate(0x55));
  const high = made(s, 'vcvtdq2ps', made(s, 'vpsrld', made(s, 'vpsubd', a, low), immediate(1)));
  return made(s, 'vaddps', made(s, 'vaddps', high, high), made(s, 'vcvtdq2ps', low));
}, 1);

/** Below the exponent of 2^52 they are a double's lower word. */
const convertUnsignedToDoubles = give((s, a) => {
  const exponent = s.stack.constant(doubles(2 ** 52));
  const numbers = made(s, 'vpor', made(s, 'vpmovzxdq', a), exponent);
  return made(s, 'vsubpd', numbers, exponent);
}, 1);

// -------------------------------------------------------------------------------------------------------- logic

const select = give((s, a, b, mask) => {
  const ofA = made(s, 'vpand', a, mask);
  return made(s, 'vpor', ofA, made(s, 'vpandn', mask, b));
}, 3);

const blend = give((s, a, b, mask) => {
  const to = s.fn.vector();
  s.fn.emit('vpblendvb', to, b, a, mask);
  return to;
}, 3);

const anyTrue: PlainRule = ({ stack }) => {
  const a = stack.popVector();
  stack.push({ kind: 'flags', type: 'i32', mnemonic: 'vptest', operands: [a, a], condition: 'ne' });
};

function allTrue(letter: string): PlainRule {
  return (s) => {
    const a = s.stack.popVector();
    const zeros = made(s, `vpcmpeq${letter}`, a, zero(s));
    s.stack.push({
      kind: 'flags',
      type: 'i32',
      mnemonic: 'vptest',
      operands: [zeros, zeros],
      condition: 'e',
    });
  };
}

function bitmask(name: string): PlainRule {
  return ({ fn, stack }) => {
    const a = stack.popVector();
    fn.emit(name, stack.result('i32'), a);
  };
}

const bitmaskWords: PlainRule = (s) => {
  const a = s.stack.popVector();
  const bytes = made(s, 'vpacksswb', a, zero(s));
  s.fn.emit('vpmovmskb', s.stack.result('i32'), bytes);
};

function integerRules(shape: IntegerShape): [string, PlainRule][] {
  const letter = letters[shape];
  const rules: [string, PlainRule][] = [
    ...integerComparisons(shape),
    [`${shape}.add`, two(`vpadd${letter}`)],
    [`${shape}.sub`, two(`vpsub${letter}`)],
    [`${shape}.neg`, negate(letter)],
    [`${shape}.all_true`, allTrue(letter)],
    [`${shape}.relaxed_laneselect`, blend],
  ];
  if (shape === 'i64x2') return rules;
  for (const fn of ['min', 'max']) {
    for (const sign of ['s', 'u']) rules.push([`${shape}.${fn}_${sign}`, two(`vp${fn}${sign}${letter}`)]);
  }
  rules.push([`${shape}.abs`, one(`vpabs${letter}`)]);
  if (shape === 'i32x4') return rules;
  for (const [fn, name] of [
    ['add', 'vpadd'],
    ['sub', 'vpsub'],
  ] as const) {
    rules.push([`${shape}.${fn}_sat_s`, two(`${name}s${letter}`)]);
    rules.push([`${shape}.${fn}_sat_u`, two(`${name}us${letter}`)]);
  }
  rules.push([`${shape}.avgr_u`, two(`vpavg${letter}`)]);
  return rules;
}

const bytesOfOne = repeat([1]);
const wordsOfOne = repeat([1, 0]);

export const vectorRules: readonly [string, PlainRule][] = [
  ...integerRules('i8x16'),
  ...integerRules('i16x8'),
  ...integerRules('i32x4'),
  ...integerRules('i64x2'),
  ...floatRules('f32x4'),
  ...floatRules('f64x2'),
  ...extendAll,
  ['i16x8.mul', two('vpmullw')],
  ['i32x4.mul', two('vpmulld')],
  ['i64x2.mul', multiply64],
  ['i64x2.abs', absolute64],
  ['i8x16.popcnt', populationBytes],
  ['i32x4.dot_i16x8_s', two('vpmaddwd')],
  ['i16x8.q15mulr_sat_s', productQ15],
  ['i16x8.relaxed_q15mulr_s', productQ15],
  // The first operand of vpmaddubsw has no signs, the second has.
  [
    'i16x8.extadd_pairwise_i8x16_u',
    give((s, a) => made(s, 'vpmaddubsw', a, s.stack.constant(bytesOfOne)), 1),
  ],
  [
    'i16x8.extadd_pairwise_i8x16_s',
    give((s, a) => made(s, 'vpmaddubsw', made(s, 'vmovups', s.stack.constant(bytesOfOne)), a), 1),
  ],
  ['i32x4.extadd_pairwise_i16x8_s', give((s, a) => made(s, 'vpmaddwd', a, s.stack.constant(wordsOfOne)), 1)],
  [
    'i32x4.extadd_pairwise_i16x8_u',
    give((s, a) => {
      const odd = made(s, 'vpsrld', a, immediate(16));
      return made(s, 'vpaddd', odd, made(s, 'vpblendw', zero(s), a, immediate(0x55)));
    }, 1),
  ],
  ['i8x16.narrow_i16x8_s', two('vpacksswb')],
  ['i8x16.narrow_i16x8_u', two('vpackuswb')],
  ['i16x8.narrow_i32x4_s', two('vpackssdw')],
  ['i16x8.narrow_i32x4_u', two('vpackusdw')],
  ['i8x16.shl', shiftBytes('shl')],
  ['i8x16.shr_u', shiftBytes('shr_u')],
  ['i8x16.shr_s', shiftBytesSigned],
  ['i16x8.shl', shift('vpsllw', 16)],
  ['i16x8.shr_u', shift('vpsrlw', 16)],
  ['i16x8.shr_s', shift('vpsraw', 16)],
  ['i32x4.shl', shift('vpslld', 32)],
  ['i32x4.shr_u', shift('vpsrld', 32)],
  ['i32x4.shr_s', shift('vpsrad', 32)],
  ['i64x2.shl', shift('vpsllq', 64)],
  ['i64x2.shr_u', shift('vpsrlq', 64)],
  ['i64x2.shr_s', shiftSigned64],
  ['v128.and', two('vpand')],
  ['v128.or', two('vpor')],
  ['v128.xor', two('vpxord')],
  ['v128.andnot', twoSwapped('vpandn')],
  ['v128.not', give(invert, 1)],
  ['v128.bitselect', select],
  ['v128.any_true', anyTrue],
  ['i8x16.bitmask', bitmask('vpmovmskb')],
  ['i16x8.bitmask', bitmaskWords],
  ['i32x4.bitmask', bitmask('vmovmskps')],
  ['i64x2.bitmask', bitmask('vmovmskpd')],
  ['i32x4.trunc_sat_f32x4_s', truncateSigned],
  ['i32x4.trunc_sat_f32x4_u', truncateUnsigned],
  ['i32x4.relaxed_trunc_f32x4_s', one('vcvttps2dq')],
  ['i32x4.relaxed_trunc_f32x4_u', truncateUnsigned],
  ['i32x4.trunc_sat_f64x2_s_zero', truncateDoubles(true)],
  ['i32x4.trunc_sat_f64x2_u_zero', truncateDoubles(false)],
  ['i32x4.relaxed_trunc_f64x2_s_zero', one('vcvttpd2dq')],
  ['i32x4.relaxed_trunc_f64x2_u_zero', truncateDoubles(false)],
  ['f32x4.convert_i32x4_s', one('vcvtdq2ps')],
  ['f32x4.convert_i32x4_u', convertUnsigned],
  ['f64x2.convert_low_i32x4_s', one('vcvtdq2pd')],
  ['f64x2.convert_low_i32x4_u', convertUnsignedToDoubles],
  ['f32x4.demote_f64x2_zero', one('vcvtpd2ps')],
  ['f64x2.promote_low_f32x4', one('vcvtps2pd')],
];
