/** CONTRIBUTING.md says which files to open for common changes: they are there, and export what it names. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const section = readFileSync('CONTRIBUTING.md', 'utf8')
  .split('## Where to change what')[1]!
  .split('\n## ')[0]!;

/** The rows of the table, each with the files that it names and what these export. */
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => {
    const [, change, text] = line.split(/ ?\| ?/);
    const files = [...text!.matchAll(/`(src\/[^`]+)`(?: \(((?:`\w+`(?:, )?)+)\))?/g)].map(
      ([, path, names]) => ({
        path: path!,
        names: [...(names ?? '').matchAll(/\w+/g)].map(([name]) => name),
      }),
    );
    return { change: change!, files };
  });

describe('where to change what', () => {
  it('names the ten commonest changes, with one to three places each', () => {
    const wanted = [
      'built-in function',
      'back end',
      'command of queues',
      'cut into chunks',
      'diagnostic',
      'image format',
      'build option',
      'barrier becomes',
      'instruction of AMD IL',
      'column of the profiler',
    ];
    expect(wanted.filter((what) => !rows.some(({ change }) => change.includes(what)))).toEqual([]);
    for (const { change, files } of rows) {
      expect(files.length, change).toBeGreaterThan(0);
      expect(files.length, change).toBeLessThanOrEqual(3);
    }
  });

  it.each(rows)('$change', ({ files }) => {
    for (const { path, names } of files) {
      expect(existsSync(path), path).toBe(true);
      for (const name of names) {
        const exported = new RegExp(
          `^export (abstract )?(async )?(function|const|class|interface|type) ${name}\\b`,
          'm',
        );
        expect(readFileSync(path, 'utf8'), path).toMatch(exported);
      }
    }
  });
});
