import { expect, it } from 'vitest';
import { DeviceMemory } from '../../src/runtime/device-memory.ts';
import { MemoryPool } from '../../src/runtime/memory-pool.ts';

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
  // As much as there is: what lies before it, and a page at the end, is nobody's.
  const memory = new DeviceMemory(true);
  const bytes = memory.maximumPages * 65536 - memory.lowestAddress - 4096;
  const start = memory.allocate(bytes);
  memory.free(start);
  expect(start).toBe(memory.lowestAddress);
});

it('gives nothing that kernels could reach by an address that wraps, in memory of its own or of a host', () => {
  const own = new DeviceMemory(true);
  expect(own.lowestAddress).toBe(1 << 20);
  expect(own.allocate(1)).toBe(1 << 20);
  // A host without a page of its own, which no program is.
  const memory = new WebAssembly.Memory({ initial: 0, maximum: 1000, shared: true });
  const lent = new DeviceMemory(new MemoryPool(memory, 1000));
  expect(lent.lowestAddress).toBe(1024);
  expect(lent.allocate(1)).toBeGreaterThanOrEqual(lent.lowestAllocated);
  expect(lent.lowestAllocated).toBe(65536);
});
