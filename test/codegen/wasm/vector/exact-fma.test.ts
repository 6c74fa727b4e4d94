/** `fma` in one instruction, where the engine's products with a sum are rounded once: what comes out is the interpreter's to the last bit. */
import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../samples/support/random.ts';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { roundsProductsOnce } from '../../../../src/devices/wasm/relaxed-simd.ts';
import { fmaOperation } from '../../../../src/ir/interpreter/arithmetic.ts';
import { f32, f64 } from '../../../../src/ir/types.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm, wasmWithFma } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

// Node 20 has relaxed SIMD behind a flag that later versions do not know.
if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');

const kernelOf = (type: string): string => `
kernel void test(global const ${type} *a, global const ${type} *b, global const ${type} *c, global ${type} *out) {
  size_t i = get_global_id(0);
  out[i] = fma(a[i], b[i], c[i]);
}`;

/** The instructions that compute a fused product. */
function used(type: string, lanes: 4 | undefined, hasFma: boolean): string[] {
  const module = compileForTest(kernelOf(type));
  optimise(module, { target: hasFma ? wasmWithFma : wasm, vectorise: lanes ? { lanes } : false });
  const text = listModule(compileModule(module, { shared: false, hasFma }).bytes);
  return [...new Set(text.match(/\w+\.relaxed_\w+|call \S+/g))];
}

describe('the instruction', () => {
  it.each(['float', 'double'])('is used for vectors and single items of %s', (type) => {
    const name = type === 'float' ? 'f32x4.relaxed_madd' : 'f64x2.relaxed_madd';
    for (const lanes of [4, undefined] as const) {
      expect(used(type, lanes, true)).toEqual([name]);
      expect(used(type, lanes, false).join()).not.toContain('relaxed');
    }
  });
});

/** Numbers of all sizes: any bits, small whole numbers whose sums cancel, subnormals, infinities. */
function numbers(count: number, seed: number, bits: 32 | 64): Float32Array | Float64Array {
  const random = createRandom(seed);
  const words = new Uint32Array((count * bits) / 32);
  for (let at = 0; at < words.length; at += 1) words[at] = random.below(2 ** 32);
  const array = bits === 32 ? new Float32Array(words.buffer) : new Float64Array(words.buffer);
  const { tiny, special } = {
    tiny: bits === 32 ? 2 ** -149 : 2 ** -1074,
    special: [0, -0, Number.POSITIVE_INFINITY, Number.NaN, 1, -1],
  };
  for (let at = 0; at < count; at += 1) {
    const kind = random.below(6);
    if (kind === 0) array[at] = special[random.below(special.length)]!;
    else if (kind === 1) array[at] = (random.below(2 ** 20) - 2 ** 19) * tiny;
    else if (kind <= 3) array[at] = (random.below(2 ** 24) - 2 ** 23) * 2 ** -random.below(30);
  }
  return array;
}

describe.skipIf(!roundsProductsOnce())('the result (needs a processor with FMA)', () => {
  it.each([
    { type: 'float', bits: 32, lanes: undefined },
    { type: 'float', bits: 32, lanes: 8 },
    { type: 'double', bits: 64, lanes: undefined },
    { type: 'double', bits: 64, lanes: 4 },
  ] as const)('of $type, lanes: $lanes', ({ type, bits, lanes }) => {
    const count = 16384;
    const [a, b, c] = [1, 2, 3].map((seed) => numbers(count, seed, bits)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    // Half of the sums cancel, but for what the product loses when it is rounded.
    for (let i = 0; i < count; i += 2) c[i] = -(a[i]! * b[i]!);
    const out = bits === 32 ? new Float32Array(count) : new Float64Array(count);
    const run = wasmRunner(compileForTest(kernelOf(type)), { hasFma: true, ...(lanes ? { lanes } : {}) });
    run('test', { global: [count], local: [64] }, [a, b, c, out].map(buffer));
    const expected = fmaOperation(bits === 32 ? f32 : f64) as (...operands: number[]) => number;
    const wrong = [...out.keys()].filter((i) => !Object.is(out[i], expected(a[i]!, b[i]!, c[i]!)));
    expect(wrong.map((i) => [a[i], b[i], c[i], out[i]])).toEqual([]);
  });
});
