/** Memory at one place that loops read, or sum up in: when it becomes a value, and that the memory is left the same. */
import { expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { optimiseForShaders } from '../../src/passes/scalar/shader-passes.ts';
import { wgsl } from '../../src/target/wgsl.ts';
import { buffer, compileForTest, runOnInterpreter } from '../support/run-kernel.ts';

const kernel = (body: string, parameters = ''): string => `
kernel void test(global const int *counts, global uint *a, global uint *b, local uint *shared${parameters}) {
  int id = get_global_id(0);
  int n = counts[id];
  for (int i = 0; i < 8; i++) shared[8 * id + i] = 3 * id + i;
  ${body}
}`;

/** The kernel, whose loops stay loops of one iteration at a time. */
function optimised(source: string): ir.Module {
  const module = compileForTest(source.replaceAll('for (', '_Pragma("unroll 1") for ('));
  optimiseForShaders(module, { target: wgsl, verify: assertValid });
  return module;
}

/** How many loads and stores of global memory are in loops. */
function accessesInLoops(source: string): string {
  const seen = new Set<ir.Instruction>();
  walkFunction(optimised(source).functions[0]!, (loop) => {
    if (loop.op === 'loop') walkRegion(loop.regions[0]!, (inner) => seen.add(inner));
  });
  const isGlobal = ({ operands }: ir.Instruction): boolean => {
    const type = operands[0]?.type;
    return type?.kind === 'pointer' && type.space === 'global';
  };
  const count = (op: string): number => [...seen].filter((one) => one.op === op && isGlobal(one)).length;
  return `${count('load')} loads, ${count('store')} stores`;
}

it.each([
  ['a sum', 'for (int i = 0; i < n; i++) b[id] += shared[8 * id + i];', '0 loads, 0 stores'],
  [
    'a load behind the test',
    'uint s = 0; for (int i = 0; i < n; i++) s += b[id] * i; a[id] = s;',
    '0 loads, 0 stores',
  ],
  ['two neighbours', 'for (int i = 0; i < n; i++) { b[id] += i; b[id + 16] ^= i; }', '0 loads, 0 stores'],
  ['what may be the same', 'for (int i = 0; i < n; i++) { b[id] += a[i]; }', '2 loads, 1 stores'],
  ['a store of some iterations', 'for (int i = 0; i < n; i++) if (i & 1) b[id] += i;', '1 loads, 1 stores'],
  [
    'a load of some iterations',
    'for (int i = 0; i < n; i++) if (i & 1) shared[id] += b[id];',
    '1 loads, 0 stores',
  ],
  [
    'another way out',
    'for (int i = 0; i < n; i++) { b[id] += i; if (b[id] > 9) break; }',
    '1 loads, 1 stores',
  ],
  [
    'a barrier',
    'for (int i = 0; i < 4; i++) { b[id] += shared[id]; barrier(CLK_GLOBAL_MEM_FENCE); }',
    '1 loads, 1 stores',
  ],
  [
    'volatile memory',
    'volatile global uint *c = b; for (int i = 0; i < n; i++) c[id] += i;',
    '1 loads, 1 stores',
  ],
])('asked about %s', (_, body, expected) => {
  expect(accessesInLoops(kernel(body))).toBe(expected);
});

it('knows that restricted pointers do not meet', () => {
  const source = `kernel void test(global const uint *restrict a, global uint *restrict b, int n) {
    for (int i = 0; i < n; i++) b[get_global_id(0)] += a[i];
  }`;
  expect(accessesInLoops(source)).toBe('1 loads, 0 stores');
});

it.each<[string, string, (id: number, n: number, b: number[]) => void]>([
  [
    'sums',
    'for (int i = 0; i < n; i++) b[id] += shared[8 * id + i];',
    (id, n, b) => {
      for (let i = 0; i < n; i += 1) b[id]! += 3 * id + i;
    },
  ],
  [
    'the value before, in a condition',
    'for (int i = 0; i < n; i++) { if (b[id] & 1) shared[8 * id] = b[id]; b[id] = 3 * b[id] + shared[8 * id]; }',
    (id, n, b) => {
      let shared = 3 * id;
      for (let i = 0; i < n; i += 1) {
        if (b[id]! & 1) shared = b[id]!;
        b[id] = (3 * b[id]! + shared) >>> 0;
      }
    },
  ],
  [
    'a loop in a loop',
    'for (int k = 0; k < n; k++) for (int i = 0; i < k; i++) b[id] += i * k;',
    (id, n, b) => {
      for (let k = 0; k < n; k += 1) for (let i = 0; i < k; i += 1) b[id]! += i * k;
    },
  ],
  [
    'what a loop without an iteration computes before its test',
    `int i = 0; uint t;
    for (;;) { t = 3 * i + id; if (i >= n) break; b[id] += shared[8 * id + i]; i++; }
    b[id + 16] = t;`,
    (id, n, b) => {
      for (let i = 0; i < n; i += 1) b[id]! += 3 * id + i;
      b[id + 16] = 3 * Math.max(n, 0) + id;
    },
  ],
  [
    'several stores of one iteration',
    'for (int i = 0; i < n; i++) { b[id] = i; b[id] += 4; b[id] = b[id] * 2; }',
    (id, n, b) => {
      if (n > 0) b[id] = (n - 1 + 4) * 2;
    },
  ],
])('leaves %s as they were', (_, body, reference) => {
  const counts = Int32Array.from({ length: 8 }, (_, id) => id - 2);
  const b = Uint32Array.from({ length: 32 }, (_, at) => 7 * at + 1);
  const expected = [...b];
  for (let id = 0; id < 8; id += 1) reference(id, counts[id]!, expected);
  const args = [buffer(counts), buffer(new Uint32Array(32)), buffer(b), { local: 4 * 64 }];
  runOnInterpreter(optimised(kernel(body)), 'test', { global: [8], local: [8] }, args);
  expect([...b]).toEqual(expected);
});

it('reads nothing before a loop that writes first: it may be unwritten', () => {
  const source = kernel(`
    uint w[4];
    for (int i = 0; i < n; i++) { w[2] = i; w[3] = 2 * i; }
    if (n > 0) a[id] = w[2 + (id & 1)];`);
  const a = new Uint32Array(32);
  const args = [
    buffer(Int32Array.from({ length: 8 }, (_, id) => id)),
    buffer(a),
    buffer(new Uint32Array(32)),
    { local: 4 * 64 },
  ];
  runOnInterpreter(optimised(source), 'test', { global: [8], local: [8] }, args, {
    checkUninitialised: true,
  });
  expect([...a.subarray(0, 8)]).toEqual([0, 0, 1, 4, 3, 8, 5, 12]);
});
