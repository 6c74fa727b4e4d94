/**
 * What the language means, by the tests of test/opencl, but with every program written as OpenCL C and compiled
 * again before it runs: as it was lowered, and after the scalar passes.
 */
import { vi } from 'vitest';
import type * as RunKernel from '../../support/run-kernel.ts';

vi.mock('../../support/run-kernel.ts', async (importOriginal) => {
  const original = await importOriginal<typeof RunKernel>();
  const { roundTrip } = await import('./round-trip.ts');
  return {
    ...original,
    compileForTest: (source: string, buildOptions?: string) =>
      roundTrip(roundTrip(original.compileForTest(source, buildOptions), false), true),
  };
});

await import('../../opencl/language.test.ts');
