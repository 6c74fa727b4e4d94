/** The tests of the WebAssembly code generator, run in machine code: what they expect does not come from either. */
import { describe, expect, it } from 'vitest';
import { useEngine } from '../wasm/harness.ts';
import { counts, fault, nativeEngine } from './engine.ts';

describe.skipIf(fault)(`machine code for x86-64${fault ? ` (skipped: ${fault})` : ''}`, async () => {
  if (fault) return;
  useEngine(nativeEngine());
  await import('../wasm/programs.test.ts');
  await import('../wasm/random-programs.test.ts');
  await import('../wasm/scalar/operations.test.ts');
  await import('../wasm/kernel/kernels.test.ts');
  it('has run as machine code', () => {
    expect(counts.runs).toBeGreaterThan(100);
  });
});
