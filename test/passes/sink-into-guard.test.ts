/** What moves into a guard before vectorisation, and what must not. That it changes no result vectorise.test.ts sees to. */
import { expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { compileForTest } from '../support/run-kernel.ts';

/** How many loads are outside of all conditions, of those that one work-item does. */
function loadsOutside(body: string): number {
  const module = compileForTest(`
    kernel void k(global const float *in, global float *out, global int *flags, int n) {
      int i = get_global_id(0); ${body} }`);
  optimise(module, { target: wasm, vectorise: { lanes: 4 }, verify: assertValid });
  let found: ir.WorkItemLoop | undefined;
  walkFunction(module.functions[0]!, (instruction) => {
    if (instruction.op === 'work_item_loop') found = instruction;
  });
  return found!.regions[0]!.instructions.filter(({ op }) => op === 'load').length;
}

it('moves what only the inside of a guard uses, where mostly all pass', () => {
  expect(loadsOutside('float v = in[i] * in[i + 1]; if (i < n) out[i] = v;')).toBe(0);
  expect(loadsOutside('float v = in[i] * in[i + 1]; if ((i < n) & (i > 2)) out[i] = v;')).toBe(0);
});

it('leaves what others use, what came before a store, and what is guarded by data', () => {
  expect(loadsOutside('float v = in[i]; if (i < n && v > 0) out[i] = v;')).toBe(1);
  expect(loadsOutside('float v = in[i]; out[i + 64] = 1; if (i < n) out[i] = v;')).toBe(1);
  expect(loadsOutside('float v = in[i]; if (flags[i]) out[i] = v;')).toBe(2);
});
