/** Switches on what the engine of older Nodes has behind a flag. */
import { setFlagsFromString } from 'node:v8';

/**
 * Relaxed SIMD, which multiplies and adds in one instruction: in Node 20 and 21 behind a flag, later without. It counts
 * for modules that are compiled from now on, in all threads. A program may do so, but a library may not for it.
 */
export function enableRelaxedSimd(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');
}
