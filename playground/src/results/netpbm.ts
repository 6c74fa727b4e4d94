/** Pictures that programs in C write with a few lines of their own: PGM and PPM. */
import { decodeNetpbm, isNetpbm } from '../../../src/cli/arguments/netpbm.ts';
import type { Picture } from '../../../src/cli/arguments/picture.ts';

/** Undefined for what is none, or is shorter than it says. */
export function readNetpbm(bytes: Uint8Array): Picture | undefined {
  try {
    // Programs forget to keep their values below the most that they have said.
    return isNetpbm(bytes) ? decodeNetpbm(bytes, { clamps: true }) : undefined;
  } catch {
    return undefined;
  }
}
