/** What several rows compute once for all of their vectors. That it changes no result thread-coarsening.test.ts sees to. */
import { expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { compileForTest } from '../support/run-kernel.ts';

/** How many products, say, are at the top of the form for two rows, and how many inside of its branches. */
function counts(body: string, fn: ir.BinaryFunction = 'imul'): [number, number] {
  const module = compileForTest(`
    kernel void k(global const float *in, global float *out, int n) {
      int x = get_global_id(0), y = get_global_id(1), at = y * n + x; ${body} }`);
  optimise(module, { target: wasm, vectorise: { lanes: 4, rows: 2 }, verify: assertValid });
  let region: ir.Region | undefined;
  walkFunction(module.functions[0]!, (instruction) => {
    if (instruction.op === 'work_item_loop') region = instruction.regions.at(-1)!;
  });
  const isCounted = (one: ir.Instruction): boolean => one.op === 'binary' && one.fn === fn;
  let all = 0;
  walkRegion(region!, (one) => {
    if (isCounted(one)) all += 1;
  });
  const top = region!.instructions.filter(isCounted).length;
  return [top, all - top];
}

const border = 'if (x == 0 || y == 0 || x == n - 1 || y == n - 1)';

it('leaves the branches of the border, once for all of them', () => {
  expect(counts(`${border} out[at] = in[at]; else out[at] = in[at - 1] + in[at - n] + in[at + n];`)).toEqual([
    2, 0,
  ]);
});

it('stays where it depends on the column, or might fail', () => {
  const [top, inside] = counts(`${border} out[at] = 1; else out[at] = in[x * n] + in[at + n];`);
  expect(top).toBe(2);
  expect(inside).toBeGreaterThan(0);
  const [first, guarded] = counts(
    `${border} out[at] = 1; else out[at] = in[at - n] + in[at] + y / n;`,
    'sdiv',
  );
  expect(first).toBe(0);
  expect(guarded).toBeGreaterThan(0);
});
