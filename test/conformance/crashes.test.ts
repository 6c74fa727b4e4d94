/** Generated programs that take their process down or do not end: where, and in their smallest form. Needs the built dist/. */
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { generateCommon } from '../../conformance/dialects/generate.ts';
import {
  type LostChild,
  type LostTrial,
  smallestCommon,
  smallestLost,
} from '../../conformance/dialects/lost.ts';
import type { CommonProgram } from '../../conformance/dialects/tree.ts';
import { CrashJudge } from '../../conformance/support/crash-judge.ts';

const child = fileURLToPath(new URL('./losing-child.mjs', import.meta.url));
const judge = new CrashJudge<LostTrial, LostChild>(child, 5);
afterAll(() => judge.close());

const pairs = ['good', 'bad'].map((device) => ({ language: 'OpenCL C 1.2', device }));

function programWith(...operators: readonly string[]): CommonProgram {
  const all = Array.from({ length: 500 }, (_, seed) => generateCommon(seed));
  return all.find((program) => {
    const text = JSON.stringify(program);
    return ['^', '|'].every((one) => text.includes(`"op":"${one}"`) === operators.includes(one));
  })!;
}

describe('a program that is lost', () => {
  it('is made small in processes that it ends', { timeout: 300_000 }, async () => {
    const report = await smallestCommon(programWith('^'), pairs, judge, 200_000);
    expect(report).toMatch(/^OpenCL C 1.2 on bad: its process ended with SIGSEGV\n/);
    const source = report.slice(report.indexOf('kernel void'));
    expect(source.match(/\^/g)).toHaveLength(1);
    expect(source.length).toBeLessThan(400);
  });

  it('is made small where it does not end, for as long as there is', { timeout: 300_000 }, async () => {
    const report = await smallestCommon(programWith('|'), pairs, judge, 11_000);
    expect(report).toMatch(/^OpenCL C 1.2 on bad: it takes longer than 5 seconds\n/);
    expect(report).toContain('|');
  });

  it('is told of if it is lost no more', { timeout: 300_000 }, async () => {
    expect(await smallestCommon(programWith(), pairs, judge, 1000)).toMatch(/does not come again/);
    expect(await judge.fate({ kind: 'common', pair: pairs[1]!, program: programWith() })).toBeUndefined();
  });

  it('runs on every device in the process that is built for it', { timeout: 300_000 }, async () => {
    const built = fileURLToPath(new URL('../../dist/conformance/dialects/lost-child.js', import.meta.url));
    // A program in every language, and a kernel of the other generator.
    for (const seed of [4, 3]) expect(await smallestLost(seed, built, 1000)).toMatch(/does not come again/);
  });

  it('says if its process does not start', { timeout: 60_000 }, async () => {
    const none = new CrashJudge<LostTrial, LostChild>(`${child}.missing`, 5);
    await expect(none.hello()).rejects.toThrow(/does not start: its process ended with 1/);
  });
});
