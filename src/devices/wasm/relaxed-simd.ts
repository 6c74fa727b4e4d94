/**
 * Whether kernels may use relaxed SIMD here: a multiplication and the addition of its product in one instruction, where
 * OpenCL C allows contraction. Node has it from version 22 on without a flag, and so has Chromium.
 */
import { environment } from '../../runtime/host.ts';

/** A function of nothing but `f32x4.relaxed_madd`. */
const probe = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic number and version
  ...[0x01, 0x08, 0x01, 0x60, 0x03, 0x7b, 0x7b, 0x7b, 0x01, 0x7b], // three vectors to one
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x0d, 0x01, 0x0b, 0x00, 0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0xfd, 0x85, 0x02, 0x0b],
);

let isKnown: boolean | undefined;

/** MILLRACE_FUSE=0 says no for all engines, so that results do not depend on them. */
export function fusesProducts(): boolean {
  isKnown ??= WebAssembly.validate(probe);
  return isKnown && environment('MILLRACE_FUSE') !== '0';
}
