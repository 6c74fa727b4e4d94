/** Parts of the campaign whose faults need processes of their own, as the command runs them. Needs the built dist/. */
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';

function campaign(part: string, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['dist/conformance/run.js', 'campaign', part, '--seed', '500', '--count', String(count)];
    execFile(process.execPath, [...args, '--minutes', '20', '--threads', '1'], (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

it('processes share a build cache, and some are killed in the middle', { timeout: 600_000 }, async () => {
  const said = await campaign('shared-cache', 5);
  expect(said).toMatch(/^5 inputs in 1 parts, 0 findings$/m);
  expect(said).toMatch(/[1-4] of them killed/);
});

it('WebGPU devices are lost at any call, or refused', { timeout: 600_000 }, async () => {
  const said = await campaign('device-loss', 12);
  expect(said).toMatch(/^12 inputs in 1 parts, 0 findings$/m);
  expect(said).toMatch(/destroyed: (fails again|lost|right)|no WebGPU here/);
});
