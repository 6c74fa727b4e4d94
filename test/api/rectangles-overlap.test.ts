/** Copies of rectangles within one buffer: allowed exactly if no byte is in both, which the bytes themselves say here. */
import { expect, it } from 'vitest';
import { rectanglesOverlap } from '../../src/api/opencl/ranges.ts';
import { Random } from '../support/random.ts';

it('finds a byte in both if there is one', () => {
  const source = new Random(7);
  const random = (limit: number) => source.below(limit);
  const found = { true: 0, false: 0 };
  for (let round = 0; round < 4000; round += 1) {
    const region = [1 + random(4), 1 + random(3), 1 + random(3)] as const;
    const rowPitch = region[0] + random(4);
    const slicePitch = rowPitch * (region[1] + random(3));
    const rectangle = () => ({ start: random(3 * slicePitch), rowPitch, slicePitch });
    const [from, to] = [rectangle(), rectangle()];
    const bytes = new Set(bytesOf(from.start));
    const expected = bytesOf(to.start).some((byte) => bytes.has(byte));
    const actual = rectanglesOverlap(64, from, 64, to, [...region]);
    expect({ from, to, region, overlap: actual }).toEqual({ from, to, region, overlap: expected });
    found[`${expected}`] += 1;

    function bytesOf(start: number): number[] {
      const list: number[] = [];
      for (let z = 0; z < region[2]; z += 1)
        for (let y = 0; y < region[1]; y += 1)
          for (let x = 0; x < region[0]; x += 1) list.push(start + z * slicePitch + y * rowPitch + x);
      return list;
    }
  }
  expect(Math.min(found.true, found.false)).toBeGreaterThan(500);
});
