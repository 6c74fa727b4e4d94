/** What the campaign does with a part that cannot go on. */
import { expect, it } from 'vitest';
import { type PartOptions, runToEnd } from '../../conformance/campaign/part.ts';

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
