/** Which launches are known to be too short to be divided among threads. */
import { expect, it } from 'vitest';
import { divideGroups } from '../../../src/devices/wasm/launch-chunks.ts';
import { type KernelNumber, LaunchCosts } from '../../../src/devices/wasm/launch-costs.ts';

const kernel = { moduleId: 3, kernel: 1 };

/** Whether a launch of so many groups, in two chunks, is put into one. */
function isSmall(costs: LaunchCosts, of: KernelNumber, groups: number): boolean {
  const groupsPerChunk = Math.ceil(groups / 2);
  const chunks = Math.ceil(groups / groupsPerChunk);
  const asked = { groups, groupsPerChunk, chunks, wholeChunks: chunks };
  const { groupsPerChunk: given } = costs.divide(of, asked, 2);
  return given === groups && given > groupsPerChunk;
}

it('are none of a kernel that nobody has seen', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 16, 100);
  expect(isSmall(costs, { moduleId: 3, kernel: 0 }, 16)).toBe(false);
  expect(isSmall(costs, { moduleId: 2, kernel: 1 }, 16)).toBe(false);
  expect(isSmall(costs, kernel, 16)).toBe(true);
});

it('are those that take less than 20 microseconds by what a group has cost', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 16, 8000);
  expect(isSmall(costs, kernel, 39)).toBe(true);
  expect(isSmall(costs, kernel, 40)).toBe(false);
});

it('are none for a while after one that took long', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 10, 1_000_000);
  // 100, 50, 25 and 12.5 microseconds a group are counted on, then 6.25, of which three are less than 20.
  const answers = Array.from({ length: 5 }, () => {
    const answer = isSmall(costs, kernel, 3);
    costs.note(kernel, 10, 100);
    return answer;
  });
  expect(answers).toEqual([false, false, false, false, true]);
});

it('are found among as many kernels as there may be', () => {
  const costs = new LaunchCosts();
  for (let moduleId = 0; moduleId < 5000; moduleId += 1) costs.note({ moduleId, kernel: 0 }, 1, 1);
  expect(isSmall(costs, { moduleId: 4999, kernel: 0 }, 16)).toBe(true);
});

it('have fewer chunks by what the last launch has cost', () => {
  const costs = new LaunchCosts();
  const asked = divideGroups(512, 192, 2);
  expect(costs.divide(kernel, asked, 2)).toEqual(asked);
  costs.note(kernel, 512, 10_000_000);
  expect(costs.divide(kernel, asked, 2)).toEqual(asked);
  // The one that was expensive keeps the kernel divided, but not finely.
  costs.note(kernel, 512, 100_000);
  const joined = costs.divide(kernel, asked, 2);
  expect(joined.chunks).toBeGreaterThan(4);
  expect(joined.chunks).toBeLessThan(asked.chunks / 2);
});

it('have nothing where there are no groups', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 16, 100);
  const none = { groups: 0, groupsPerChunk: 1, chunks: 0, wholeChunks: 0 };
  expect(costs.divide(kernel, none, 2).chunks).toBe(0);
});
