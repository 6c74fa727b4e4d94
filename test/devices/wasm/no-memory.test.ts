// An engine that gives no memory for an array in the middle of a build; `npm run campaign -- memory` tries every one.
import { afterEach, expect, it } from 'vitest';
import { compileForWasm } from '../../../src/devices/wasm/compile-kernels.ts';
import { compileForTest } from '../../support/run-kernel.ts';

const Own = globalThis.Uint8Array;
afterEach(() => {
  globalThis.Uint8Array = Own;
});

it('is an error code of the build', () => {
  const module = compileForTest('kernel void k(global int *p) { p[get_global_id(0)] *= 3; }');
  let refused = 0;
  globalThis.Uint8Array = new Proxy(Own, {
    construct(target, values: unknown[], newTarget) {
      if (typeof values[0] === 'number' && values[0] >= 1024) {
        refused += 1;
        throw new RangeError('Array buffer allocation failed');
      }
      return Reflect.construct(target, values, newTarget);
    },
  });
  const build = () => compileForWasm(module, { shared: true, maximumPages: 100 }, '');
  expect(build).toThrow(expect.objectContaining({ name: 'CL_OUT_OF_HOST_MEMORY' }));
  expect(refused).toBe(1);
});
