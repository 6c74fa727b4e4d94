/**
 * Loops that work-items of a vector leave at different iterations, and loops whose test moves to their end: what the last passes make of
 * them, and that they still count right, whoever leaves when.
 */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import type * as ir from '../../src/ir/ir.ts';
import { printModule } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';

const escaping = `
kernel void test(int limit, global const int *in, global int *out) {
  int i = get_global_id(0);
  float c = in[i] * 0.03125f - 1.5f, x = 0.0f;
  int count = 0;
  while (count < limit && x * x <= 4.0f) {
    x = x * x + c;
    count++;
  }
  out[i] = count;
}`;

/** The one loop of the vector region. */
function vectorLoop(source: string): ir.Loop {
  const module = compileForTest(source);
  optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes: 8 } });
  const loops: ir.Loop[] = [];
  walkFunction(module.functions[0]!, ({ op, regions }) => {
    if (op !== 'work_item_loop' || regions.length < 2) return;
    walkFunction({ ...module.functions[0]!, body: regions[1]! }, (inner) => {
      if (inner.op === 'loop') loops.push(inner);
    });
  });
  expect(loops, printModule(module)).toHaveLength(1);
  return loops[0]!;
}

describe('the loop of a point that escapes', () => {
  const { instructions } = vectorLoop(escaping).regions[0]!;
  const ops = instructions.map((one) => ('fn' in one ? String(one.fn) : one.op));

  it('neither spreads its counter nor the test of it', () => {
    expect(ops).not.toContain('splat');
    expect(ops).not.toContain('select');
    expect(ops.filter((op) => op === 'isub')).toHaveLength(1);
  });

  it('ends with its test', () => {
    expect(ops.indexOf('if')).toBe(ops.length - 2);
  });

  it('computes each step once', () => {
    expect(ops.filter((op) => op === 'fmul')).toHaveLength(1);
  });
});

/** Bodies that set `result`; `v` differs by work-item, `n` is the same for all. */
const bodies: Readonly<Record<string, string>> = {
  'a common limit': 'int c = 0; while (c < n && v > c * c) { c++; } result = c;',
  'a limit that comes second': 'int c = 0; while (v > c * c && c < n) { c++; } result = c;',
  'two common limits': 'int c = 0; while (c < n && c < 9 && v > c) c++; result = c;',
  'a common limit and a sum':
    'int c = 0, s = 0; while (c < n && s < v) { s += c; c++; } result = s * 100 + c;',
  'steps of three': 'int c = 1; while (c < n && v > c) c += 3; result = c;',
  'steps down': 'int c = n; while (c > 0 && v < c * 4) c -= 2; result = c;',
  'a counter of bytes': 'uchar c = 250; while (v > 5 * (c & 15)) c++; result = c;',
  'a counter of shorts': 'short c = 0; while (c < n && v > c) c += 5; result = c;',
  'a counter of longs': 'long c = -3; while (c < n && v > c) c += 2; result = (int)c;',
  'a counter from elsewhere': 'int c = 7; if (v & 1) while (v > c && c < n) c++; result = c;',
  'two that leave': 'int c = 0; for (;;) { if (v < c) break; c++; if (v == c * 3) break; } result = c;',
  'values of the last step':
    'int c = 0, p = v; while (p > 3 && c < n) { p = p * 3 / 4; c++; } result = p * 64 + c;',
  'a loop in a loop': `int s = 0; for (int a = 0; a < n && a * 5 < v; a++) {
      int c = 0; while (c < 6 && c + a < v) c++; s = s * 3 + c; } result = s;`,
  'what the test computes': 'int c = 0, q; while ((q = v - c * c) > 2 && c < n) c++; result = q * 16 + c;',
  'a jump back from the middle': `int c = 0, s = 0; while (c < n && s < v) {
      c++; if ((c ^ v) & 1) continue; s += 5; } result = s * 16 + c;`,
  never: 'int c = 3; while (v > 1000 && c < n) c++; result = c;',
};

describe('all work-items count right', () => {
  const count = 44;
  const input = Int32Array.from({ length: count }, (_, at) => (at * 29 + 11) % 67);

  it.each(Object.entries(bodies))('%s', (_, body) => {
    const module = compileForTest(`kernel void test(int n, global const int *in, global int *out) {
      int v = in[get_global_id(0)], result = -1;
      ${body}
      out[get_global_id(0)] = result;
    }`);
    const vectorised = ([2, 8, undefined] as const).map((lanes) =>
      wasmRunner(cloneModule(module), lanes ? { lanes } : {}),
    );
    for (const n of [0, 1, 12]) {
      const range = { global: [count], local: [22] };
      const run = (how: (args: Parameters<typeof runOnInterpreter>[3]) => void): Int32Array => {
        const out = new Int32Array(count);
        how([value.int(n), buffer(input), buffer(out)]);
        return out;
      };
      const expected = run((args) => runOnInterpreter(module, 'test', range, args));
      for (const runner of vectorised) {
        expect(
          run((args) => runner('test', range, args)),
          `n = ${n}`,
        ).toEqual(expected);
      }
    }
  });
});
