/** Sentences of the documents are short. The aim is 25 words; one of more than 35 is refused. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sentencesOf } from './sentences.ts';

const most = 35;

it('documents have short sentences', () => {
  const complaints: string[] = [];
  for (const file of readdirSync('docs').filter((name) => name.endsWith('.md'))) {
    const long = sentencesOf(readFileSync(`docs/${file}`, 'utf8')).filter(({ words }) => words > most);
    complaints.push(...long.map(({ line, words, text }) => `docs/${file}:${line}: ${words} words: ${text}`));
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
