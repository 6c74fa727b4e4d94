/** Integers and floats: each instruction of stack code on scalars, but for conversions (`conversions.ts`). */
import { bytesOfAll } from '../../wasm/vector/constant-division.ts';
import {
  type GeneralRegister,
  general,
  immediate,
  memory,
  type Operand,
  type VectorRegister,
  vector,
} from '../assembler/instruction.ts';
import { sized } from '../machine/function.ts';
import { divideByConstant } from './constant-division.ts';
import type { FunctionSelector } from './function-selector.ts';
import type { PlainRule } from './rule.ts';
import { addRule, multiplyRule, shiftRule, subtractRule } from './sums.ts';
import { opposite } from './values.ts';

const floatBytes = (value: number): Uint8Array => new Uint8Array(new Float32Array([value]).buffer);
const doubleBytes = (value: number): Uint8Array => new Uint8Array(new Float64Array([value]).buffer);

/** a op b, where op changes its first operand. */
function binary(name: string, type: 'i32' | 'i64', commutes = true): PlainRule {
  return ({ fn, stack }) => {
    let b = stack.pop();
    let a = stack.pop();
    // A number goes into the instruction, and what is not needed any more into the result.
    if (
      commutes &&
      (a.kind === 'number' || (b.kind === 'register' && !b.local && a.kind === 'register' && a.local))
    )
      [a, b] = [b, a];
    stack.push(b);
    const right = stack.popOperand();
    stack.push(a);
    const to = stack.popCopy() as GeneralRegister;
    fn.emit(name, to, right);
    stack.pushRegister(type, to.number);
  };
}

/** Sums of 64 bits: with a number by `lea`, which needs no copy. */
function addWide(name: 'add' | 'sub'): PlainRule {
  const type = 'i64';
  const usual = binary(name, type, name === 'add');
  return (s) => {
    const { fn, stack } = s;
    const b = stack.pop();
    const a = stack.pop();
    if (b.kind === 'number' && a.kind !== 'number') {
      const offset = Number(BigInt.asIntN(32, name === 'sub' ? -b.value : b.value));
      if (BigInt(offset) === (name === 'sub' ? -b.value : b.value)) {
        const from = general(stack.register(a), 64);
        fn.emit('lea', stack.result(type), memory(0, { base: from, offset }));
        return;
      }
    }
    stack.push(a);
    stack.push(b);
    usual(s);
  };
}

function multiply(type: 'i32' | 'i64'): PlainRule {
  const usual = binary('imul', type);
  return (s) => {
    const { fn, stack } = s;
    const b = stack.pop();
    const a = stack.pop();
    const [one, other] = a.kind === 'number' ? [b, a] : [a, b];
    stack.push(other);
    const right = stack.popOperand();
    if (right.kind === 'immediate') {
      stack.push(one);
      const left = stack.popGeneral();
      fn.emit('imul', stack.result(type as 'i32'), left, right);
      return;
    }
    stack.push(one);
    stack.pushRegister(type, right.number);
    usual(s);
  };
}

/** Shifts: counts are taken modulo the width by the processor, as stack code wants. */
function shift(byNumber: string, byRegister: string, type: 'i32' | 'i64'): PlainRule {
  const bits = type === 'i32' ? 32 : 64;
  return ({ fn, stack }) => {
    const count = stack.pop();
    if (count.kind === 'number') {
      const to = stack.popCopy() as GeneralRegister;
      fn.emit(byNumber, to, immediate(Number(count.value & BigInt(bits - 1))));
      stack.pushRegister(type, to.number);
      return;
    }
    const by = general(stack.register(count), bits);
    const from = stack.popGeneral();
    fn.emit(byRegister, stack.result(type as 'i32'), from, by);
  };
}

function rotate(type: 'i32' | 'i64', isLeft: boolean): PlainRule {
  const bits = type === 'i32' ? 32 : 64;
  return ({ fn, stack }) => {
    const count = stack.pop();
    if (count.kind === 'number') {
      const by = Number(count.value & BigInt(bits - 1));
      const from = stack.popGeneral();
      fn.emit('rorx', stack.result(type as 'i32'), from, immediate(isLeft ? (bits - by) & (bits - 1) : by));
      return;
    }
    const by = general(stack.register(count), bits);
    const from = stack.popGeneral();
    const back = fn.general(bits);
    fn.emit('mov', back, by);
    fn.emit('neg', back);
    const low = fn.general(bits);
    fn.emit(isLeft ? 'shrx' : 'shlx', low, from, back);
    const to = stack.result(type as 'i32');
    fn.emit(isLeft ? 'shlx' : 'shrx', to, from, by);
    fn.emit('or', to, low);
  };
}

