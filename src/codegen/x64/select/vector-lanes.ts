/** Lanes of vectors of 128 bits: in and out, copies in all of them, and shuffles. */
import { general, immediate, type VectorRegister } from '../assembler/instruction.ts';
import type { Rule } from './rule.ts';
import { made } from './vector.ts';

function extract(
  name: string,
  type: 'i32' | 'i64',
  extension?: { readonly mnemonic: string; readonly bits: 8 | 16 },
): Rule {
  return ({ fn, stack }, { value }) => {
    const from = stack.popVector();
    if (!extension) {
      fn.emit(name, stack.result(type as 'i32'), from, immediate(value));
      return;
    }
    const whole = fn.general(32);
    fn.emit(name, whole, from, immediate(value));
    fn.emit(extension.mnemonic, stack.result('i32'), general(whole.number, extension.bits));
  };
}

function replace(name: string): Rule {
  return ({ fn, stack }, { value }) => {
    const lane = stack.popGeneral();
    const from = stack.popVector();
    fn.emit(name, stack.result('v128'), from, lane, immediate(value));
  };
}

const extractFloat: Rule = ({ fn, stack }, { value }) => {
  const from = stack.popVector();
  if (value === 0) fn.emit('vmovaps', stack.result('f32'), from);
  else if (value === 1) fn.emit('vmovshdup', stack.result('f32'), from);
  else if (value === 2) fn.emit('vunpckhps', stack.result('f32'), from, from);
  else fn.emit('vpshufd', stack.result('f32'), from, immediate(value));
};

const extractDouble: Rule = ({ fn, stack }, { value }) => {
  const from = stack.popVector();
  if (value === 0) fn.emit('vmovaps', stack.result('f64'), from);
  else fn.emit('vunpckhpd', stack.result('f64'), from, from);
};

const replaceFloat: Rule = ({ fn, stack }, { value }) => {
  const lane = stack.popVector();
  const from = stack.popVector();
  fn.emit('vinsertps', stack.result('v128'), from, lane, immediate(value << 4));
};

const replaceDouble: Rule = ({ fn, stack }, { value }) => {
  const lane = stack.popVector();
  const from = stack.popVector();
  if (value === 0) fn.emit('vmovsd', stack.result('v128'), from, lane);
  else fn.emit('vmovlhps', stack.result('v128'), from, lane);
};

function splat(move: 'vmovd' | 'vmovq', name: string): Rule {
  return (s) => {
    const from = s.stack.popGeneral();
    const lane = made(s, move, from);
    s.fn.emit(name, s.stack.result('v128'), lane);
  };
}

function splatFloat(name: string): Rule {
  return ({ fn, stack }) => {
    const from = stack.popVector();
    fn.emit(name, stack.result('v128'), from);
  };
}

/** Indices beyond the last byte give zero: with 0x70 added, they have the bit that says so. */
const swizzle: Rule = (s) => {
  const indices = s.stack.popVector();
  const from = s.stack.popVector();
  const bounded = made(s, 'vpaddusb', indices, s.stack.constant(new Uint8Array(16).fill(0x70)));
  s.fn.emit('vpshufb', s.stack.result('v128'), from, bounded);
};

const relaxedSwizzle: Rule = ({ fn, stack }) => {
  const indices = stack.popVectorOperand();
  const from = stack.popVector();
  fn.emit('vpshufb', stack.result('v128'), from, indices);
};

// ----------------------------------------------------------------------------------------------------- shuffles

/** The lanes of so many bytes that a shuffle of bytes moves whole; undefined if it does not. */
function lanesOf(bytes: readonly number[], size: number): number[] | undefined {
  const lanes: number[] = [];
  for (let at = 0; at < 16; at += size) {
    const first = bytes[at]!;
    if (first % size !== 0) return undefined;
    for (let next = 1; next < size; next += 1) if (bytes[at + next] !== first + next) return undefined;
    lanes.push(first / size);
  }
  return lanes;
}

/** Two operands of which lanes are taken alternately, from the lower halves or the upper ones. */
const interleaved = ['bw', 'wd', 'dq', 'qdq'].flatMap((sizes, index) => {
  const size = 1 << index;
  return [false, true].map((high) => {
    const name = `vpunpck${high ? 'h' : 'l'}${sizes}`;
    const count = 16 / size;
    const lanes = Array.from(
      { length: count },
      (_, at) => (at >> 1) + (high ? count / 2 : 0) + (at & 1 ? count : 0),
    );
    return { name, size, lanes };
  });
});

