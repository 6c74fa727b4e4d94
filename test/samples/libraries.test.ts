/** The programs of samples/libraries, which check their own results: each ends well, and says what it found. Needs the built dist/. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engines, mpirun, skipped } from '../support/mpi.ts';

const fileOf = (name: string): string =>
  new URL(`../../samples/libraries/${name}.mjs`, import.meta.url).pathname;
const limit = { timeout: 300_000 };

describe('samples/libraries', () => {
  it('are all in samples/README.md', () => {
    const overview = readFileSync(new URL('../../samples/README.md', import.meta.url), 'utf8');
    const named = [...overview.matchAll(/\(libraries\/([\w-]+\.mjs)\)/g)].map(([, name]) => name!);
    expect(named.sort()).toEqual(readdirSync(new URL('../../samples/libraries', import.meta.url)).sort());
  });

  it.each([
    ['least-squares', /^a parabola: 0\.\d+, -[12]\.\d+, [23]\.\d+; exact 0\.5, -2, 3\n$/],
    ['image-sharpness', /^fine details: \d+\.\d % of the energy, blurred \d+\.\d\d %\n$/],
    // 7.12845 by the formula, as others compute it.
    ['option-price', /by the formula 7\.128\n$/],
  ])('%s', limit, (name, words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [fileOf(name)], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toMatch(words);
  });

  describe(`with MPI${skipped}`, () => {
    it.each(engines)('heat on four ranks of $name', limit, async (engine) => {
      const { code, stdout, stderr } = await mpirun(engine, 4, [process.execPath, fileOf('heat')]);
      expect([stderr, code]).toEqual(['', 0]);
      // In each step but the first three borders are crossed both ways by a row, of which the outer columns are not read; then all get all.
      expect(stdout).toMatch(/^50 steps on 4 ranks: right, \d+ bytes travelled\n$/);
      expect(Number(/(\d+) bytes/.exec(stdout)![1])).toBe(49 * 6 * 4 * bordersRead);
    });
  });
});

/** Elements of a row that its neighbours read. */
const bordersRead = 254;
