/**
 * Arithmetic in half precision (cl_khr_fp16): every result compared with one worked out here in doubles, which hold
 * sums, products and quotients of halves well enough to round once; on the interpreter and as WebAssembly.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { halfToNumber, numberToHalf } from '../../conformance/support/half.ts';
import { Random } from '../support/random.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  wasmRunner,
} from '../support/run-kernel.ts';

const count = 4096;

/** Pairs of halves: special values with each other, and any bits. */
function operands(): [Uint16Array, Uint16Array, Uint16Array] {
  const random = new Random(2);
  const special = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0x4000, 0x4200,
    0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x6400, 0x6801, 0x1400, 0x5640,
  ];
  const any = () => random.below(65536);
  const lists = [0, 1, 2].map(() => new Uint16Array(count)) as [Uint16Array, Uint16Array, Uint16Array];
  for (let i = 0; i < count; i += 1) {
    const isSpecial = i < special.length ** 2;
    lists[0][i] = isSpecial ? special[i % special.length]! : any();
    lists[1][i] = isSpecial
      ? special[Math.floor(i / special.length)]!
      : random.next() < 0.5
        ? any()
        : lists[0][i]! + random.below(9) - 4;
    lists[2][i] = i % 3 === 0 ? random.pick(special) : any();
  }
  return lists;
}

const isNaNHalf = (bits: number): boolean => (bits & 0x7fff) > 0x7c00;

/** a * b + c rounded once: the product is exact in double, and what the sum loses goes into its last bit. */
function fused(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  if (!Number.isFinite(sum)) return sum;
  const back = sum - product;
  const error = product - (sum - back) + (c - back);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, sum);
  const bits = view.getBigUint64(0);
  if (error === 0 || (bits & 1n) === 1n) return sum;
  view.setBigUint64(0, error > 0 === sum > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}

function roundedAway(x: number): number {
  return Number.isFinite(x) ? Math.sign(x) * Math.floor(Math.abs(x) + 0.5) : x;
}

