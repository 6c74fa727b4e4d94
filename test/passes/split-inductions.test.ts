/** Pointers and counters that loops with barriers move: which are split, and that kernels with them leave the same. */
import { describe, expect, it } from 'vitest';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { splitInductions } from '../../src/passes/workgroup/split-inductions.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';
import { afterPass } from './run-stages.ts';

const loop = (step: string, barrier = 'barrier (local)'): string => `kernel @k(%p: ptr<global>, %n: i32) {
  %zero = constant 0 : i32
  %one = constant 1 : i32
  %two = constant 2 : i32
  %x = query local_id 0 : i32
  %bytes = shl %x, %two : i32
  %start = offset %p, %bytes : ptr<global>
  loop @l (%i: i32 = %zero, %q: ptr<global> = %start) {
    %more = slt %i, %n : bool
    if %more {
      yield
    } else {
      break @l
    }
    store %q, %i align=4
    ${barrier}
    %next = iadd %i, %one : i32
    %further = offset %q, ${step} : ptr<global>
    continue @l %next, %further
  }
  return
}`;

it('leaves the step to the group', () => {
  expect(afterPass(loop('%n'), splitInductions)).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %n: i32) {
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %two = constant 2 : i32
      %x = query local_id 0 : i32
      %bytes = shl %x, %two : i32
      %start = offset %p, %bytes : ptr<global>
      %0 = constant 0 : i32
      loop @L0 (%i: i32 = %zero, %q: i32 = %0) {
        %1 = offset %start, %q : ptr<global>
        %more = slt %i, %n : bool
        if %more {
          yield
        } else {
          break @L0
        }
        store %1, %i align=4
        barrier (local)
        %next = iadd %i, %one : i32
        %further = offset %1, %n : ptr<global>
        %2 = iadd %q, %n : i32
        continue @L0 %next, %2
      }
      return
    }
    "
  `);
});

describe('leaves alone', () => {
  it.each([
    ['loops without barriers', loop('%n', '')],
    ['steps that differ by work-item', loop('%bytes')],
    ['what begins alike for all', loop('%n').replace('offset %p, %bytes', 'offset %p, %two')],
  ])('%s', (_, text) => {
    const before = afterPass(text, () => {});
    expect(afterPass(text, splitInductions)).toBe(before);
  });
});

const kernel = (body: string): string => `
kernel void test(global const int *a, global int *b, int n, int pitch, local int *tile) {
  int x = get_local_id(0), id = get_global_id(0), s = 1;
  ${body}
  b[id] += s;
}`;

/** A work-item's sum, by its ids. */
type Reference = (id: number, x: number, a: Int32Array) => number;
const [n, pitch] = [5, 48];

const kernels: readonly [string, string, Reference][] = [
  [
    'a pointer that steps by an argument',
    `global const int *p = a + id;
     for (int k = 0; k < n; k++, p += pitch) { tile[x] = *p; barrier(1); s = 3 * s + tile[15 - x]; barrier(1); }`,
    (id, x, a) => {
      let s = 1;
      for (let k = 0; k < n; k += 1) s = (Math.imul(3, s) + a[id - x + 15 - x + k * pitch]!) | 0;
      return s;
    },
  ],
  [
    'one that steps back and is wanted behind the loop',
    `global const int *p = a + id + 4 * pitch;
     for (int k = 0; k < 4; k++, p -= pitch) { tile[x] = *p; barrier(1); s = 3 * s + tile[x ^ 1]; barrier(1); }
     s += *p;`,
    (id, _, a) => {
      let s = 1;
      for (let k = 4; k > 0; k -= 1) s = (Math.imul(3, s) + a[(id ^ 1) + k * pitch]!) | 0;
      return (s + a[id]!) | 0;
    },
  ],
  [
    'steps of several kinds, and a second way back',
    `int at = id;
     for (int k = 0; k < n; k++) {
       tile[x] = a[at]; barrier(1); at += 2 * pitch - 7;
       if (k == 2) { barrier(1); continue; }
       s = 3 * s + tile[15 - x]; barrier(1);
     }`,
    (id, x, a) => {
      let s = 1;
      for (let k = 0; k < n; k += 1) {
        if (k !== 2) s = (Math.imul(3, s) + a[id - x + 15 - x + k * (2 * pitch - 7)]!) | 0;
      }
      return s;
    },
  ],
];

it.each(kernels)('%s is right', (_, body, reference) => {
  const a = Int32Array.from({ length: 1024 }, (_, at) => Math.imul(at + 1, 0x9e3779b1));
  const launch = wasmRunner(compileForTest(kernel(body)), {});
  const b = new Int32Array(32);
  launch('test', { global: [32], local: [16] }, [
    buffer(a),
    buffer(b),
    value.int(n),
    value.int(pitch),
    { local: 64 },
  ]);
  expect([...b]).toEqual(Array.from(b, (_, id) => reference(id, id % 16, a)));
});

it('finds neighbours again behind barriers', () => {
  const module = compileForTest(kernel(kernels[0]![1]));
  optimise(module, { verify: assertValid, target: wasm });
  let gathers = 0;
  walkFunction(module.functions[0]!, ({ op }) => {
    if (op === 'gather') gathers += 1;
  });
  expect(gathers).toBe(0);
});
