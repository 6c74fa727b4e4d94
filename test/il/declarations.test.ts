import { describe, expect, it } from 'vitest';
import { declarationsOf } from '../../src/il/declarations.ts';
import { reversed, scaledSum } from './programs.ts';
import { programOf } from './read-text.ts';

describe('declarations', () => {
  it('of a pixel program', () => {
    const { constantBuffers, resources, inputs, outputs, groupSize } = declarationsOf(programOf(scaledSum));
    expect([...constantBuffers].map(([number, { size }]) => [number, size])).toEqual([[0, 1]]);
    expect([...resources.keys()]).toEqual([0, 1]);
    expect(resources.get(1)).toMatchObject({
      type: '2d',
      isUnnormalized: true,
      formats: ['float', 'float', 'float', 'float'],
    });
    expect(inputs).toMatchObject([
      {
        register: { kind: 'vWinCoord', number: 0 },
        usages: ['position'],
        interpolation: 'linear_noperspective',
      },
    ]);
    expect(outputs).toMatchObject([{ register: { kind: 'o', number: 0 }, usages: ['generic'] }]);
    expect(groupSize).toBeUndefined();
  });

  it('of a compute program', () => {
    const { temporaryArrays, literals, groupSize } = declarationsOf(programOf(reversed));
    expect([...temporaryArrays].map(([number, { size }]) => [number, size])).toEqual([[0, 4]]);
    // 0.5 and -1500 as IEEE 754 has them
    expect(literals.get(0)?.bits).toEqual([63, 1, 0x3f000000, 0xc4bb8000]);
    expect(groupSize).toEqual([64, 1, 1]);
  });
});
