import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printModule } from '../../src/ir/print.ts';
import { parseBuildOptions } from '../../src/opencl/build-options.ts';
import { compileForTest } from '../support/run-kernel.ts';

/** What the table of the document says: all options, and those that have no effect. */
function optionsInTable(): { all: string[]; none: string[] } {
  const rows = readFileSync('docs/build-options.md', 'utf8').match(/^\| `-.*$/gm) ?? [];
  const options = (row: string) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(-[^`]+)`/g)].map((match) => match[1]!);
  return { all: rows.flatMap(options), none: rows.filter((row) => row.includes('| none')).flatMap(options) };
}

describe('build options (OpenCL 1.2, 5.6.4)', () => {
  it('reads definitions and include paths, attached or apart', () => {
    const { options, errors } = parseBuildOptions('-D A -DB=2 -I inc -Iother/dir  -D C=x');
    expect(errors).toEqual([]);
    expect(options.definitions).toEqual(['A', 'B=2', 'C=x']);
    expect(options.includePaths).toEqual(['inc', 'other/dir']);
  });

  it('takes quotes and backslashes as a shell does', () => {
    const { options } = parseBuildOptions(`-D "NAME=a b" -DTEXT=\\"x\\" -I 'my dir' -D'Q="'`);
    expect(options.definitions).toEqual(['NAME=a b', 'TEXT="x"', 'Q="']);
    expect(options.includePaths).toEqual(['my dir']);
  });

  it('turns on what an option implies', () => {
    const { options } = parseBuildOptions('-cl-fast-relaxed-math -w -Werror -g -cl-std=CL1.1');
    expect(options).toMatchObject({
      version: 110,
      fastRelaxedMath: true,
      finiteMathOnly: true,
      unsafeMath: true,
      madEnable: true,
      suppressWarnings: true,
      warningsAreErrors: true,
      debug: true,
      optDisable: false,
    });
  });

  it('gives the same code with and without the permissions that are not used', () => {
    const source = `kernel void k(global float* p) {
      p[0] = exp(p[1]) / sqrt(p[2]) * p[3] + p[4]; p[5] = p[6] - p[6]; p[7] = p[8] * 1e-40f;
    }`;
    const printed = (buildOptions: string) => printModule(compileForTest(source, buildOptions));
    const plain = printed('');
    const { none } = optionsInTable();
    expect(none).toContain('-cl-denorms-are-zero');
    for (const option of none) expect(printed(option), option).toBe(plain);
  });

  it('knows just the options of docs/build-options.md', () => {
    for (const option of optionsInTable().all) {
      expect(parseBuildOptions(option.replace('FOLDER', 'x')).errors, option).toEqual([]);
    }
  });

  it.each([
    ['-frobnicate', "unknown build option '-frobnicate'"],
    ['-cl-std=CL9', "unknown language version in build option '-cl-std=CL9'"],
    ['-D', "build option '-D' needs a value"],
    ['-D "A', 'a quotation mark in the build options is not closed'],
    ['constructor', "unknown build option 'constructor'"],
  ])('rejects %s', (text, message) => {
    expect(parseBuildOptions(text).errors).toEqual([message]);
  });
});
