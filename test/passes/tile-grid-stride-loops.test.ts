/** Loops whose steps are as long as the range: which are cut into strips, and that nothing else changes. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkRegion } from '../../src/ir/walk.ts';
import { tileGridStrideLoops } from '../../src/passes/ndrange/tile-grid-stride-loops.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { openclC } from '../../src/target/opencl-c.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';

const kernel = (body: string): string => `
kernel void test(int n, global const int *a, global int *b, local int *own) {
  int s = 1, id = get_global_id(0), x = get_local_id(0), y = get_local_id(1);
  ${body}
  b[get_global_id(1) * get_global_size(0) + id] += s;
}`;

const stride = 'i += get_global_size(0)';
const sum = `for (int i = get_global_id(0); i < n; ${stride}) s = 3 * s + a[i];`;

/** How many barriers the pass adds. */
function cuts(source: string): number {
  const module = compileForTest(source);
  optimise(module, { target: openclC });
  const count = (): number => {
    let found = 0;
    for (const { body } of module.functions) {
      if (body) walkRegion(body, (one: ir.Instruction) => (found += one.op === 'barrier' ? 1 : 0));
    }
    return found;
  };
  const before = count();
  tileGridStrideLoops(module.functions[0]!, 32, openclC.cache);
  assertValid(module, 'tile-grid-stride-loops');
  return count() - before;
}

it.each([
  ['a sum', sum, 1],
  ['unsigned ids', sum.replace('int i', 'size_t i'), 1],
  ['nothing that is kept', `for (uint i = id; i < (uint)n; ${stride}) b[a[i] & 63] = 2;`, 1],
  ['two loops', `${sum} ${sum}`, 2],
  ['a loop in a loop', `for (int k = 0; k < n; k++) { ${sum} }`, 1],
  ['steps as long as the group', sum.replace('global_size', 'local_size'), 0],
  ['steps along another dimension', sum.replace('size(0)', 'size(1)'), 0],
  ['a start of its own', sum.replace('i = get_global_id(0)', 'i = x'), 0],
  ['a bound of its own', sum.replace('< n', '< n + x'), 0],
  ['a guard around it', `if (x < 3) { ${sum} }`, 0],
  ['an early return', `if (x > 3) return; ${sum}`, 0],
  ['another way out', `for (int i = id; i < n; ${stride}) { s += a[i]; if (s > 40) break; }`, 0],
  ['a loop inside', `for (int i = id; i < n; ${stride}) for (int k = 0; k < a[i]; k++) s ^= a[i] + k;`, 0],
  ['loads from elsewhere', `for (int i = id; i < n; ${stride}) s += a[i * 32];`, 0],
  ['a second counter', `for (int i = id, k = id; i < n; ${stride}, k += 3) s += a[i] * k;`, 0],
])('asked about %s', (_, body, expected) => {
  expect(cuts(kernel(body))).toBe(expected);
});

describe.each([
  ['a sum', sum],
  ['unsigned ids', sum.replace('int i', 'uint i')],
  ['two loops', `${sum} ${sum.replace('3 *', '5 *')}`],
  ['a loop in a loop', `for (int k = 0; k < (n & 3); k++) { s += k; ${sum} }`],
  [
    'a histogram',
    `own[x] = 0; barrier(CLK_LOCAL_MEM_FENCE);
     for (uint i = id; i < (uint)n; ${stride}) atomic_add(&own[a[i] & 3], (int)i);
     barrier(CLK_LOCAL_MEM_FENCE); s = own[x];`,
  ],
])('%s', (_, body) => {
  const source = kernel(body);
  const range = { global: [24, 2], local: [12, 1], offset: [5, 0] };
  // Iterations of the whole range are 24 long: none, one strip that just fits or does not, and several with a rest.
  it.each([3, 208, 209, 220, 221, 700])('is right for %i', (n) => {
    const run = (launch: (args: Parameters<typeof runOnInterpreter>[3]) => void): number[] => {
      const a = Int32Array.from({ length: 800 }, (_, at) => (at * 7919) % 101);
      const b = new Int32Array(64);
      launch([value.int(n), buffer(a), buffer(b), { local: 64 }]);
      return [...b];
    };
    const expected = run((args) => runOnInterpreter(compileForTest(source), 'test', range, args));
    for (const how of [{}, { lanes: 4 as const }]) {
      const runner = wasmRunner(compileForTest(source), { ...how, verify: n === 700 });
      expect(run((args) => runner('test', range, args))).toEqual(expected);
    }
  });
});

it('is right where the last group is cut off', () => {
  const source = kernel(sum.replace('3 *', '5 *'));
  const range = { global: [22, 1], local: [12, 1], offset: [3, 0] };
  for (const n of [190, 191, 200, 201, 202, 640]) {
    const run = (launch: (args: Parameters<typeof runOnInterpreter>[3]) => void): number[] => {
      const a = Int32Array.from({ length: 800 }, (_, at) => (at * 7919) % 101);
      const b = new Int32Array(64);
      launch([value.int(n), buffer(a), buffer(b), { local: 64 }]);
      return [...b];
    };
    const compiled = () => compileForTest(source, '-cl-std=CL2.0');
    const expected = run((args) => runOnInterpreter(compiled(), 'test', range, args));
    expect(run((args) => wasmRunner(compiled(), { verify: false })('test', range, args))).toEqual(expected);
  }
});
