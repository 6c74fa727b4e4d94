/** Vectors of 128 bits with AVX-512 (DQ and VL): what AVX2 takes several instructions for, in the place of vector.ts's rules. */
import type { PlainRule } from './rule.ts';
import { give, made, one, shift, two, zero } from './vector.ts';

/** Below zero, and of NaN, zero; what is too large becomes the largest integer by itself. */
function truncateUnsigned(max: string, truncate: string): PlainRule {
  return give((s, a) => made(s, truncate, made(s, max, a, zero(s))), 1);
}

export const vectorRules512: readonly [string, PlainRule][] = [
  ['i64x2.mul', two('vpmullq')],
  ['i64x2.abs', one('vpabsq')],
  ['i64x2.shr_s', shift('vpsraq', 64)],
  ['i32x4.trunc_sat_f32x4_u', truncateUnsigned('vmaxps', 'vcvttps2udq')],
  ['i32x4.relaxed_trunc_f32x4_u', truncateUnsigned('vmaxps', 'vcvttps2udq')],
  ['i32x4.trunc_sat_f64x2_u_zero', truncateUnsigned('vmaxpd', 'vcvttpd2udq')],
  ['i32x4.relaxed_trunc_f64x2_u_zero', truncateUnsigned('vmaxpd', 'vcvttpd2udq')],
  ['f32x4.convert_i32x4_u', one('vcvtudq2ps')],
  ['f64x2.convert_low_i32x4_u', one('vcvtudq2pd')],
];
