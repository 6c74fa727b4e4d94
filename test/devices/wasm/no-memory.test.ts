// An engine that gives no memory for one array, in the middle of a build or for a context; `npm run campaign -- memory` tries every one.
import { expect, it } from 'vitest';
import { compileForWasm } from '../../../src/devices/wasm/compile-kernels.ts';
import { Context } from '../../../src/runtime/context.ts';
import { refuseArray } from '../../support/refused-arrays.ts';
import { compileForTest } from '../../support/run-kernel.ts';

const noMemory = expect.objectContaining({ name: 'CL_OUT_OF_HOST_MEMORY' });

it('is an error code of the build', () => {
  const module = compileForTest('kernel void k(global int *p) { p[get_global_id(0)] *= 3; }');
  const refused = refuseArray();
  const build = () => compileForWasm(module, { shared: true, maximumPages: 100 }, '');
  expect(build).toThrow(noMemory);
  expect(refused.isRefused).toBe(true);
});

// clCreateContext: CL_OUT_OF_HOST_MEMORY "if there is a failure to allocate resources required by the OpenCL implementation on the host".
it('is an error code of a context on one thread', () => {
  const refused = refuseArray();
  const create = () => new Context([], { shared: false });
  expect(create).toThrow(noMemory);
  expect(refused.isRefused).toBe(true);
  create().close();
});

it('is one of what such a context needs later', () => {
  const context = new Context([], { shared: false });
  const start = context.control.bytes.byteLength;
  const refused = refuseArray();
  const fill = () => {
    while (context.control.bytes.byteLength === start) context.control.allocate(4096);
  };
  expect(fill).toThrow(noMemory);
  expect(refused.isRefused).toBe(true);
  fill();
  context.close();
});
