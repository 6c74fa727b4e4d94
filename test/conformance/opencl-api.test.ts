/** docs/opencl-api.md is what its generator writes, and has no gap. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiPage, gaps } from '../../conformance/opencl-api/page.ts';

describe('docs/opencl-api.md', () => {
  const page = apiPage('.');

  it('is up to date (npm run conformance -- opencl-api writes it)', () => {
    expect(readFileSync('docs/opencl-api.md', 'utf8')).toBe(page);
  });

  it('has every function, implemented and tested, and every query answered', () => {
    expect(gaps(page)).toEqual([]);
    expect(page.match(/^\| `cl[A-Z]/gm)!.length).toBeGreaterThan(100);
  });
});
