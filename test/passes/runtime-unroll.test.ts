/** Short loops of work-items that run one by one: which are written four times, and that they leave the same. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { withoutVectors } from '../../src/target/scalar.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';

const kernel = (body: string): string => `
kernel void test(global const int *from, global const int *to, global const uint *a, global uint *b) {
  int id = get_global_id(0);
  int first = from[id], end = to[id];
  uint s = 1;
  ${body}
  b[id] = s;
}`;

const sum = 'for (int i = first; i < end; i++) s = 3 * s + a[i];';

/** How many loads are in the loops of the kernel. */
function loadsIn(source: string): number {
  const module = compileForTest(source);
  optimise(module, { verify: assertValid });
  let loads = 0;
  const count = ({ instructions }: ir.Region, inLoop: boolean): void => {
    for (const { op, regions } of instructions) {
      if (op === 'load' && inLoop) loads += 1;
      for (const region of regions) count(region, inLoop || op === 'loop');
    }
  };
  walkFunction(module.functions[0]!, ({ op, regions }) => {
    if (op === 'work_item_loop') count(regions[0]!, false);
  });
  return loads;
}

it.each([
  ['a sum', sum, 4],
  ['unsigned counters', sum.replace('int i', 'uint i'), 4],
  ['signed counters with larger steps', sum.replace('i++', 'i += 3'), 4],
  ['unsigned counters with larger steps', sum.replace('int i', 'uint i').replace('i++', 'i += 3'), 1],
  ['another way out', 'for (int i = first; i < end; i++) { s += a[i]; if (s > 40) break; }', 1],
  ['a loop inside', 'for (int i = first; i < end; i++) for (uint k = 0; k < a[i]; k++) s ^= k;', 1],
  ['a bound that is loaded anew', 'for (int i = first; i < (int)a[i]; i++) s = 3 * s + i;', 1],
  ['what the programmer does not want', `#pragma unroll 1\n${sum}`, 1],
  ['nothing that is loaded', 'for (int i = first; i < end; i++) s = 3 * s + i;', 0],
])('asked about %s', (_, body, expected) => {
  expect(loadsIn(kernel(body))).toBe(expected);
});

/** What a work-item computes. */
type Reference = (first: number, end: number, a: Uint32Array) => number;

const step =
  (by: number): Reference =>
  (first, end, a) => {
    let s = 1;
    for (let i = first; i < end; i += by) s = (Math.imul(3, s) + a[i]!) >>> 0;
    return s;
  };

const loops: readonly [string, string, Reference][] = [
  ['a sum', sum, step(1)],
  ['larger steps', sum.replace('i++', 'i += 3'), step(3)],
  [
    'the counter, and a value from the iteration before',
    'uint old = 7; for (uint i = first; i < (uint)end; i++) { s += old * i; old = a[i]; } s ^= old;',
    (first, end, a) => {
      let [s, old] = [1, 7];
      for (let i = first; i < end; i += 1) {
        s = (s + Math.imul(old, i)) >>> 0;
        old = a[i]!;
      }
      return (s ^ old) >>> 0;
    },
  ],
  [
    'a counter that goes below zero and up',
    'for (int i = first - 20; i < end - 20; i++) s = 3 * s + a[i + 20];',
    step(1),
  ],
  [
    'places that do not go evenly with the counter',
    'for (int i = first; i < end; i++) s = 3 * s + a[i + (i & 3)];',
    (first, end, a) => {
      let s = 1;
      for (let i = first; i < end; i += 1) s = (Math.imul(3, s) + a[i + (i & 3)]!) >>> 0;
      return s;
    },
  ],
  [
    'what the last iterations wrote',
    'for (int i = first; i < end; i++) { b[64 + id] += a[i]; } s = 1 + b[64 + id];',
    (first, end, a) => a.subarray(first, Math.max(first, end)).reduce((x, y) => (x + y) >>> 0, 1),
  ],
];

it.each(loops)('%s is right for all lengths', (_, body, reference) => {
  // Lengths below zero, of every rest, and of several rounds; from starts that no length divides.
  const lengths = [...Array.from({ length: 15 }, (_, at) => at - 2), 37];
  const from = Int32Array.from(lengths, (_, at) => 2 + ((at * 5) % 17));
  const to = Int32Array.from(lengths, (length, at) => from[at]! + length);
  const a = Uint32Array.from({ length: 80 }, (_, at) => Math.imul(at + 1, 0x9e3779b1));
  const b = new Uint32Array(96);
  const launch = wasmRunner(compileForTest(kernel(body)));
  const range = { global: [16], local: [16] };
  launch('test', range, [buffer(from), buffer(to), buffer(a), buffer(b)]);
  const expected = lengths.map((_, at) => reference(from[at]!, to[at]!, a));
  expect([...b.subarray(0, 16)]).toEqual(expected);
});

it('stops where unsigned counters end', () => {
  const source = `kernel void test(uint first, uint end, global const uint *a, global uint *b) {
    uint s = 1;
    for (uint i = first; i < end; i++) s = 3 * s + a[i - first];
    b[0] = s;
  }`;
  const [a, b] = [Uint32Array.from({ length: 8 }, (_, at) => at * at), new Uint32Array(1)];
  const launch = wasmRunner(compileForTest(source));
  const args = [value.int(-7), value.int(-1), buffer(a), buffer(b)];
  launch('test', { global: [1], local: [1] }, args);
  let expected = 1;
  for (let k = 0; k < 6; k += 1) expected = 3 * expected + k * k;
  expect(b[0]).toBe(expected);
});

describe('sums of free order', () => {
  const product = `kernel void test(global const int *from, global const int *to, global const float *a, global const int *of,
      global float *b) {
    int id = get_global_id(0);
    float s = a[id];
    for (int i = from[id]; i < to[id]; i++) s += a[i] * a[of[i]];
    b[id] = s;
  }`;

  /** How many sums the unrolled loop carries. */
  function carriedSums(options: string): number {
    const module = compileForTest(product, options);
    optimise(module, { verify: assertValid, target: withoutVectors(wasm) });
    let most = 0;
    walkFunction(module.functions[0]!, (one) => {
      if (one.op !== 'loop') return;
      const floats = one.regions[0]!.parameters.filter(({ type }) => type.kind === 'float');
      most = Math.max(most, floats.length);
    });
    return most;
  }

  it('are as many sums as iterations are written out, and one otherwise', () => {
    expect(carriedSums('-cl-fast-relaxed-math')).toBe(4);
    expect(carriedSums('')).toBe(1);
  });

  it('are right for all lengths', () => {
    const lengths = [...Array.from({ length: 15 }, (_, at) => at - 2), 37];
    const from = Int32Array.from(lengths, (_, at) => 2 + ((at * 5) % 17));
    const to = Int32Array.from(lengths, (length, at) => from[at]! + length);
    // Small whole numbers: every order of the terms gives the same sum.
    const a = Float32Array.from({ length: 80 }, (_, at) => ((at * 29) % 31) - 15);
    const of = Int32Array.from({ length: 80 }, (_, at) => (at * 37) % 80);
    const b = new Float32Array(16);
    const launch = wasmRunner(compileForTest(product, '-cl-fast-relaxed-math'));
    launch('test', { global: [16], local: [16] }, [
      buffer(from),
      buffer(to),
      buffer(a),
      buffer(of),
      buffer(b),
    ]);
    const expected = lengths.map((_, at) => {
      let s = a[at]!;
      for (let i = from[at]!; i < to[at]!; i += 1) s += a[i]! * a[of[i]!]!;
      return s;
    });
    expect([...b]).toEqual(expected);
  });
});
