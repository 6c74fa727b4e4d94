/** What the campaign does with a part that cannot go on, and with one whose inputs are slow. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type PartOptions, runToEnd } from '../../conformance/campaign/part.ts';
import { runSeeds } from '../../conformance/support/seeds-in-children.ts';

it('a part whose processes do not start is a finding, and keeps what it has counted', async () => {
  const findings: string[] = [];
  const counts: number[] = [];
  const options: PartOptions = {
    seed: 1,
    count: 10,
    seconds: 1,
    threads: 1,
    isReduced: false,
    finding: (text) => findings.push(text),
    progress: (count) => counts.push(count),
  };
  const part = {
    about: 'a part',
    async run({ finding, progress }: PartOptions): Promise<never> {
      progress(7);
      finding('seed 3: wrong');
      throw new Error('child.js does not start');
    },
  };
  const result = await runToEnd(part, options, 'again');
  expect(result).toEqual({ count: 7, fates: '', findings: 2, again: 'again' });
  expect(findings).toEqual(['seed 3: wrong', 'it cannot go on: child.js does not start']);
  expect(counts).toEqual([7]);
});

it('a part of slow inputs ends soon after its time', async () => {
  const seen: number[] = [];
  const { fates, failed } = await runSeeds({
    seed: 1,
    count: 1000,
    threads: 1,
    timeout: 60,
    seconds: 1,
    program: fileURLToPath(new URL('./slow-child.mjs', import.meta.url)),
    progress: ({ fates }) => seen.push(fates.get('tried') ?? 0),
    failure: (seed, text) => expect.unreachable(`${seed}: ${text}`),
  });
  expect(failed).toBe(0);
  // Five fit into a second; what a child has been sent is finished.
  expect(fates.get('tried')).toBeGreaterThan(0);
  expect(fates.get('tried')).toBeLessThan(20);
  expect(seen).toEqual(seen.map((_, index) => index + 1));
});
