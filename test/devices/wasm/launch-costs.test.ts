/** Which launches are known to be too short to be divided among threads. */
import { expect, it } from 'vitest';
import { LaunchCosts } from '../../../src/devices/wasm/launch-costs.ts';

const kernel = { moduleId: 3, kernel: 1 };

it('are none of a kernel that nobody has seen', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 16, 100);
  expect(costs.isSmall({ moduleId: 3, kernel: 0 }, 1)).toBe(false);
  expect(costs.isSmall({ moduleId: 2, kernel: 1 }, 1)).toBe(false);
  expect(costs.isSmall(kernel, 16)).toBe(true);
});

it('are those that take less than 20 microseconds by what a group has cost', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 16, 8000);
  expect(costs.isSmall(kernel, 39)).toBe(true);
  expect(costs.isSmall(kernel, 40)).toBe(false);
});

it('are none for a while after one that took long', () => {
  const costs = new LaunchCosts();
  costs.note(kernel, 10, 1_000_000);
  // 100, 50, 25 and 12.5 microseconds a group are counted on, then 6.25, of which three are less than 20.
  const answers = Array.from({ length: 5 }, () => {
    const answer = costs.isSmall(kernel, 3);
    costs.note(kernel, 10, 100);
    return answer;
  });
  expect(answers).toEqual([false, false, false, false, true]);
});

it('are found among as many kernels as there may be', () => {
  const costs = new LaunchCosts();
  for (let moduleId = 0; moduleId < 5000; moduleId += 1) costs.note({ moduleId, kernel: 0 }, 1, 1);
  expect(costs.isSmall({ moduleId: 4999, kernel: 0 }, 1)).toBe(true);
});