const shuffle: Rule = (s, { bytes }) => {
  const { fn, stack } = s;
  let b = stack.popVector();
  let a = stack.popVector();
  let order = Array.from(bytes!);
  if (a.number === b.number) order = order.map((index) => index & 15);
  if (order.every((index) => index > 15)) {
    order = order.map((index) => index - 16);
    a = b;
  }
  // The first lane is the first operand's.
  if (order[0]! > 15) {
    order = order.map((index) => index ^ 16);
    [a, b] = [b, a];
  }
  const result = (): VectorRegister => stack.result('v128');
  const isSingle = order.every((index) => index < 16);
  const words = lanesOf(order, 4);
  if (isSingle) {
    if (order.every((index, at) => index === at)) stack.pushVector('v128', made(s, 'vmovaps', a));
    else if (words) fn.emit('vpshufd', result(), a, immediate(selector(words)));
    else fn.emit('vpshufb', result(), a, stack.constant(Uint8Array.from(order)));
    return;
  }
  for (const { name, size, lanes } of interleaved) {
    if (lanesOf(order, size)?.every((lane, at) => lane === lanes[at])) {
      fn.emit(name, result(), a, b);
      return;
    }
  }
  if (words) {
    const [w0, w1, w2, w3] = words as [number, number, number, number];
    if (w0 < 4 && w1 < 4 && w2 > 3 && w3 > 3) {
      fn.emit('vshufps', result(), a, b, immediate(selector(words)));
      return;
    }
    if (words.every((lane, at) => (lane & 3) === at)) {
      const mask = words.reduce((sum, lane, at) => sum | (lane > 3 ? 1 << at : 0), 0);
      fn.emit('vpblendd', result(), a, b, immediate(mask));
      return;
    }
  }
  const [first] = order as [number];
  if (order.every((index, at) => index === first + at)) {
    fn.emit('vpalignr', result(), b, a, immediate(first));
    return;
  }
  const part = (from: VectorRegister, lower: number): VectorRegister => {
    const mine = order.map((index) => (index >= lower && index < lower + 16 ? index - lower : 0x80));
    return made(s, 'vpshufb', from, stack.constant(Uint8Array.from(mine)));
  };
  const ofA = part(a, 0);
  const ofB = part(b, 16);
  fn.emit('vpor', result(), ofA, ofB);
};

function selector(lanes: readonly number[]): number {
  return lanes.reduce((sum, lane, at) => sum | ((lane & 3) << (2 * at)), 0);
}

export const laneRules: readonly [string, Rule][] = [
  ['i8x16.extract_lane_u', extract('vpextrb', 'i32')],
  ['i8x16.extract_lane_s', extract('vpextrb', 'i32', { mnemonic: 'movsx', bits: 8 })],
  ['i16x8.extract_lane_u', extract('vpextrw', 'i32')],
  ['i16x8.extract_lane_s', extract('vpextrw', 'i32', { mnemonic: 'movsx', bits: 16 })],
  ['i32x4.extract_lane', extract('vpextrd', 'i32')],
  ['i64x2.extract_lane', extract('vpextrq', 'i64')],
  ['i8x16.replace_lane', replace('vpinsrb')],
  ['i16x8.replace_lane', replace('vpinsrw')],
  ['i32x4.replace_lane', replace('vpinsrd')],
  ['i64x2.replace_lane', replace('vpinsrq')],
  ['f32x4.extract_lane', extractFloat],
  ['f64x2.extract_lane', extractDouble],
  ['f32x4.replace_lane', replaceFloat],
  ['f64x2.replace_lane', replaceDouble],
  ['i8x16.splat', splat('vmovd', 'vpbroadcastb')],
  ['i16x8.splat', splat('vmovd', 'vpbroadcastw')],
  ['i32x4.splat', splat('vmovd', 'vpbroadcastd')],
  ['i64x2.splat', splat('vmovq', 'vpbroadcastq')],
  ['f32x4.splat', splatFloat('vbroadcastss')],
  ['f64x2.splat', splatFloat('vmovddup')],
  ['i8x16.swizzle', swizzle],
  ['i8x16.relaxed_swizzle', relaxedSwizzle],
  ['i8x16.shuffle', shuffle],
];
