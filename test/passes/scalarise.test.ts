/** Vectors that are split into what single lanes need: which are, in what order, and that the results stay. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

/** The instructions of the vector form, four lanes wide, of a kernel without barriers. */
function vectorised(source: string): ir.Instruction[] {
  const module = compileForTest(source);
  optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes: 4 } });
  const found: ir.Instruction[] = [];
  walkFunction(module.functions[0]!, (items) => {
    if (items.op === 'work_item_loop') walkRegion(items.regions[1]!, (one) => found.push(one));
  });
  return found;
}

/** Loads and atomics in order: `v` for loads of vectors, `s` for those of scalars, `a` for atomics, `x` for lanes taken out. */
function shape(source: string): string {
  return vectorised(source)
    .map(({ op, results }) => {
      if (op === 'load') return results[0]!.type.kind === 'vector' ? 'v' : 's';
      return op === 'atomic' ? 'a' : op === 'extract' ? 'x' : '';
    })
    .join('');
}

const kernel = (parameters: string, body: string): string =>
  `kernel void test(${parameters}, global int *bins) { int i = get_global_id(0); ${body} }`;

it.each([
  // Each byte is loaded where its bin is counted.
  ['bytes', kernel('global const uchar *restrict in', 'atomic_inc(&bins[in[i]]);'), 'sasasasa'],
  [
    'bytes of an argument that may be the bins',
    kernel('global const uchar *in', 'atomic_inc(&bins[in[i]]);'),
    'ssssaaaa',
  ],
  ['words', kernel('global const int *restrict in', 'atomic_inc(&bins[in[i]]);'), 'sasasasa'],
  [
    'what is stored as well',
    kernel('global int *restrict in, global int *restrict out', 'out[i] = in[i]; atomic_inc(&bins[in[i]]);'),
    'vxaxaxaxa',
  ],
  [
    'much that is computed',
    kernel(
      'global const int *restrict in',
      'int v = in[i]; v = (v ^ 9) * 5 - (v >> 3 | 1); atomic_inc(&bins[v * v & 15]);',
    ),
    'vxaxaxaxa',
  ],
])('asked about %s', (_, source, expected) => {
  expect(shape(source)).toBe(expected);
});

describe.each([
  ['bytes', 'atomic_inc(&bins[in[i]]);'],
  [
    'components',
    'atomic_add(&bins[((global const uchar2 *)in)[i / 2].y & 31], i); atomic_inc(&bins[in[i] & 7]);',
  ],
  // Work-item i changes what its neighbours read.
  ['a loop', 'for (int k = 0; k < 3; k++) atomic_add(&bins[(in[i + k] + k) & 63], in[i] >> 1);'],
])('counting %s', (_, body) => {
  const source = kernel('global const uchar *in', body);
  it('is right', () => {
    const input = Uint8Array.from({ length: 64 }, (_, at) => (at * 7919) % 251);
    const range = { global: [48], local: [24] };
    const [expected, found] = [new Int32Array(256), new Int32Array(256)];
    runOnInterpreter(compileForTest(source), 'test', range, [buffer(input), buffer(expected)]);
    wasmRunner(compileForTest(source), { lanes: 8 })('test', range, [buffer(input), buffer(found)]);
    expect([...found]).toEqual([...expected]);
  });
});
