/** The soak of the campaign: that it finds nothing in seconds, finds what rises, and counts. Needs the built dist/. */
import { expect, it } from 'vitest';
import { fewestLooks, risen, type Use } from '../../conformance/soak/level.ts';
import { runSoak } from '../../conformance/soak/soak.ts';

const mebibyte = 2 ** 20;

function look(index: number, changes: Partial<Use> = {}): Use {
  return {
    seconds: index,
    commands: 1000 * index,
    resident: 200 * mebibyte,
    heap: 20 * mebibyte,
    buffers: mebibyte,
    control: mebibyte,
    device: mebibyte,
    eventSlots: 8192,
    threads: 14,
    descriptors: 33,
    ...changes,
  };
}

const looks = (change: (index: number) => Partial<Use>): Use[] =>
  Array.from({ length: 30 }, (_, index) => look(index, change(index)));

it('takes what goes up and down for level, and tells what only goes up', () => {
  expect(risen(looks(() => ({})))).toEqual([]);
  expect(
    risen(looks((index) => ({ heap: (20 + 30 * (index % 5)) * mebibyte, threads: 14 + (index % 3) }))),
  ).toEqual([]);
  // What is there from the start on is no leak.
  expect(risen(looks((index) => ({ resident: (index < 8 ? 100 : 300) * mebibyte })))).toEqual([]);
  expect(risen(looks((index) => ({ descriptors: 33 + Math.floor(index / 4) })))).toEqual([
    'descriptors rose from 35 to 38',
  ]);
  expect(risen(looks((index) => ({ heap: (20 + index) * mebibyte })))).toHaveLength(1);
  expect(risen(looks((index) => ({ heap: (20 + index) * mebibyte })).slice(0, fewestLooks - 1))).toEqual([]);
});

it('uses everything, and finds nothing', { timeout: 300_000 }, async () => {
  const { commands, rounds, callbacks, looks, problems } = await runSoak({
    seed: 7,
    seconds: 4,
    roundsPerLook: 5,
  });
  expect(problems).toEqual([]);
  expect(commands).toBeGreaterThan(1000);
  expect(callbacks).toBeGreaterThan(0);
  expect(Object.keys(rounds).length).toBeGreaterThan(2);
  expect(looks.length).toBeGreaterThan(0);
});

it('tells of a sum that is wrong', { timeout: 120_000 }, async () => {
  const { problems } = await runSoak({
    seed: 8,
    seconds: 100,
    // Somebody else's launch between the rounds.
    besides: ({ queues, kernels }) => void queues[0]!.enqueueNDRangeKernel(kernels.count, 1, null, [16]),
  });
  expect(problems.join()).toMatch(/launches added up to/);
});
