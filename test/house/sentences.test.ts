/**
 * Sentences of the documents are short. The aim is 25 words; one of more than 35 is refused, but for those that documents had when this test
 * was made. Their number is to fall.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sentencesOf } from './sentences.ts';

const most = 35;

/** How many longer ones a document still has: lists of names and figures, mostly. Write the new number here when you have mended some. */
const left: Readonly<Record<string, number>> = {
  'accuracy.md': 1,
  'benchmarks.md': 5,
  'binaries.md': 4,
  'blas.md': 2,
  'brook-decisions.md': 1,
  'brook.md': 6,
  'browser.md': 6,
  'build-cache.md': 2,
  'build-options.md': 5,
  'c-hosts.md': 9,
  'command-line.md': 9,
  'il.md': 12,
  'images.md': 4,
  'ir.md': 1,
  'language-server.md': 1,
  'native-drivers.md': 7,
  'native.md': 3,
  'opencl-2.md': 1,
  'passes.md': 2,
  'performance-model.md': 3,
  'playground.md': 1,
  'printf.md': 1,
  'profiler.md': 1,
  'r600.md': 4,
  'runtime.md': 19,
  'testing.md': 17,
  'webcl.md': 4,
  'webgpu.md': 6,
};

it('documents have short sentences', () => {
  const complaints: string[] = [];
  for (const file of readdirSync('docs').filter((name) => name.endsWith('.md'))) {
    const long = sentencesOf(readFileSync(`docs/${file}`, 'utf8')).filter(({ words }) => words > most);
    const allowed = left[file] ?? 0;
    if (long.length > allowed)
      complaints.push(
        `docs/${file} has ${long.length} sentences of more than ${most} words, ${allowed} are known: split the new one`,
        ...long.map(({ line, words, text }) => `  docs/${file}:${line}: ${words} words: ${text}`),
      );
  }
  expect(complaints).toEqual([]);
});

it('knows a sentence when it sees one', () => {
  const document = [
    '# A heading. Of two',
    'One two three. Four `five six` seven',
    'eight? [Nine](ten.md#of.it) 10.5 is a number.',
    '- an item of a list',
    '  that goes on',
    '- another',
    '',
    '    code is none',
    '```js',
    'nor is this.',
    '```',
    '| a cell | another one. With two |',
  ].join('\n');
  expect(sentencesOf(document).map(({ line, words }) => [line, words])).toEqual([
    [2, 3],
    [2, 4],
    [2, 5],
    [4, 8],
    [6, 1],
    [12, 0],
    [12, 2],
    [12, 2],
    [12, 2],
    [12, 0],
  ]);
});
