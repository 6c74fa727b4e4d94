/** Products and sums in one instruction of relaxed SIMD: where that may be, and what comes out. */
import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { fusesProducts } from '../../../../src/devices/wasm/relaxed-simd.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, value, wasmRunner } from '../../../support/run-kernel.ts';

// Node 20 has it behind a flag; the command switches it on so too.
// Later versions have it without a flag, and do not know the flag.
if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');

function kernelOf(body: string, type = 'float'): string {
  return `kernel void test(global const ${type} *p, global ${type} *out, ${type} k) {
    size_t i = get_global_id(0);
    ${type} a = p[2 * i], b = p[2 * i + 1];
    ${body}
  }`;
}

/** The relaxed instructions of a kernel, four work-items at once. */
function relaxed(source: string, fuses = true): string[] {
  const module = compileForTest(source);
  optimise(module, { target: wasm, vectorise: { lanes: 4 } });
  const text = listModule(compileModule(module, { shared: false, fuses }).bytes);
  return [...text.matchAll(/\w+\.relaxed_\w+/g)].map(([name]) => name);
}

describe('what is fused', () => {
  it.each([
    ['a product and a sum', 'out[i] = a * b + k;', ['f32x4.relaxed_madd']],
    ['the other way round', 'out[i] = k + a * b;', ['f32x4.relaxed_madd']],
    ['a product that is subtracted', 'out[i] = k - a * b;', ['f32x4.relaxed_nmadd']],
    ['mad', 'out[i] = mad(a, b, k);', ['f32x4.relaxed_madd']],
    ['a sum of two products', 'out[i] = a * k + b * b;', ['f32x4.relaxed_madd']],
    ['a dot product', 'out[i] = dot((float2)(a, b), (float2)(b, k));', ['f32x4.relaxed_madd']],
    ['what is subtracted from a product', 'out[i] = a * b - k;', []],
    ['a product with other uses', 'float c = a * b; out[i] = (c + k) * c;', []],
    [
      'a product from before a loop',
      'float c = a * b; for (int j = 0; j < 1000; j++) k += c; out[i] = k;',
      [],
    ],
    ['fma, which rounds once', 'out[i] = fma(a, b, k);', []],
    ['what the pragma forbids', '{\n#pragma OPENCL FP_CONTRACT OFF\n out[i] = a * b + k; }', []],
  ])('%s', (_, body, expected) => {
    expect(relaxed(kernelOf(body))).toEqual(expected);
    expect(relaxed(kernelOf(body), false)).toEqual([]);
  });

  it('doubles too, two a vector', () => {
    const text = kernelOf('out[i] = a * b + k;', 'double');
    expect(relaxed(text)).toEqual(['f64x2.relaxed_madd', 'f64x2.relaxed_madd']);
  });
});

describe('what comes out', () => {
  const count = 64;
  const products = Float64Array.from({ length: 2 * count }, (_, at) => Math.fround(1 + (at * 37 + 1) / 4099));
  const k = Math.fround(-1.2345678);

  /** What one rounding gives; doubles hold the product of two floats exactly, and here the sum too. */
  function expectBoth(body: string, once: (a: number, b: number) => number, twice: typeof once): void {
    const run = wasmRunner(compileForTest(kernelOf(body)), { lanes: 8, fuses: true });
    const input = Float32Array.from(products);
    const out = new Float32Array(count);
    run('test', { global: [count], local: [32] }, [buffer(input), buffer(out), value.float(k)]);
    out.forEach((result, i) => {
      const [a, b] = [input[2 * i]!, input[2 * i + 1]!];
      expect([Math.fround(once(a, b)), Math.fround(twice(a, b))]).toContain(result);
    });
  }

  it('is rounded once or twice', () => {
    const { fround } = Math;
    expectBoth(
      'out[i] = a * b + k;',
      (a, b) => a * b + k,
      (a, b) => fround(a * b) + k,
    );
    expectBoth(
      'out[i] = k - a * b;',
      (a, b) => k - a * b,
      (a, b) => k - fround(a * b),
    );
  });
});

describe('MILLRACE_FUSE', () => {
  it('turns it off', () => {
    const before = process.env['MILLRACE_FUSE'];
    process.env['MILLRACE_FUSE'] = '0';
    expect(fusesProducts()).toBe(false);
    delete process.env['MILLRACE_FUSE'];
    expect(fusesProducts()).toBe(true);
    if (before !== undefined) process.env['MILLRACE_FUSE'] = before;
  });
});
