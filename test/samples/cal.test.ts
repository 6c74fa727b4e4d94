/**
 * The samples of CAL in JavaScript and in C print what lies beside them: values worked out by hand (for HelloCAL half of y * 256 + x,
 * for the others what the guide's tables and the cards say).
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { calSamples, runCalSamples, sampleDevices } from '../../samples/cal.ts';

const names = Object.keys(calSamples);
const expected = names.map((name) => readFileSync(`samples/cal-${name}/expected.txt`, 'utf8'));

describe('samples of CAL', () => {
  it.each(names.map((name, index) => [name, index] as const))('%s in JavaScript', async (name, index) => {
    const lines: string[] = [];
    await runCalSamples([name], (line) => lines.push(line));
    expect(lines).toEqual([`-- ${name}`, ...expected[index]!.replace(/\n$/, '').split('\n')]);
  });

  it('in C', { timeout: 60_000 }, async () => {
    const script = 'test/samples/run-cal-samples.mjs';
    const { stdout } = await promisify(execFile)(process.execPath, [script, sampleDevices, ...names]);
    expect(stdout).toBe(names.map((name, index) => `### ${name}\n${expected[index]}`).join(''));
  });
});
