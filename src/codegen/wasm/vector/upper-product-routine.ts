/**
 * The upper halves of products of 16-bit lanes, as functions of the runtime: called only where the machine has an instruction for it in their place
 * (`ownRoutines`), but they say what that does.
 */
import type { AssemblyFunction } from '../module/assembler.ts';

export function upperProductName(sign: 's' | 'u'): string {
  return `upper_product_16_${sign}`;
}

export const upperProductRoutines: readonly AssemblyFunction[] = (['s', 'u'] as const).map((sign) => {
  const half = (which: 'low' | 'high'): string =>
    `(i32x4.shr_${sign} (i32x4.extmul_${which}_i16x8_${sign} $a $b) (i32.const 16))`;
  return {
    name: upperProductName(sign),
    parameters: 'a:v128 b:v128',
    result: 'v128',
    body: `(i16x8.narrow_i32x4_${sign} ${half('low')} ${half('high')})`,
  };
});
