/** Loops of machines that run work-items themselves: which do four iterations at once, and that they leave the same. */
import { expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimiseForShaders } from '../../src/passes/scalar/shader-passes.ts';
import { wgsl } from '../../src/target/wgsl.ts';
import { buffer, compileForTest, runOnInterpreter, value } from '../support/run-kernel.ts';

const kernel = (body: string): string => `
kernel void test(global const int *from, global const int *to, global const uint *a, global uint *b, local uint *shared) {
  int id = get_global_id(0);
  int first = from[id], end = to[id];
  uint s = 1;
  ${body}
  b[id] = s;
}`;

function optimised(source: string): ir.Module {
  const module = compileForTest(source);
  optimiseForShaders(module, { target: wgsl, verify: assertValid });
  return module;
}

/** The loads of each loop of the kernel, inner loops' not counted. */
function loadsOfLoops(source: string): number[] {
  const loads: number[] = [];
  const count = ({ instructions }: ir.Region): number =>
    instructions.reduce(
      (sum, { op, regions }) =>
        sum +
        (op === 'load' ? 1 : 0) +
        (op === 'loop' ? 0 : regions.reduce((inner, one) => inner + count(one), 0)),
      0,
    );
  walkFunction(optimised(source).functions[0]!, ({ op, regions }) => {
    if (op === 'loop') loads.push(count(regions[0]!));
  });
  return loads;
}

const sum = 'for (int i = first; i < end; i++) s = 3 * s + a[i];';

it.each([
  ['a sum', sum, [4, 1]],
  ['unsigned counters with larger steps', sum.replace('int i', 'uint i').replace('i++', 'i += 3'), [4, 1]],
  ['a condition within', 'for (int i = first; i < end; i++) if (a[i] & 1) b[64 + i] = a[i + 1];', [8, 2]],
  ['another way out', 'for (int i = first; i < end; i++) { s += a[i]; if (s > 40) break; }', [1]],
  ['a loop inside', 'for (int i = first; i < end; i++) for (uint k = 0; k < a[i]; k++) s ^= k;', [1, 0]],
  ['a bound that is loaded anew', 'for (int i = first; i < (int)a[i]; i++) s = 3 * s + i;', [1]],
  ['what the programmer does not want', `#pragma unroll 1\n${sum}`, [1]],
  ['nothing that is loaded', 'for (int i = first; i < end; i++) s = 3 * s + i;', [0]],
  [
    'a barrier',
    'for (int i = 0; i < (int)get_num_groups(0); i++) { shared[id] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); s += shared[id ^ 1]; }',
    [2],
  ],
  ['an atomic operation', 'for (int i = first; i < end; i++) atomic_add(b + 64, a[i]);', [1]],
])('asked about %s', (_, body, expected) => {
  expect(loadsOfLoops(kernel(body))).toEqual(expected);
});

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
    'a counter that goes below zero and up',
    'for (int i = first - 20; i < end - 20; i++) s = 3 * s + a[i + 20];',
    step(1),
  ],
  [
    'what the last iterations wrote',
    'for (int i = first; i < end; i++) { b[64 + id] += a[i]; } s = 1 + b[64 + id];',
    (first, end, a) => a.subarray(first, Math.max(first, end)).reduce((x, y) => (x + y) >>> 0, 1),
  ],
  [
    'conditions within',
    'for (int i = first; i < end; i++) if (a[i] & 2) { s += a[i]; } else { b[64 + id] = i; s ^= a[i + 1]; }',
    (first, end, a) => {
      let s = 1;
      for (let i = first; i < end; i += 1) s = (a[i]! & 2 ? s + a[i]! : s ^ a[i + 1]!) >>> 0;
      return s;
    },
  ],
];

it.each(loops)('%s is right for all lengths', (_, body, reference) => {
  const lengths = [...Array.from({ length: 15 }, (_, at) => at - 2), 37];
  const from = Int32Array.from(lengths, (_, at) => 2 + ((at * 5) % 17));
  const to = Int32Array.from(lengths, (length, at) => from[at]! + length);
  const a = Uint32Array.from({ length: 80 }, (_, at) => Math.imul(at + 1, 0x9e3779b1));
  const b = new Uint32Array(96);
  const args = [buffer(from), buffer(to), buffer(a), buffer(b), { local: 64 }];
  runOnInterpreter(optimised(kernel(body)), 'test', { global: [16], local: [16] }, args);
  expect([...b.subarray(0, 16)]).toEqual(lengths.map((_, at) => reference(from[at]!, to[at]!, a)));
});

it.each([
  ['unsigned', 'uint', -7, -1, 6],
  ['unsigned, over the middle', 'uint', 0x7ffffffd, -0x7ffffffe, 5],
  ['signed', 'int', 0x7ffffff8, 0x7fffffff, 7],
])('stops where %s counters end', (_, type, first, end, iterations) => {
  const source = `kernel void test(${type} first, ${type} end, global const uint *a, global uint *b) {
    uint s = 1;
    for (${type} i = first; i < end; i++) s = 3 * s + a[i - first];
    b[0] = s;
  }`;
  const [a, b] = [Uint32Array.from({ length: 8 }, (_, at) => at * at), new Uint32Array(1)];
  const args = [value.int(first), value.int(end), buffer(a), buffer(b)];
  runOnInterpreter(optimised(source), 'test', { global: [1], local: [1] }, args);
  let expected = 1;
  for (let k = 0; k < iterations; k += 1) expected = 3 * expected + k * k;
  expect(b[0]).toBe(expected);
});