/**
 * Division. The processor's faults cannot happen: a division by zero ends the kernel, as stack code's does, and -1, by which the least
 * integer cannot be divided, is dealt with apart.
 */
function divide(type: 'i32' | 'i64', signed: boolean, remainder: boolean): PlainRule {
  const bits = type === 'i32' ? 32 : 64;
  return (s) => {
    const { fn, stack } = s;
    const divisor = stack.pop();
    const dividend = stack.popGeneral(bits);
    const known = divisor.kind === 'number' ? BigInt.asIntN(bits, divisor.value) : undefined;
    if (known !== undefined && (known > 1n || known < -1n)) {
      stack.pushGeneral(divideByConstant(fn, dividend, known, { bits, signed, remainder }));
      return;
    }
    const by = general(stack.register(divisor), bits);
    const to = fn.general(bits);
    const done = fn.newLabel();
    if (known === undefined || known === 0n) {
      fn.emit('test', by, by);
      s.trapIf('e', 'unreachable');
    }
    if (signed && (known === undefined || known === -1n)) {
      const usual = fn.newLabel();
      fn.emit('mov', to, dividend);
      fn.emit('cmp', by, immediate(-1));
      fn.jump('jne', usual);
      if (remainder) fn.emit('mov', general(to.number, 32), immediate(0));
      else fn.emit('neg', to);
      fn.jump('jmp', done);
      fn.place(usual);
    }
    const [rax, rdx] = [general(0, bits), general(2, bits)];
    fn.emit('mov', rax, dividend);
    if (signed) {
      fn.append({ mnemonic: bits === 32 ? 'cdq' : 'cqo', operands: [] }, { uses: [0], definitions: [2] });
    } else fn.emit('mov', general(2, 32), immediate(0));
    fn.append({ mnemonic: signed ? 'idiv' : 'div', operands: [by] }, { uses: [0, 2], definitions: [0, 2] });
    fn.emit('mov', to, remainder ? rdx : rax);
    fn.place(done);
    stack.pushRegister(type, to.number);
  };
}

function compare(condition: string): PlainRule {
  return ({ stack }) => {
    const b = stack.popOperand();
    const a = stack.popGeneral();
    const isTest = b.kind === 'immediate' && BigInt(b.value) === 0n && /^(e|ne)$/.test(condition);
    const [mnemonic, operands]: [string, Operand[]] = isTest ? ['test', [a, a]] : ['cmp', [a, b]];
    stack.push({ kind: 'flags', type: 'i32', mnemonic, operands, condition });
  };
}

const equalsZero: PlainRule = ({ stack }) => {
  const entry = stack.pop();
  if (entry.kind === 'flags') {
    stack.push({ ...entry, condition: opposite(entry.condition) });
    return;
  }
  stack.push(entry);
  const a = stack.popGeneral();
  stack.push({ kind: 'flags', type: 'i32', mnemonic: 'test', operands: [a, a], condition: 'e' });
};

/** lzcnt, tzcnt and popcnt: for zero the first two give the width, as stack code wants. */
function count(name: string, type: 'i32' | 'i64'): PlainRule {
  return ({ fn, stack }) => {
    const from = stack.popGeneral();
    fn.emit(name, stack.result(type as 'i32'), from);
  };
}

// ------------------------------------------------------------------------------------------------------ floats

type FloatType = 'f32' | 'f64';
const suffix = (type: FloatType): 's' | 'd' => (type === 'f32' ? 's' : 'd');
const width = (type: FloatType): 32 | 64 => (type === 'f32' ? 32 : 64);

function arithmetic(name: string, type: FloatType): PlainRule {
  return ({ fn, stack }) => {
    const b = stack.popVectorOperand();
    const a = stack.popVector();
    fn.emit(`${name}s${suffix(type)}`, stack.result(type), a, b);
  };
}

