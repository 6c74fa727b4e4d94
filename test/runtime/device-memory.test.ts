import { expect, it } from 'vitest';
import { DeviceMemory } from '../../src/runtime/device-memory.ts';

it('places large arrays of whole pages half a page apart, where it has room', () => {
  const memory = new DeviceMemory(true);
  const starts = [1 << 20, 1 << 16, 20 << 20, 1 << 15].map((bytes) => memory.allocate(bytes));
  for (let at = 1; at < starts.length; at += 1) {
    expect((starts[at]! - starts[at - 1]!) % 4096).toBe(2048);
  }
  const { used } = memory;
  const small = [memory.allocate(4096), memory.allocate(100), memory.allocate(128)];
  expect(small.map((start) => start - small[0]!)).toEqual([0, 4096, 4224]);
  for (const start of small) memory.free(start);
  expect(memory.used).toBe(used);
});

it('does without the gap rather than without the array', () => {
  // As much as there is: a page at each end is nobody's.
  const memory = new DeviceMemory(true);
  const bytes = memory.maximumPages * 65536 - 4096;
  const start = memory.allocate(bytes);
  memory.free(start);
  expect(start).toBe(1024);
});
