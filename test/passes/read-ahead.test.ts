/** Work-items that read ahead what their loops depend on: which do, how often they load, and that they leave the same. */
import { expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';

const kernel = (body: string, type = 'float', index = 'uint'): string => `
kernel void test(global const ${index} *starts, global const ${index} *columns, global const ${type} *values,
                 global const ${type} *x, global ${type} *y, int n) {
  ${index} row = get_global_id(0);
  ${body}
}`;

const loop = 'for (I at = starts[row]; at < starts[row + 1]; at++) sum += values[at] * x[columns[at]];';
const product = (type = 'float', index = 'uint'): string =>
  `${type} sum = 0; ${loop.replace('I', index)} y[row] = sum;`;
const guarded = (body: string): string => `if (row < n) { ${body} }`;

/** The region for several work-items, if there is one. */
function aheadIn(source: string): ir.Region | undefined {
  const module = compileForTest(source);
  optimise(module, { verify: assertValid, target: wasm });
  let found: ir.Region | undefined;
  walkFunction(module.functions[0]!, (one) => {
    if (one.op === 'work_item_loop' && one.lanes === 4) found = one.regions[1];
  });
  return found;
}

it.each([
  ['a row of a sparse matrix', product(), true],
  ['one under a guard', guarded(product()), true],
  [
    'a loop as long for all',
    product().replace('starts[row]', '0').replace('starts[row + 1]', '(uint)n'),
    false,
  ],
  ['a loop that stores', product().replace('sum +=', 'y[at] ='), false],
  ['a loop in a loop', `for (int i = 0; i < n; i++) { ${product()} }`, false],
  ['volatile loads', product().replace('x[columns', '((volatile global const float *)x)[columns'), false],
  ['atomics', `${product()} atomic_inc((volatile global int *)y);`, false],
])('asked about %s', (_, body, expected) => {
  expect(aheadIn(kernel(body)) !== undefined).toBe(expected);
});

it('loads five starts for four rows, before the first loop', () => {
  const ops: string[] = [];
  for (const { op } of aheadIn(kernel(product()))!.instructions) ops.push(op);
  expect(
    ops
      .slice(
        0,
        ops.findIndex((op) => op === 'if' || op === 'loop'),
      )
      .filter((op) => op === 'load'),
  ).toHaveLength(5);
  let loops = 0;
  walkRegion(aheadIn(kernel(product()))!, ({ op }) => {
    if (op === 'loop') loops += 1;
  });
  expect(loops).toBe(4);
});

/** Rows of 0 to 40 entries, some of them empty. */
const lengths = Array.from({ length: 103 }, (_, row) => (row % 9 === 4 ? 0 : (row * 17) % 41));
const starts = [0];
for (const length of lengths) starts.push(starts.at(-1)! + length);
const entries = starts.at(-1)!;
const columns = Array.from({ length: entries }, (_, at) => (at * 31) % lengths.length);
// Small whole numbers: sums are exact in any order and type.
const values = Array.from({ length: entries }, (_, at) => ((at * 7) % 13) - 6);
const x = Array.from(lengths, (_, at) => ((at * 5) % 11) - 5);

function rowSum(row: number): number {
  let sum = 0;
  for (let at = starts[row]!; at < starts[row + 1]!; at += 1) sum += values[at]! * x[columns[at]!]!;
  return sum;
}

const untouched = -99;

it.each([
  ['floats', 'float', 'uint', product(), 103],
  ['doubles, indices of size_t', 'double', 'size_t', product('double', 'size_t'), 103],
  ['signed indices', 'float', 'int', product('float', 'int'), 103],
  ['a guard that holds for all', 'float', 'int', guarded(product('float', 'int')), 103],
  ['a guard that leaves out some of four', 'double', 'int', guarded(product('double', 'int')), 89],
  ['a guard from below', 'float', 'int', `if (row >= n) return; ${product('float', 'int')}`, 46],
  ['a guard that comes and goes', 'float', 'int', `if ((row ^ n) & 1) { ${product('float', 'int')} }`, 0],
])('%s come out right', (name, type, index, body, n) => {
  const Values = type === 'float' ? Float32Array : Float64Array;
  const Index = index === 'int' ? Int32Array : Uint32Array;
  const y = new Values(lengths.length).fill(untouched);
  const source = kernel(body, type, index);
  expect(aheadIn(source)).toBeDefined();
  const launch = wasmRunner(compileForTest(source), { lanes: 'chosen' });
  const inputs = [Index.from(starts), Index.from(columns), Values.from(values), Values.from(x), y];
  launch('test', { global: [103], local: [103] }, [...inputs.map(buffer), value.int(n)]);
  const takesPart = (row: number): boolean => (name.includes('goes') ? (row & 1) === 1 : row < n);
  const expected = lengths.map((_, row) => (takesPart(row) ? rowSum(row) : untouched));
  expect([...y]).toEqual(expected);
});
