/** What enqueue_kernel is given, wherever in device memory it lies. */
import { expect, it } from 'vitest';
import type { KernelCode } from '../../../src/codegen/wasm/module/abi.ts';
import { DeviceView } from '../../../src/devices/wasm/nested/memory-view.ts';
import { readRequest } from '../../../src/devices/wasm/nested/read-request.ts';
import { rangeFields } from '../../../src/ir/device-queues.ts';

const code: KernelCode = {
  name: 'block',
  title: 'block',
  exportName: 'block',
  parameters: [
    { kind: 'value', offset: 0, size: 8, align: 4 },
    { kind: 'local', offset: 8, size: 4, align: 4 },
  ],
  argumentBytes: 12,
  fixedBytes: 0,
  localBytes: 0,
  privateBytes: 0,
  perItemBytes: 0,
  usesPrintf: false,
  usesBarrier: false,
  rows: 1,
  lanes: 1,
  joinsGroups: false,
  groupsTogether: 1,
  mayWait: false,
  attributes: {},
};

it.each([0x1000, 0x7fff_fff0, 0x8000_1000])('is read at address %i', (address) => {
  // The pages that nobody touches take no memory.
  const memory = new WebAssembly.Memory({ initial: 0x8002, maximum: 0x8002 });
  const view = new DataView(memory.buffer, address);
  const fields = rangeFields(4);
  view.setInt32(0, 2, true);
  [5, 6].forEach((offset, axis) => {
    view.setInt32(fields.offset + 4 * axis, offset, true);
  });
  [64, 32].forEach((size, axis) => {
    view.setInt32(fields.global + 4 * axis, size, true);
  });
  [8, 4].forEach((size, axis) => {
    view.setInt32(fields.local + 4 * axis, size, true);
  });
  const [captures, sizes] = [fields.size, fields.size + 8];
  view.setInt32(captures, 11, true);
  view.setInt32(captures + 4, 12, true);
  view.setInt32(sizes, 100, true);
  const nested = { code, maxWorkGroupSize: 256 };
  // As WebAssembly gives it: a number with sign.
  const at = (offset: number): number => (address + offset) | 0;
  expect(readRequest(new DeviceView(memory), nested, at(0), at(captures), at(sizes), 1)).toEqual({
    dimensions: 2,
    offset: [5, 6, 0],
    global: [64, 32, 1],
    local: [8, 4, 1],
    arguments: [
      { kind: 'value', bytes: Uint8Array.of(11, 0, 0, 0, 12, 0, 0, 0) },
      { kind: 'local', bytes: 100 },
    ],
  });
});
