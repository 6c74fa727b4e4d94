/** Which kernels may wait for what other groups do meanwhile. */
import { expect, it } from 'vitest';
import { compileModule } from '../../src/codegen/wasm/compile-module.ts';
import { optimise } from '../../src/passes/optimise.ts';
import { compileForTest } from '../support/run-kernel.ts';

it.each([
  ['an atomic in a loop', 'while (atomic_add(flag, 0) < n) ;', true],
  ['a volatile load in a loop', 'while (*flag < n) ;', true],
  ['a fence in a loop', 'while (*plain < n) mem_fence(CLK_GLOBAL_MEM_FENCE);', true],
  ['a loop in a function', 'wait(flag, n);', true],
  ['an atomic', 'atomic_inc(flag);', false],
  ['atomics in local memory', 'for (int i = 0; i < n; i++) atomic_inc(&own[plain[i]]);', false],
  ['a loop', 'for (int i = 0; i < n; i++) plain[i] += n;', false],
])('asked about %s', (_, body, expected) => {
  const module = compileForTest(`
void wait(volatile global int *flag, int n) { while (atomic_or(flag, 0) != n) ; }
kernel void test(volatile global int *flag, global int *plain, int n, local int *own) { ${body} }`);
  optimise(module, { inlineLimit: 0 });
  const { kernels } = compileModule(module, { shared: true });
  expect(kernels[0]!.mayWait).toBe(expected);
});
