/** Shifts and rotations of lanes by counts of their own (codegen/wasm's lane-shifts-routine.ts). */
import { bytesOfAll } from '../../wasm/vector/constant-division.ts';
import { type LaneShift, laneShiftName, type ShiftedBits } from '../../wasm/vector/lane-shifts-routine.ts';
import type { VectorRegister } from '../assembler/instruction.ts';
import type { FunctionSelector } from './function-selector.ts';
import type { PlainRule } from './rule.ts';
import { give, made, two } from './vector.ts';

const letters = { 16: 'w', 32: 'd', 64: 'q' } as const;
const mnemonics = { shl: 'vpsllv', ushr: 'vpsrlv', sshr: 'vpsrav' } as const;

/** A number in all lanes. */
const inAll = (s: FunctionSelector, bits: ShiftedBits, value: number | bigint): VectorRegister =>
  made(s, 'vmovups', s.stack.constant(bytesOfAll(BigInt(value), bits)));

/** The instructions take counts as they are, and leave nothing of lanes that are shifted by their width or more. */
const within = (s: FunctionSelector, bits: ShiftedBits, count: VectorRegister): VectorRegister =>
  made(s, 'vpand', count, inAll(s, bits, bits - 1));

function shift(fn: Exclude<LaneShift, 'rotl'>, bits: ShiftedBits): [string, PlainRule] {
  const rule = give((s, x, n) => made(s, `${mnemonics[fn]}${letters[bits]}`, x, within(s, bits, n)), 2);
  return [laneShiftName(fn, bits), rule];
}

/** Of 64 bits, with AVX2: the sign is put where it belongs by a subtraction. */
const shiftSigned64 = give((s, x, n) => {
  const count = within(s, 64, n);
  const place = made(s, 'vpsrlvq', inAll(s, 64, 1n << 63n), count);
  const shifted = made(s, 'vpsrlvq', x, count);
  return made(s, 'vpsubq', made(s, 'vpxord', shifted, place), place);
}, 2);

/** By what is left of the width to the right; by all of it nothing is left. */
function rotation(bits: ShiftedBits): [string, PlainRule] {
  const letter = letters[bits];
  const rule = give((s, x, n) => {
    const count = within(s, bits, n);
    const rest = made(s, `vpsub${letter}`, inAll(s, bits, bits), count);
    return made(s, 'vpor', made(s, `vpsllv${letter}`, x, count), made(s, `vpsrlv${letter}`, x, rest));
  }, 2);
  return [laneShiftName('rotl', bits), rule];
}

/** With AVX2. */
export const laneShifts: readonly [string, PlainRule][] = [
  shift('shl', 32),
  shift('ushr', 32),
  shift('sshr', 32),
  rotation(32),
  shift('shl', 64),
  shift('ushr', 64),
  [laneShiftName('sshr', 64), shiftSigned64],
  rotation(64),
];

/** What AVX-512 has besides, or in their place: rotations take counts modulo the width. */
export const laneShifts512: readonly [string, PlainRule][] = [
  shift('shl', 16),
  shift('ushr', 16),
  shift('sshr', 16),
  rotation(16),
  shift('sshr', 64),
  [laneShiftName('rotl', 32), two('vprolvd')],
  [laneShiftName('rotl', 64), two('vprolvq')],
];
