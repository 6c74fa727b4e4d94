// What package.json promises to those who install the package, found in dist/ as the build leaves it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTypes } from '../support/built-types.ts';

interface Entry {
  readonly types: string;
  readonly default: string;
}
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, Entry | string>;
};
const entries = Object.entries(exports).filter(
  (pair): pair is [string, Entry] => typeof pair[1] !== 'string',
);

test('lines that throw can be shown: Node prints them above an error that nobody has caught', () => {
  // The files of the threads hand their errors on; so does their code as text.
  const threads = [
    'processor.js',
    'worker.js',
    'native-worker.js',
    'icd.js',
    'gpu.js',
    'program.js',
    'member.js',
    'chunk-thread-code.js',
  ];
  const files = readdirSync('dist').filter((file) => file.endsWith('.js') && !threads.includes(file));
  const lines = files.flatMap((file) => readFileSync(join('dist', file), 'utf8').split('\n'));
  const thrown = lines.filter((line) => /\bthrow /.test(line));
  expect(thrown.length).toBeGreaterThan(100);
  expect(Math.max(...thrown.map((line) => line.length))).toBeLessThan(1000);
});

describe.each(entries)('millrace/%s', (_name, entry) => {
  test('is a file', () => expect(existsSync(entry.default)).toBe(true));

  test.runIf(hasTypes)('has declarations, with all that they import', () => {
    const seen = new Set([entry.types]);
    for (const file of seen) {
      const text = readFileSync(file, 'utf8');
      const paths = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)\.ts'/g)].map(
        ([, path]) => `${path}.d.ts`,
      );
      const references = [...text.matchAll(/<reference path="([^"]+)"/g)].map(([, path]) => path!);
      for (const path of [...paths, ...references]) seen.add(join(dirname(file), path));
    }
    expect([...seen].filter((file) => !existsSync(file))).toEqual([]);
    expect([...seen]).toContain('dist/types/browser-names.d.ts');
  });
});