function even(x: number): number {
  if (!Number.isFinite(x)) return x;
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

const operations: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  'a + b': (a, b) => a + b,
  'a - b': (a, b) => a - b,
  'a * b': (a, b) => a * b,
  'a / b': (a, b) => a / b,
  '-a': (a) => -a,
  'fma(a, b, c)': fused,
  'sqrt(a)': (a) => Math.sqrt(a),
  'fabs(a)': (a) => Math.abs(a),
  'floor(a)': (a) => Math.floor(a),
  'ceil(a)': (a) => Math.ceil(a),
  'trunc(a)': (a) => Math.trunc(a),
  'rint(a)': even,
  'round(a)': roundedAway,
  'fmax(a, b)': (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  'fmin(a, b)': (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  'fdim(a, b)': (a, b) => (a <= b ? 0 : a - b),
  'fmod(a, b)': (a, b) => a % b,
  'copysign(a, b)': (a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)),
  'a < b ? a : c': (a, b, c) => (a < b ? a : c),
  '(half)isequal(a, b)': (a, b) => (a === b ? 1 : 0),
  '(half)isnormal(a)': (a) => (Number.isFinite(a) && Math.abs(a) >= 2 ** -14 ? 1 : 0),
  '(half)(a != b || !(c >= a))': (a, b, c) => (a !== b || !(c >= a) ? 1 : 0),
  'convert_half((float)a * (float)b)': (a, b) => a * b,
  'select(a, b, as_short(c))': (a, b, c) => (numberToHalf(c) !== 0 ? b : a),
};

/** The value is the same half; NaNs are one, and so are zeros where fmin and fmax may choose. */
function differs(expression: string, got: number, want: number): boolean {
  if (isNaNHalf(got) && isNaNHalf(want)) return false;
  if (/fm(ax|in)|round|rint|fmod|ceil|floor|trunc/.test(expression) && ((got | want) & 0x7fff) === 0)
    return false;
  return got !== want;
}

describe('half arithmetic', () => {
  const [a, b, c] = operands();
  const expressions = Object.entries(operations);
  const lines = expressions.map(([text], index) => `  out[i + ${index * count}] = ${text};`);
  const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void scalar(global const half *as, global const half *bs, global const half *cs, global half *out) {
  int i = get_global_id(0);
  half a = as[i], b = bs[i], c = cs[i];
${lines.join('\n')}
}
kernel void vectors(global const half *as, global const half *bs, global const half *cs, global half *out) {
  int i = get_global_id(0);
  half4 a = vload4(i, as), b = vload4(i, bs), c = vload4(i, cs);
  vstore4(a * b + c, i, out);
  vstore4(-a * sqrt(b) / c.wzyx, i + ${count / 4}, out);
  vstore4(select(a, b, a < c) - 1.5h, i + ${count / 2}, out);
  vstore4(convert_half4(convert_int4_sat(a)) + convert_half4_rtz(convert_float4(b) * 1.0009765f), i + ${(count * 3) / 4}, out);
}`;
  const results = new Map<string, Uint16Array>();

  beforeAll(() => {
    const run = (
      launch: (kernel: string, range: { global: number[]; local: number[] }, args: TestArgument[]) => void,
      kernel: string,
      size: number,
      outputs: number,
    ) => {
      const out = new Uint16Array(outputs);
      const args = [a.slice(), b.slice(), c.slice(), out].map(buffer);
      launch(kernel, { global: [size], local: [64] }, args);
      return out;
    };
    const module = compileForTest(source);
    const interpreted: typeof wasm = (kernel, sizes, args) => runOnInterpreter(module, kernel, sizes, args);
    const wasm = wasmRunner(compileForTest(source));
    const plain = wasmRunner(compileForTest(source), { disabled: true });
    for (const [name, launch] of Object.entries({ interpreter: interpreted, wasm, plain })) {
      results.set(name, run(launch, 'scalar', count, count * expressions.length));
      results.set(`${name} vectors`, run(launch, 'vectors', count / 4, count * 4));
    }
  });

  it.each(['interpreter', 'wasm', 'plain'])('of scalars is rounded once: %s', (name) => {
    const out = results.get(name)!;
    const wrong: string[] = [];
    expressions.forEach(([text, reference], index) => {
      for (let i = 0; i < count && wrong.length < 20; i += 1) {
        const values = [a[i]!, b[i]!, c[i]!].map(halfToNumber) as [number, number, number];
        const want = numberToHalf(reference(...values));
        const got = out[i + index * count]!;
        // The sign of a NaN is not kept.
        if (text.startsWith('copysign') && Number.isNaN(values[1])) continue;
        if (differs(text, got, want))
          wrong.push(`${text} of ${values}: ${got.toString(16)}, not ${want.toString(16)}`);
      }
    });
    expect(wrong).toEqual([]);
  });

  it.each(['interpreter', 'wasm', 'plain'])('of vectors is that of their lanes: %s', (name) => {
    const out = results.get(`${name} vectors`)!;
    const wrong: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const [x, y, z] = [a[i]!, b[i]!, c[i]!].map(halfToNumber) as [number, number, number];
      const product = halfToNumber(numberToHalf(x * y));
      const got = out[i]!;
      // FP_CONTRACT is on: the sum may be fused with the product.
      const allowed = [numberToHalf(product + z), numberToHalf(fused(x, y, z))];
      if (allowed.every((want) => differs('', got, want))) {
        wrong.push(`${[x, y, z]}: ${got.toString(16)}, not ${allowed[0]!.toString(16)}`);
      }
    }
    expect(wrong).toEqual([]);
    // What is left is compared with the interpreter, lane by lane.
    const other = results.get('interpreter vectors')!;
    for (let i = count; i < other.length; i += 1) {
      if (differs('', out[i]!, other[i]!)) expect(`${i}: ${out[i]}`).toBe(`${i}: ${other[i]}`);
    }
  });
});
