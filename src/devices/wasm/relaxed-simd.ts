/**
 * What kernels may use of relaxed SIMD here: a multiplication and the addition of its product in one instruction. Node has it from version 22
 * on without a flag, and so has Chromium. Where OpenCL C allows contraction, any engine's will do. Where it asks for one rounding (`fma`), the
 * engine's must round once: those on processors with such an instruction do, always or never, so one look at a product that tells is enough.
 */
import { environment } from '../../runtime/host.ts';

/** Functions of three numbers: `d` of doubles gives `f64x2.relaxed_madd` of them, `s` of singles `f32x4.relaxed_madd`. */
const probe = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic number and version
  ...[0x01, 0x0f, 0x02, 0x60, 0x03, 0x7c, 0x7c, 0x7c, 0x01, 0x7c, 0x60, 0x03, 0x7d, 0x7d, 0x7d, 0x01, 0x7d],
  ...[0x03, 0x03, 0x02, 0x00, 0x01],
  ...[0x07, 0x09, 0x02, 0x01, 0x64, 0x00, 0x00, 0x01, 0x73, 0x00, 0x01],
  ...[0x0a, 0x2b, 0x02],
  ...[0x14, 0x00, ...splats(0x14), 0xfd, 0x87, 0x02, 0xfd, 0x21, 0x00, 0x0b],
  ...[0x14, 0x00, ...splats(0x13), 0xfd, 0x85, 0x02, 0xfd, 0x1f, 0x00, 0x0b],
);

/** The three parameters, each in all lanes. */
function splats(opcode: number): number[] {
  return [0, 1, 2].flatMap((parameter) => [0x20, parameter, 0xfd, opcode]);
}

let isThere: boolean | undefined;
let isFused: boolean | undefined;

function hasRelaxedSimd(): boolean {
  isThere ??= WebAssembly.validate(probe);
  return isThere;
}

/** MILLRACE_FUSE=0 says no for all engines, so that results do not depend on them. */
export function fusesProducts(): boolean {
  return hasRelaxedSimd() && environment('MILLRACE_FUSE') !== '0';
}

/** Whether the engine's products with a sum are rounded once, as `fma` is. Results are the same with and without. */
export function roundsProductsOnce(): boolean {
  isFused ??= hasRelaxedSimd() && looksFused();
  return isFused;
}

function looksFused(): boolean {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(probe));
  const roundsOnce = (name: 'd' | 's', e: number): boolean => {
    const madd = exports[name] as (a: number, b: number, c: number) => number;
    // (1 + e)(1 - e) - 1 is -e * e, and nothing if the product is rounded on the way.
    return madd(1 + e, 1 - e, -1) === -e * e;
  };
  return roundsOnce('d', 2 ** -30) && roundsOnce('s', 2 ** -15);
}
