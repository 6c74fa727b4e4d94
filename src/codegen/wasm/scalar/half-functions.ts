/**
 * Half precision, which WebAssembly does not have, between f32 and bits, rounded to nearest even: one number or four at
 * a time and without branches. Other modes are in `runtime-functions.ts`.
 *
 * From half: the fields are moved to their places in a float, and a multiplication by 2^112 changes the exponent's bias
 * from 15 to 127, which also normalises subnormal halves. What had the largest exponent gets the largest again.
 *
 * To half: a power of two is added whose float has its last bit where the half of that size (but none below the smallest
 * normal) has its own, so that the addition does the rounding. The sum's low twelve bits are then the half's
 * significand with the leading one, and its exponent is the half's but for a constant; the two are added, for the
 * leading one may have carried. Before that a multiplication by 2^112 makes infinities of what is too large, and one
 * by 2^-110 takes it back to four times the number.
 */
import { type AssemblyFunction, assembleInline } from '../module/assembler.ts';
import type { CodeWriter } from '../module/code-writer.ts';

const up = '5192296858534827628530496329220096'; // 2^112
const down = '7.703719777548943e-34'; // 2^-110

/** The same constant in four lanes. */
const all = (value: number): string => `(v128.const ${value | 0})`;

/** The bits of a float. */
const bitsOf = (value: string): number => new Int32Array(Float32Array.of(Number(value)).buffer)[0]!;

/** Short enough to be inline, where a call would take longer than they do. */
const halfFunctions = {
  f32_to_f16: {
    // Gives the bits of the half, sign-extended from 16 bits as all narrow values are.
    name: 'f32_to_f16',
    parameters: 'x:f32',
    result: 'i32',
    locals: 'bits:i32 exponent:i32 sum:i32',
    body: `
      (local.set $bits (i32.reinterpret_f32 $x))
      (local.set $exponent (i32.and (i32.shl $bits (i32.const 1)) (i32.const ${0xff000000 | 0})))
      (local.set $exponent
        (select $exponent (i32.const 0x71000000) (i32.gt_u $exponent (i32.const 0x71000000))))
      (local.set $sum (i32.reinterpret_f32 (f32.add
        (f32.mul (f32.mul (f32.abs $x) (f32.const ${up})) (f32.const ${down}))
        (f32.reinterpret_i32 (i32.add (i32.shr_u $exponent (i32.const 1)) (i32.const 0x07800000))))))
      (i32.extend16_s (i32.or
        (select
          (i32.const 0x7e00)
          (i32.add
            (i32.and (i32.shr_u $sum (i32.const 13)) (i32.const 0x7c00))
            (i32.and $sum (i32.const 0xfff)))
          (f32.ne $x $x))
        (i32.and (i32.shr_u $bits (i32.const 16)) (i32.const 0x8000))))`,
  },
  f16_to_f32: {
    name: 'f16_to_f32',
    parameters: 'h:i32',
    result: 'f32',
    locals: 'magnitude:i32',
    body: `
      (local.set $magnitude (i32.shl (i32.and $h (i32.const 0x7fff)) (i32.const 13)))
      (f32.reinterpret_i32 (i32.or
        (i32.or
          (i32.reinterpret_f32 (f32.mul (f32.reinterpret_i32 $magnitude) (f32.const ${up})))
          (select (i32.const 0x7f800000) (i32.const 0) (i32.ge_u $magnitude (i32.const 0x0f800000))))
        (i32.shl (i32.and $h (i32.const 0x8000)) (i32.const 16))))`,
  },
  f16x4_to_f32x4: {
    // Of the eight halves the first four.
    name: 'f16x4_to_f32x4',
    parameters: 'h:v128',
    result: 'v128',
    locals: 'magnitude:v128',
    body: `
      (local.set $h (i32x4.extend_low_i16x8_u $h))
      (local.set $magnitude (i32x4.shl (v128.and $h ${all(0x7fff)}) (i32.const 13)))
      (v128.or
        (v128.or
          (f32x4.mul $magnitude ${all(bitsOf(up))})
          (v128.and (i32x4.ge_s $magnitude ${all(0x0f800000)}) ${all(0x7f800000)}))
        (i32x4.shl (i32x4.shr_u $h (i32.const 15)) (i32.const 31)))`,
  },
  f32x4_to_f16x4: {
    // The bits of each half in the low half of a lane.
    name: 'f32x4_to_f16x4',
    parameters: 'x:v128',
    result: 'v128',
    locals: 'sum:v128',
    body: `
      (local.set $sum (f32x4.add
        (f32x4.mul
          (f32x4.mul (f32x4.abs $x) ${all(bitsOf(up))})
          ${all(bitsOf(down))})
        (i32x4.add
          (i32x4.shr_u
            (i32x4.max_u (v128.and (i32x4.shl $x (i32.const 1)) ${all(0xff000000)}) ${all(0x71000000)})
            (i32.const 1))
          ${all(0x07800000)})))
      (v128.or
        (v128.bitselect
          ${all(0x7e00)}
          (i32x4.add
            (v128.and (i32x4.shr_u $sum (i32.const 13)) ${all(0x7c00)})
            (v128.and $sum ${all(0xfff)}))
          (f32x4.ne $x $x))
        (v128.and (i32x4.shr_u $x (i32.const 16)) ${all(0x8000)}))`,
  },
} as const satisfies Record<string, AssemblyFunction>;

/** Replaces the number or numbers on the stack. */
export function convertHalf(code: CodeWriter, conversion: keyof typeof halfFunctions): void {
  assembleInline(halfFunctions[conversion], code);
}
