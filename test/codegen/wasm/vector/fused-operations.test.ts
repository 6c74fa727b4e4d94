/** Minima, maxima and choices of zero on vectors: what they become, and that NaNs, zeros and infinities come out right. */
import { describe, expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../../../support/run-kernel.ts';

const values = [
  0,
  -0,
  1,
  -1,
  2.5,
  -2.5,
  1e-42,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];
const side = values.length;
const count = side * side;

function kernelOf(expression: string, type: string): string {
  return `kernel void test(global const ${type} *p, global ${type} *out) {
    size_t i = get_global_id(0);
    ${type} a = p[i], b = p[i + ${count}];
    out[i] = ${expression};
  }`;
}

/** The vector instructions that decide between values, four work-items at once. */
function choices(source: string): string[] {
  const module = compileForTest(source);
  optimise(module, { target: wasm, vectorise: { lanes: 4 } });
  const text = listModule(compileModule(module, { shared: false }).bytes);
  const wanted = /\w+\.(?:pmin|pmax|min_[su]|max_[su]|bitselect|and|andnot|[lg][te](?:_[su])?)\b/g;
  return [...text.matchAll(wanted)].map(([name]) => name).filter((name) => /x|v128/.test(name));
}

/** Whether vectors and single work-items compute what the interpreter does; fmin and fmax may give either of two zeros. */
function expectSame(source: string, input: Float32Array | Int32Array): void {
  const module = compileForTest(source);
  const make = (): Float32Array | Int32Array =>
    input instanceof Float32Array ? new Float32Array(count) : new Int32Array(count);
  const expected = make();
  const range = { global: [count], local: [20] };
  runOnInterpreter(module, 'test', range, [buffer(input), buffer(expected)]);
  for (const options of [{ lanes: 4 }, { lanes: 8 }, {}] as const) {
    const found = make();
    wasmRunner(cloneModule(module), options)('test', range, [buffer(input), buffer(found)]);
    expected.forEach((one, at) => {
      const isSame =
        Object.is(found[at], one) || (one === 0 && found[at] === 0 && /\bfm(in|ax)\b/.test(source));
      expect(isSame, `${at}: ${found[at]} for ${one}`).toBe(true);
    });
  }
}

describe('floats', () => {
  it.each([
    ['a < b ? a : b', ['f32x4.pmin']],
    ['a < b ? b : a', ['f32x4.pmax']],
    ['a > b ? a : b', ['f32x4.pmax']],
    ['a > b ? b : a', ['f32x4.pmin']],
    ['a > 1.0f ? 1.0f : a', ['f32x4.pmin']],
    ['a > 1.0f ? a : 1.0f', ['f32x4.pmax']],
    ['fmin(a, 1.0f)', ['f32x4.pmin']],
    ['fmax(-2.5f, a)', ['f32x4.pmax']],
    ['fmin(0.0f, a)', ['f32x4.pmin']],
    ['fmax(a, 0.0f)', ['f32x4.pmax']],
    ['fmax(a, b)', ['f32x4.pmax', 'v128.bitselect']],
    ['a < b ? a : 0.0f', ['f32x4.lt', 'v128.and']],
    ['a < b ? 0.0f : a', ['f32x4.lt', 'v128.andnot']],
    ['a < b ? a : -0.0f', ['f32x4.lt', 'v128.bitselect']],
    ['a <= b ? a : b', ['f32x4.le', 'v128.bitselect']],
  ])('%s', (expression, expected) => {
    const source = kernelOf(expression, 'float');
    expect(choices(source)).toEqual(expected);
    const input = new Float32Array(2 * count);
    for (let at = 0; at < count; at += 1) {
      input[at] = values[at % side]!;
      input[count + at] = values[Math.floor(at / side)]!;
    }
    expectSame(source, input);
  });
});

describe('integers', () => {
  it.each([
    ['a < b ? a : b', ['i32x4.min_s']],
    ['b <= a ? a : b', ['i32x4.max_s']],
    ['a > 7 ? 7 : a', ['i32x4.min_s']],
    ['(int)((uint)a < (uint)b ? (uint)b : (uint)a)', ['i32x4.max_u']],
    ['a > b ? a : 0', ['i32x4.gt_s', 'v128.and']],
    ['a > b ? -1 : 0', ['i32x4.gt_s']],
    ['a > b ? 0 : b', ['i32x4.gt_s', 'v128.andnot']],
    ['a & ~b', ['v128.andnot']],
    ['~a & b', ['v128.andnot']],
    ['(a & b) | (~a & 77)', ['v128.and', 'v128.andnot']],
    ['~a & ~b', ['v128.andnot']],
  ])('%s', (expression, expected) => {
    const source = kernelOf(expression, 'int');
    expect(choices(source)).toEqual(expected);
    const whole = [0, 1, -1, 7, 8, -8, 0x7fffffff, -0x80000000, 100, -100];
    const input = new Int32Array(2 * count);
    for (let at = 0; at < count; at += 1) {
      input[at] = whole[at % side]!;
      input[count + at] = whole[Math.floor(at / side)]!;
    }
    expectSame(source, input);
  });
});
