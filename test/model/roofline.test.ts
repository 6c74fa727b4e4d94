/** Places under the roofs of a machine with round figures: 100 GFLOP/s, memory 10 GB/s, caches 40 GB/s. */
import { describe, expect, it } from 'vitest';
import { rooflinePoint } from '../../src/model/roofline.ts';

const peaks = { floatOperations: 100e9, integerOperations: 50e9, memoryBytes: 10e9, cacheBytes: 40e9 };

describe('a launch under the roofline', () => {
  it('is bound by memory if it asks for each byte once', () => {
    // A million items of saxpy: 2 operations, 8 bytes loaded, 4 stored; x and y have 8 bytes an item.
    const counts = {
      floatOperations: 2e6,
      integerOperations: 2e6,
      bytesLoaded: 8e6,
      bytesStored: 4e6,
      bufferBytes: 8e6,
    };
    // 12 MB in 2.4 ms are 5 GB/s.
    const point = rooflinePoint(counts, 2.4e-3, peaks);
    expect(point).toMatchObject({ operations: 'floating-point', bound: 'memory' });
    expect(point.share).toBeCloseTo(0.5);
    expect(point.memory.intensity).toBeCloseTo(1 / 6);
    expect(point.attained / 1e9).toBeCloseTo(2 / 2.4);
    // In 0.6 ms they are 20 GB/s, twice what memory brings and half of what caches bring.
    const faster = rooflinePoint(counts, 0.6e-3, peaks);
    expect(faster).toMatchObject({
      bound: 'caches',
      memory: { isPassed: true },
      caches: { isPassed: false },
    });
    expect(faster.share).toBeCloseTo(0.5);
  });

  it('is bound by caches or arithmetic if it asks for bytes again', () => {
    // A product of matrices of 100 x 100: 2 * 100 operations and 8 * 100 + 4 bytes an item, 40 kB each.
    const counts = {
      floatOperations: 2e6,
      integerOperations: 0,
      bytesLoaded: 8e6,
      bytesStored: 40e3,
      bufferBytes: 120e3,
    };
    const point = rooflinePoint(counts, 0.402e-3, peaks);
    expect(point.memory.bytes).toBe(160e3);
    expect(point).toMatchObject({ bound: 'caches' });
    expect(point.share).toBeCloseTo(0.5);
    // 80 GB/s: more than caches bring, so registers have them; 20 of 100 GFLOP/s.
    const faster = rooflinePoint(counts, 0.1e-3, peaks);
    expect(faster).toMatchObject({ bound: 'arithmetic', caches: { isPassed: true } });
    expect(faster.share).toBeCloseTo(0.2);
  });

  it('counts integer operations where there are no others', () => {
    const counts = {
      floatOperations: 0,
      integerOperations: 5e6,
      bytesLoaded: 0,
      bytesStored: 0,
      bufferBytes: 0,
    };
    const point = rooflinePoint(counts, 1e-3, peaks);
    expect(point).toMatchObject({ operations: 'integer', peak: 50e9, bound: 'arithmetic' });
    expect(point.share).toBeCloseTo(0.1);
    expect(point.memory.intensity).toBe(Number.POSITIVE_INFINITY);
  });
});