/** An order in which NaN makes the result false; `swapped`: of the second with the first. */
function order(type: FloatType, condition: string, swapped: boolean): PlainRule {
  return ({ stack }) => {
    const b = stack.popVector();
    const a = stack.popVector();
    const operands = swapped ? [b, a] : [a, b];
    stack.push({ kind: 'flags', type: 'i32', mnemonic: `vucomis${suffix(type)}`, operands, condition });
  };
}

/** Equality, which flags say in two of their bits: as a mask. */
function equal(type: FloatType, predicate: number): PlainRule {
  return ({ fn, stack }) => {
    const b = stack.popVectorOperand();
    const a = stack.popVector();
    const mask = fn.vector();
    fn.emit(`vcmps${suffix(type)}`, mask, a, b, immediate(predicate));
    const to = fn.general(32);
    fn.emit('vmovd', to, mask);
    fn.emit('and', to, immediate(1));
    stack.pushGeneral(to);
  };
}

function logic(name: string, type: FloatType, mask: bigint): PlainRule {
  return ({ fn, stack }) => {
    const a = stack.popVector();
    fn.emit(name, stack.result(type), a, stack.constant(bytesOfAll(mask, width(type))));
  };
}

function round(type: FloatType, mode: number): PlainRule {
  return ({ fn, stack }) => {
    const a = stack.popVector();
    fn.emit(`vrounds${suffix(type)}`, stack.result(type), a, a, immediate(mode));
  };
}

function copySign(type: FloatType): PlainRule {
  const sign = type === 'f32' ? 0x8000_0000n : 1n << 63n;
  return ({ fn, stack }) => {
    const b = stack.popVector();
    const a = stack.popVector();
    const [signOf, rest] = [fn.vector(), fn.vector()];
    const mask = stack.constant(bytesOfAll(sign, width(type)));
    fn.emit('vandps', signOf, b, mask);
    fn.emit('vandps', rest, a, stack.constant(bytesOfAll(~sign, width(type))));
    fn.emit('vorps', stack.result(type), signOf, rest);
  };
}

/** The lesser, -0 before +0, NaN if one is: the processor's own gives the second operand where it cannot tell. */
export function least(
  { fn }: Pick<FunctionSelector, 'fn'>,
  a: VectorRegister,
  b: VectorRegister,
  form: string,
): VectorRegister {
  const v = (): VectorRegister => vector(fn.newVector(128), 128);
  const [one, other, both, unordered, either] = [v(), v(), v(), v(), v()];
  fn.emit(`vmin${form}`, one, a, b);
  fn.emit(`vmin${form}`, other, b, a);
  fn.emit('vorps', both, one, other);
  fn.emit(`vcmp${form}`, unordered, other, both, immediate(3));
  fn.emit('vorps', either, both, unordered);
  return quietNaN(fn, either, unordered, form);
}

export function greatest(
  { fn }: Pick<FunctionSelector, 'fn'>,
  a: VectorRegister,
  b: VectorRegister,
  form: string,
): VectorRegister {
  const v = (): VectorRegister => vector(fn.newVector(128), 128);
  const [one, other, differ, both, less, unordered] = [v(), v(), v(), v(), v(), v()];
  fn.emit(`vmax${form}`, one, a, b);
  fn.emit(`vmax${form}`, other, b, a);
  fn.emit('vxorps', differ, other, one);
  fn.emit('vorps', both, one, differ);
  // Where signs of zeros differ: -0 - (-0 ^ +0) is +0.
  fn.emit(`vsub${form}`, less, both, differ);
  fn.emit(`vcmp${form}`, unordered, differ, less, immediate(3));
  return quietNaN(fn, less, unordered, form);
}

/** A value with the payload taken off where it is NaN: `unordered` has all bits set there. */
function quietNaN(
  fn: FunctionSelector['fn'],
  value: VectorRegister,
  unordered: VectorRegister,
  form: string,
): VectorRegister {
  const [shifted, result] = [vector(fn.newVector(128), 128), vector(fn.newVector(128), 128)];
  const isSingle = form.endsWith('s');
  fn.emit(isSingle ? 'vpsrld' : 'vpsrlq', shifted, unordered, immediate(isSingle ? 10 : 13));
  fn.emit('vandnps', result, shifted, value);
  return result;
}

function extreme(type: FloatType, find: typeof least): PlainRule {
  return (s) => {
    const b = s.stack.popVector();
    const a = s.stack.popVector();
    s.stack.pushVector(type, find(s, a, b, `s${suffix(type)}`));
  };
}

