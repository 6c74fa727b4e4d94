/**
 * The store of a register's lanes under a mask, as a function of the runtime: it is called only where the machine has an instruction for it in its
 * place (`ownRoutines`), but says what that does.
 */
import { intShape } from '../kernel/value-layout.ts';
import type { AssemblyFunction } from '../module/assembler.ts';

const widths = [8, 16, 32, 64] as const;

/** @param bits of a lane */
export function maskedStoreName(bits: number): string {
  return `masked_store_${bits}`;
}

/** Lanes whose mask is all ones are written to memory, those whose mask is zero are not. */
export const maskedStoreRoutines: readonly AssemblyFunction[] = widths.map((bits) => {
  const lanes = Array.from({ length: 128 / bits }, (_, lane) => lane);
  return {
    name: maskedStoreName(bits),
    parameters: 'address:i32 value:v128 mask:v128',
    locals: 'bits:i32',
    body: `
      (local.set $bits (${intShape(bits)}.bitmask $mask))
      ${lanes
        .map(
          (lane) => `
      (if (i32.and $bits (i32.const ${1 << lane}))
        (then (v128.store${bits}_lane ${lane} (i32.add $address (i32.const ${(lane * bits) / 8})) $value)))`,
        )
        .join('')}`,
  };
});
