/** Conversions between scalars. Those from floats saturate, NaN to zero, or, in the form that traps in stack code, end the kernel. */
import { type GeneralRegister, general, immediate, type VectorRegister } from '../assembler/instruction.ts';
import type { FunctionSelector } from './function-selector.ts';
import type { PlainRule } from './rule.ts';
import { doubleBytes, floatBytes } from './scalar.ts';

type FloatType = 'f32' | 'f64';

/** The operand as a double. */
function asDouble({ fn }: FunctionSelector, from: VectorRegister, type: FloatType): VectorRegister {
  if (type === 'f64') return from;
  const wide = fn.vector();
  fn.emit('vcvtss2sd', wide, from, from);
  return wide;
}

/** To 32 bits: a double has room for every bound. */
function saturate32(
  s: FunctionSelector,
  from: VectorRegister,
  type: FloatType,
  signed: boolean,
): GeneralRegister {
  const { fn, stack } = s;
  const wide = asDouble(s, from, type);
  const ordered = fn.vector();
  if (signed) {
    // NaN becomes zero.
    const mask = fn.vector();
    fn.emit('vcmpsd', mask, wide, wide, immediate(7));
    fn.emit('vandpd', ordered, mask, wide);
  } else {
    // The second operand where the first is NaN.
    const zero = fn.vector();
    fn.emit('vxorps', zero, zero, zero);
    fn.emit('vmaxsd', ordered, wide, zero);
  }
  const below = fn.vector();
  fn.emit('vminsd', below, ordered, stack.constant(doubleBytes(signed ? 2147483647 : 4294967295)));
  const to = fn.general(32);
  if (signed) {
    const above = fn.vector();
    fn.emit('vmaxsd', above, below, stack.constant(doubleBytes(-2147483648)));
    fn.emit('vcvttsd2si', to, above);
    return to;
  }
  const wideTo = fn.general(64);
  fn.emit('vcvttsd2si', wideTo, below);
  fn.emit('mov', to, general(wideTo.number, 32));
  return to;
}

function saturate64(
  s: FunctionSelector,
  from: VectorRegister,
  type: FloatType,
  signed: boolean,
): GeneralRegister {
  const { fn, stack } = s;
  const form = type === 'f32' ? 's' : 'd';
  const constant = (value: number) => stack.constant(type === 'f32' ? floatBytes(value) : doubleBytes(value));
  const ordered = fn.vector();
  const to = fn.general(64);
  const most = fn.general(64);
  if (signed) {
    const mask = fn.vector();
    fn.emit(`vcmps${form}`, mask, from, from, immediate(7));
    fn.emit('vandps', ordered, mask, from);
    fn.emit(`vcvtts${form}2si`, to, ordered);
    fn.emit('mov', most, immediate(0x7fff_ffff_ffff_ffffn));
    fn.emit(`vucomis${form}`, ordered, constant(2 ** 63));
    fn.emit('cmovae', to, most);
    return to;
  }
  const zero = fn.vector();
  fn.emit('vxorps', zero, zero, zero);
  fn.emit(`vmaxs${form}`, ordered, from, zero);
  fn.emit(`vcvtts${form}2si`, to, ordered);
  const lower = fn.vector();
  fn.emit(`vsubs${form}`, lower, ordered, constant(2 ** 63));
  const high = fn.general(64);
  fn.emit(`vcvtts${form}2si`, high, lower);
  const sign = fn.general(64);
  fn.emit('mov', sign, immediate(-0x8000_0000_0000_0000n));
  fn.emit('xor', high, sign);
  fn.emit('mov', most, immediate(-1n));
  fn.emit(`vucomis${form}`, ordered, constant(2 ** 63));
  fn.emit('cmovae', to, high);
  fn.emit(`vucomis${form}`, ordered, constant(2 ** 64));
  fn.emit('cmovae', to, most);
  return to;
}

/** Ends the kernel if the number has no integer of the type. */
function checkRange(
  s: FunctionSelector,
  from: VectorRegister,
  type: FloatType,
  bits: 32 | 64,
  signed: boolean,
): void {
  const { fn, stack } = s;
  const wide = asDouble(s, from, type);
  const whole = fn.vector();
  fn.emit('vroundsd', whole, wide, wide, immediate(11));
  const upper = 2 ** (signed ? bits - 1 : bits);
  const lower = signed ? -(2 ** (bits - 1)) : 0;
  fn.emit('vucomisd', whole, stack.constant(doubleBytes(upper)));
  s.trapIf('p', 'unreachable');
  s.trapIf('ae', 'unreachable');
  fn.emit('vucomisd', whole, stack.constant(doubleBytes(lower)));
  s.trapIf('b', 'unreachable');
}

