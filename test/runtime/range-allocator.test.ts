import { describe, expect, it } from 'vitest';
import { RangeAllocator } from '../../src/runtime/range-allocator.ts';
import { Random } from '../support/random.ts';

describe('RangeAllocator', () => {
  it('hands out aligned ranges that never overlap, and joins freed ones again', () => {
    const allocator = new RangeAllocator(1024);
    allocator.extend(1 << 20);
    const live = new Map<number, number>();
    const random = new Random(1);
    for (let step = 0; step < 5000; step += 1) {
      if (live.size > 0 && random.below(2) === 0) {
        const start = [...live.keys()][random.below(live.size)]!;
        allocator.free(start);
        live.delete(start);
        continue;
      }
      const bytes = random.below(5000);
      const start = allocator.allocate(bytes);
      if (start === undefined) continue;
      expect(start % 128).toBe(0);
      expect(start).toBeGreaterThanOrEqual(1024);
      expect(start + bytes).toBeLessThanOrEqual(1 << 20);
      for (const [other, size] of live) {
        expect(start >= other + Math.max(size, 1) || other >= start + Math.max(bytes, 1)).toBe(true);
      }
      live.set(start, bytes);
    }
    for (const start of live.keys()) allocator.free(start);
    expect(allocator.used).toBe(0);
    expect(allocator.allocate((1 << 20) - 1024)).toBe(1024);
    expect(allocator.allocate(1)).toBeUndefined();
  });

  it('says how far the space must grow', () => {
    const allocator = new RangeAllocator(0);
    allocator.extend(1024);
    allocator.allocate(512);
    expect(allocator.endFor(1024)).toBe(512 + 1024);
    allocator.extend(allocator.endFor(1024));
    expect(allocator.allocate(1024)).toBe(512);
    expect(() => allocator.free(128)).toThrow(/not taken/);
  });
});
