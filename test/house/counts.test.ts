/** What documents say of how many samples, kernels and benchmarks there are, against the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { benchKernels } from '../../bench/kernels/index.ts';
import { calSamples } from '../../samples/cal.ts';
import { allSamples, firstPart, secondPart, thirdPart } from '../../samples/gallery.ts';

const below20 =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** A number in digits or in English words; NaN for others. */
function numberOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [first = '', second = ''] = text.toLowerCase().split('-');
  const small = below20.split(' ').indexOf(first);
  if (small >= 0 && second === '') return small;
  const ten = tens.indexOf(first);
  const one = second === '' ? 0 : below20.split(' ').indexOf(second);
  return ten < 0 || one < 0 || one > 9 ? Number.NaN : (ten + 2) * 10 + one;
}

test('numbers are read', () => {
  const read = ['nine', 'Thirteen', 'twenty', 'sixty-four', '53', 'many', 'ten-two'].map(numberOf);
  expect(read).toEqual([9, 13, 20, 64, 53, Number.NaN, Number.NaN]);
});

/** The kernels in a sample's folder that the host can launch: those that kernels call for a value are functions. */
function kernelsIn(folder: string): string[] {
  const files = readdirSync(join('samples', folder)).filter((name) => /\.(?:cl|br)$/.test(name));
  const texts = files.map((name) => readFileSync(join('samples', folder, name), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/^\s*(?:(?:__)?kernel|reduce)\s+void\s+(\w+)\s*\(/gm)].map(([, name]) => name!),
  );
}

/** The rows of samples/README.md: a folder, and the kernels that its second column names. */
function rows(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const text = readFileSync('samples/README.md', 'utf8');
  for (const [, folder, column] of text.matchAll(/^\| \[([\w-]+)\]\(\1\/\) +\| ([^|]*`[^|]*) \|/gm)) {
    const names = [...column!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    found.set(folder!, names);
  }
  return found;
}

const folders = readdirSync('samples', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join('samples', entry.name, `${entry.name}.ts`)))
  .map(({ name }) => name);
/** That one is a page of its own. */
const inPages = ['vertex-waves'];

describe('samples/README.md', () => {
  test('has a row for each sample', () => {
    const shown = folders.filter((name) => !inPages.includes(name)).sort();
    expect(shown).toHaveLength(allSamples.length);
    expect([...rows().keys()].sort()).toEqual([...shown, ...inPages].sort());
  });

  test.each([...rows()])('names the kernels of %s', (folder, names) => {
    const kernels = kernelsIn(folder);
    // `matmul_naive`, `_coalesced`: the second begins as the first does.
    const isNamed = (kernel: string): boolean =>
      names.some((name) => name === kernel || (name.startsWith('_') && kernel.endsWith(name)));
    expect(kernels.filter((kernel) => !isNamed(kernel))).toEqual([]);
    expect(names).toHaveLength(kernels.length);
  });
});

/** Places that say how many there are of something, and how many there are. */
const places: readonly (readonly [page: string, words: RegExp, numbers: readonly number[]])[] = [
  [
    'samples/README.md',
    /^([\w-]+) programs, ([\w-]+) kernels, each checked/m,
    [
      allSamples.length,
      folders.filter((name) => !inPages.includes(name)).flatMap((name) => kernelsIn(name)).length,
    ],
  ],
  [
    'samples/README.md',
    /^([\w-]+) small programs that follow the tutorial/m,
    [Object.keys(calSamples).length],
  ],
  ['README.md', /([\w-]+) about OpenCL 2\.0 and ([\w-]+) of Brook\+;/, [secondPart.length, thirdPart.length]],
  ['README.md', /Also ([\w-]+) of CAL,/, [Object.keys(calSamples).length]],
  ['README.md', /\[([\w-]+) kernels\]\(docs\/benchmarks\.md\) checked/, [benchKernels.length]],
  [
    'CHANGELOG.md',
    /^- ([\w-]+) samples, each checked against plain JavaScript \(`npm start`\); a second part of ([\w-]+) about OpenCL 2\.0/m,
    [firstPart.length, secondPart.length],
  ],
  ['CHANGELOG.md', /`npm run bench`: ([\w-]+) kernels on several devices/, [benchKernels.length]],
  [
    'docs/brook.md',
    /where the ([\w-]+) samples are right|^the ([\w-]+) samples are right/m,
    [thirdPart.length],
  ],
];

test.each(places)('%s counts right: %s', (page, words, numbers) => {
  const match = words.exec(readFileSync(page, 'utf8'));
  expect(match, 'the sentence').not.toBeNull();
  const said = match!.slice(1).filter((word) => word !== undefined);
  expect(said.map(numberOf), match![0]).toEqual(numbers);
});

test('the chart of benchmarks says of as many kernels as it has bars, and the same mean', () => {
  const chart = readFileSync('docs/images/bench.svg', 'utf8');
  const mean = /geometric mean ([\d.]+)/;
  expect(mean.exec(readFileSync('README.md', 'utf8'))?.[1]).toBe(mean.exec(chart)![1]);
  const [, title] = /<title>[^<]*?(\d+) kernels/.exec(chart) ?? [];
  const said = ['README.md', 'docs/benchmarks.md'].map(
    (page) => /!\[Bars: [^\]]*?each of (\d+) kernels/.exec(readFileSync(page, 'utf8'))?.[1],
  );
  expect(said).toEqual([title, title]);
});
