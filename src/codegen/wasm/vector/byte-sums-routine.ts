/**
 * The sum of the eight bytes of each lane of 64 bits, as a function of the runtime: called only where the machine has an instruction for it in its place
 * (`ownRoutines`), but it says what that does.
 */
import type { AssemblyFunction } from '../module/assembler.ts';

export const byteSumsName = 'byte_sums_64';

export const byteSumsRoutine: AssemblyFunction = {
  name: byteSumsName,
  parameters: 'bytes:v128',
  result: 'v128',
  locals: 'words:v128',
  body: `
    (local.set $words (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u $bytes)))
    (i64x2.add
      (i64x2.shr_u $words (i32.const 32))
      (i64x2.shr_u (i64x2.shl $words (i32.const 32)) (i32.const 32)))`,
};
