/**
 * Whether a device's `fma` rounds once, as OpenCL C's does. WGSL allows it to round the product first, so that shaders have an exact one of
 * integers, thirty times as long. Most graphics cards have the real one: those that give the right bits for all products here, of
 * which everything but the last digits is taken away again, are taken to have it.
 */
import type { GpuDevice } from './gpu-api.ts';
import { probe, probeItems, randomNumbers } from './probes.ts';

/** The name of the constant that shaders ask (runtime-floats.ts). */
export const fusesProducts = 'fuses_products';

const shader = `@group(0) @binding(0) var<storage, read_write> numbers: array<f32>;
@compute @workgroup_size(${probeItems})
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = 4u * id.x;
  numbers[at + 3u] = fma(numbers[at], numbers[at + 1u], numbers[at + 2u]);
}
`;

/** Factors and an addend in threes, with a place for the result, and what it has to be. */
function cases(): { readonly numbers: Float32Array; readonly expected: Float32Array } {
  const numbers = new Float32Array(4 * probeItems);
  const expected = new Float32Array(probeItems);
  const random = randomNumbers();
  for (let at = 0; at < probeItems; at += 1) {
    const [a, b] = [random(), random()];
    // Of two factors of 24 bits all 48 of the product are known, so that what rounding it leaves is exact.
    const rest = at === 0 ? 0 : -Math.fround(a * b);
    numbers.set([a, b, rest], 4 * at);
    expected[at] = a * b + rest;
  }
  // The product alone would be infinite.
  numbers.set([2 ** 127, 2, -(2 ** 127)], 4);
  expected[1] = 2 ** 127;
  return { numbers, expected };
}

/** Never rejects: of a device that does not answer it is not known. */
export async function findFusedProducts(device: GpuDevice): Promise<boolean> {
  const { numbers, expected } = cases();
  const results = await probe(device, 'probe of fma', shader, numbers);
  return results !== undefined && expected.every((value, at) => results[4 * at + 3] === value);
}