function toInteger(type: FloatType, bits: 32 | 64, signed: boolean, saturates: boolean): PlainRule {
  return (s) => {
    const from = s.stack.popVector();
    if (!saturates) checkRange(s, from, type, bits, signed);
    s.stack.pushGeneral(bits === 32 ? saturate32(s, from, type, signed) : saturate64(s, from, type, signed));
  };
}

function fromInteger(type: FloatType, bits: 32 | 64, signed: boolean): PlainRule {
  const form = type === 'f32' ? 's' : 'd';
  return (s) => {
    const { fn, stack } = s;
    const from = stack.popGeneral(bits);
    const zero = fn.vector();
    fn.emit('vxorps', zero, zero, zero);
    const convert = (to: VectorRegister, source: GeneralRegister): void =>
      fn.emit(`vcvtsi2s${form}`, to, zero, source);
    if (signed || bits === 32) {
      convert(stack.result(type), signed ? from : general(from.number, 64));
      return;
    }
    // Half of it, with the bit that is lost kept for rounding, and twice the result, if the upper half has what would be the sign.
    const to = fn.vector();
    const [usual, done] = [fn.newLabel(), fn.newLabel()];
    fn.emit('test', from, from);
    fn.jump('jns', usual);
    const [half, low] = [fn.general(64), fn.general(64)];
    fn.emit('mov', half, from);
    fn.emit('shr', half, immediate(1));
    fn.emit('mov', low, from);
    fn.emit('and', low, immediate(1));
    fn.emit('or', half, low);
    const part = fn.vector();
    convert(part, half);
    fn.emit(`vadds${form}`, to, part, part);
    fn.jump('jmp', done);
    fn.place(usual);
    convert(to, from);
    fn.place(done);
    stack.pushVector(type, to);
  };
}

const wrap: PlainRule = ({ fn, stack }) => {
  const from = stack.popGeneral(64);
  fn.emit('mov', stack.result('i32'), general(from.number, 32));
};

const extendUnsigned: PlainRule = ({ fn, stack }) => {
  const from = stack.popGeneral(32);
  const to = stack.result('i64');
  fn.emit('mov', general(to.number, 32), from);
};

const toBits: (type: 'i32' | 'i64', name: string) => PlainRule =
  (type, name) =>
  ({ fn, stack }) => {
    const from = stack.popVector();
    fn.emit(name, stack.result(type as 'i32'), from);
  };

const fromBits: (type: FloatType, name: string) => PlainRule =
  (type, name) =>
  ({ fn, stack }) => {
    const from = stack.popGeneral(type === 'f32' ? 32 : 64);
    fn.emit(name, stack.result(type), from);
  };

const truncations = (['i32', 'i64'] as const).flatMap((to) =>
  (['f32', 'f64'] as const).flatMap((from) =>
    (['s', 'u'] as const).flatMap((sign): [string, PlainRule][] => {
      const bits = to === 'i32' ? 32 : 64;
      return [
        [`${to}.trunc_sat_${from}_${sign}`, toInteger(from, bits, sign === 's', true)],
        [`${to}.trunc_${from}_${sign}`, toInteger(from, bits, sign === 's', false)],
        [`${from}.convert_${to}_${sign}`, fromInteger(from, bits, sign === 's')],
      ];
    }),
  ),
);

export const conversionRules: readonly [string, PlainRule][] = [
  ...truncations,
  ['i32.wrap_i64', wrap],
  ['i64.extend_i32_u', extendUnsigned],
  ['i32.reinterpret_f32', toBits('i32', 'vmovd')],
  ['i64.reinterpret_f64', toBits('i64', 'vmovq')],
  ['f32.reinterpret_i32', fromBits('f32', 'vmovd')],
  ['f64.reinterpret_i64', fromBits('f64', 'vmovq')],
  [
    'f32.demote_f64',
    ({ fn, stack }) => {
      const from = stack.popVector();
      fn.emit('vcvtsd2ss', stack.result('f32'), from, from);
    },
  ],
  [
    'f64.promote_f32',
    ({ fn, stack }) => {
      const from = stack.popVector();
      fn.emit('vcvtss2sd', stack.result('f64'), from, from);
    },
  ],
];