function root(type: FloatType): PlainRule {
  return ({ fn, stack }) => {
    const a = stack.popVector();
    fn.emit(`vsqrts${suffix(type)}`, stack.result(type), a, a);
  };
}

function extend(mnemonic: string, fromBits: 8 | 16 | 32, type: 'i32' | 'i64'): PlainRule {
  return ({ fn, stack }) => {
    const from = stack.popGeneral();
    fn.emit(mnemonic, stack.result(type as 'i32'), sized(from, fromBits));
  };
}

const shiftLeft = shiftRule(shift('shl', 'shlx', 'i32'));

function integers(type: 'i32' | 'i64'): [string, PlainRule][] {
  return [
    [`${type}.add`, type === 'i32' ? addRule : addWide('add')],
    [`${type}.sub`, type === 'i32' ? subtractRule(binary('sub', type, false)) : addWide('sub')],
    [`${type}.mul`, type === 'i32' ? multiplyRule(multiply(type), shiftLeft) : multiply(type)],
    [`${type}.and`, binary('and', type)],
    [`${type}.or`, binary('or', type)],
    [`${type}.xor`, binary('xor', type)],
    [`${type}.shl`, type === 'i32' ? shiftRule(shift('shl', 'shlx', type)) : shift('shl', 'shlx', type)],
    [`${type}.shr_s`, shift('sar', 'sarx', type)],
    [`${type}.shr_u`, shift('shr', 'shrx', type)],
    [`${type}.rotl`, rotate(type, true)],
    [`${type}.rotr`, rotate(type, false)],
    [`${type}.div_s`, divide(type, true, false)],
    [`${type}.div_u`, divide(type, false, false)],
    [`${type}.rem_s`, divide(type, true, true)],
    [`${type}.rem_u`, divide(type, false, true)],
    [`${type}.eqz`, equalsZero],
    [`${type}.eq`, compare('e')],
    [`${type}.ne`, compare('ne')],
    [`${type}.lt_s`, compare('l')],
    [`${type}.lt_u`, compare('b')],
    [`${type}.gt_s`, compare('g')],
    [`${type}.gt_u`, compare('a')],
    [`${type}.le_s`, compare('le')],
    [`${type}.le_u`, compare('be')],
    [`${type}.ge_s`, compare('ge')],
    [`${type}.ge_u`, compare('ae')],
    [`${type}.clz`, count('lzcnt', type)],
    [`${type}.ctz`, count('tzcnt', type)],
    [`${type}.popcnt`, count('popcnt', type)],
    [`${type}.extend8_s`, extend('movsx', 8, type)],
    [`${type}.extend16_s`, extend('movsx', 16, type)],
  ];
}

function floats(type: FloatType): [string, PlainRule][] {
  const sign = type === 'f32' ? 0x8000_0000n : 1n << 63n;
  return [
    [`${type}.add`, arithmetic('vadd', type)],
    [`${type}.sub`, arithmetic('vsub', type)],
    [`${type}.mul`, arithmetic('vmul', type)],
    [`${type}.div`, arithmetic('vdiv', type)],
    [`${type}.min`, extreme(type, least)],
    [`${type}.max`, extreme(type, greatest)],
    [`${type}.abs`, logic('vandps', type, ~sign)],
    [`${type}.neg`, logic('vxorps', type, sign)],
    [`${type}.copysign`, copySign(type)],
    [`${type}.sqrt`, root(type)],
    [`${type}.nearest`, round(type, 8)],
    [`${type}.floor`, round(type, 9)],
    [`${type}.ceil`, round(type, 10)],
    [`${type}.trunc`, round(type, 11)],
    [`${type}.eq`, equal(type, 0)],
    [`${type}.ne`, equal(type, 4)],
    [`${type}.gt`, order(type, 'a', false)],
    [`${type}.ge`, order(type, 'ae', false)],
    [`${type}.lt`, order(type, 'a', true)],
    [`${type}.le`, order(type, 'ae', true)],
  ];
}

export const scalarRules: readonly [string, PlainRule][] = [
  ...integers('i32'),
  ...integers('i64'),
  ['i64.extend32_s', extend('movsxd', 32, 'i64')],
  ['i64.extend_i32_s', extend('movsxd', 32, 'i64')],
  ...floats('f32'),
  ...floats('f64'),
];

export { doubleBytes, floatBytes };
