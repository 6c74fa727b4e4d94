/** Kernels of tests of the language and its library, run in machine code. */
import { describe, expect, it } from 'vitest';
import { useKernelEngine } from '../../support/run-kernel.ts';
import { counts, fault, nativeKernelEngine } from './engine.ts';

describe.skipIf(fault)(`machine code for x86-64${fault ? ` (skipped: ${fault})` : ''}`, async () => {
  if (fault) return;
  useKernelEngine(nativeKernelEngine());
  await import('../../opencl/language.test.ts');
  await import('../../opencl/jumps.test.ts');
  await import('../../opencl/half.test.ts');
  await import('../../opencl/atomics.test.ts');
  await import('../../opencl/extensions.test.ts');
  await import('../../opencl/version-2/work-group-functions.test.ts');
  await import('../../opencl/half-memory.test.ts');
  await import('../../library/special-values.test.ts');
  await import('../../execution/barriers.test.ts');
  it('has run as machine code', () => {
    expect(counts.runs).toBeGreaterThan(100);
  });
});
