/**
 * Shifts and rotations of lanes by counts of their own, as functions of the runtime: called only where the machine has instructions for it in their place
 * (`ownRoutines`), but they say what that does. Counts are taken modulo the width of a lane.
 */
import type { AssemblyFunction } from '../module/assembler.ts';

export type LaneShift = 'shl' | 'sshr' | 'ushr' | 'rotl';
/** Bits of a lane. */
export type ShiftedBits = 16 | 32 | 64;

export function laneShiftName(fn: LaneShift, bits: ShiftedBits): string {
  return `shift_lanes_${fn}_${bits}`;
}

const names = { shl: 'shl', sshr: 'shr_s', ushr: 'shr_u' } as const;

const shapeOf = (bits: ShiftedBits): string => `i${bits}x${128 / bits}`;

function shifted(fn: LaneShift, bits: ShiftedBits, lane: number): string {
  const type = bits === 64 ? 'i64' : 'i32';
  const shape = shapeOf(bits);
  const extract = (local: string): string => {
    const sign = bits === 16 ? (fn === 'sshr' && local === '$x' ? '_s' : '_u') : '';
    return `(${shape}.extract_lane${sign} ${lane} ${local})`;
  };
  const within = (count: string): string => `(${type}.and ${count} (${type}.const ${bits - 1}))`;
  const count = within(extract('$n'));
  if (fn !== 'rotl') return `(${type}.${names[fn]} ${extract('$x')} ${count})`;
  const rest = within(`(${type}.sub (${type}.const ${bits}) ${extract('$n')})`);
  return `(${type}.or (${type}.shl ${extract('$x')} ${count}) (${type}.shr_u ${extract('$x')} ${rest}))`;
}

function routine(fn: LaneShift, bits: ShiftedBits): AssemblyFunction {
  const shape = shapeOf(bits);
  const lanes = Array.from({ length: 128 / bits }, (_, lane) => lane);
  return {
    name: laneShiftName(fn, bits),
    parameters: 'x:v128 n:v128',
    result: 'v128',
    body: lanes.reduce(
      (others, lane) => `(${shape}.replace_lane ${lane} ${others} ${shifted(fn, bits, lane)})`,
      '$x',
    ),
  };
}

export const laneShiftRoutines: readonly AssemblyFunction[] = (
  ['shl', 'sshr', 'ushr', 'rotl'] as const
).flatMap((fn) => ([16, 32, 64] as const).map((bits) => routine(fn, bits)));
