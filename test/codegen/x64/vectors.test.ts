/** Kernels of tests of vectors and of the code generator's loops, run in machine code. */
import { describe, expect, it } from 'vitest';
import { useKernelEngine } from '../../support/run-kernel.ts';
import { counts, fault, nativeKernelEngine } from './engine.ts';

describe.skipIf(fault)(`machine code for x86-64${fault ? ` (skipped: ${fault})` : ''}`, async () => {
  if (fault) return;
  useKernelEngine(nativeKernelEngine());
  await import('../wasm/vector/lane-constants.test.ts');
  await import('../wasm/vector/narrow-division.test.ts');
  await import('../wasm/vector/vector-products.test.ts');
  await import('../wasm/vector/bit-counts.test.ts');
  await import('../wasm/vector/vector-halves.test.ts');
  await import('../wasm/vector/constant-division.test.ts');
  await import('../wasm/vector/fused-operations.test.ts');
  await import('../wasm/vector/vector-division.test.ts');
  await import('../wasm/vector/fused-products.test.ts');
  await import('../wasm/vector/vector-shifts.test.ts');
  await import('../wasm/memory/deferred-addresses.test.ts');
  await import('../wasm/memory/combined-context-arrays.test.ts');
  await import('../wasm/memory/lane-stores.test.ts');
  await import('../wasm/memory/address-folding.test.ts');
  await import('../wasm/memory/masked-stores.test.ts');
  await import('../wasm/kernel/work-item-rows.test.ts');
  await import('../wasm/kernel/shared-tiles.test.ts');
  await import('../wasm/kernel/rotated-loops.test.ts');
  await import('../wasm/kernel/work-group-fusion.test.ts');
  await import('../wasm/kernel/work-group-swizzle.test.ts');
  it('has run as machine code', () => {
    expect(counts.runs).toBeGreaterThan(100);
  });
});
