/** What the site is gathered from: every document has its place, links lead somewhere, examples that can run are found. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runnableBody } from '../../site/.vitepress/theme/run-examples.ts';
import { measuredTables } from '../../site/assemble/figures.mjs';
import { assemblePages } from '../../site/assemble/pages.mjs';
import { withLinks } from '../../site/assemble/places.mjs';
import { guideSidebar, projectSidebar, sampleSidebar } from '../../site/assemble/sidebar.mjs';

const pagesFolder = mkdtempSync(join(tmpdir(), 'millrace-site-'));
afterAll(() => rmSync(pagesFolder, { recursive: true, force: true }));

const pagesUnder = (folder: string) =>
  readdirSync(join(pagesFolder, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `/${folder}/${name.slice(0, -3)}`);

describe('the pages of the site', () => {
  beforeAll(() => {
    assemblePages(pagesFolder);
  });

  test('every page is in a side bar, and every entry of a side bar is a page', () => {
    const links = [...guideSidebar, ...projectSidebar, ...sampleSidebar()].flatMap(({ items }) =>
      items.map(({ link }) => link),
    );
    const pages = ['guide', 'project', 'samples']
      .flatMap(pagesUnder)
      .filter((page) => page !== '/samples/index');
    expect(links.toSorted()).toEqual(pages.toSorted());
  });

  test('links between pages lead to pages', () => {
    const broken: string[] = [];
    for (const page of ['guide', 'project', 'samples'].flatMap(pagesUnder)) {
      const text = readFileSync(join(pagesFolder, `${page}.md`), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
      for (const [, link] of text.matchAll(/\]\((\.[^)#\s]*\.md)/g)) {
        if (!existsSync(join(pagesFolder, posix.join(posix.dirname(page), link!))))
          broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });
});

describe('links', () => {
  const samples = new Set(['saxpy']);
  const changed = (text: string, path = 'docs/a.md') =>
    withLinks(text, path, samples, (file) => file !== 'docs/gone.md');

  test('lead from page to page', () => {
    expect(changed('[x](images.md#kinds)')).toBe('[x](./images.md#kinds)');
    expect(changed('[x](../samples/saxpy/)')).toBe('[x](../samples/saxpy.md)');
    expect(changed('[x](docs/images.md)', 'README.md')).toBe('[x](../guide/images.md)');
  });
  test('to source files become their names', () => {
    expect(changed('[`cse.ts`](../src/passes/cse.ts)')).toBe('`cse.ts`');
    expect(changed('[the pass](../src/passes/cse.ts)')).toBe('the pass (`src/passes/cse.ts`)');
  });
  test('stay as they are in code, and where they lead elsewhere', () => {
    for (const text of ['```c\na[i](b)\n```', '\n    a[i](b)', '[x](https://example.org/a)', '[x](#here)']) {
      expect(changed(text)).toBe(text);
    }
  });
  test('to nothing are errors', () => {
    expect(() => changed('[x](gone.md)')).toThrow('docs/a.md: there is no docs/gone.md');
  });
});

describe('the tables of figures', () => {
  const table = '### Suite\n\n| kernel | Millrace ms | PoCL ms | PoCL / ours |\n| --- | --- | --- | --- |\n';

  test('are read with their headings', () => {
    expect(measuredTables(`${table}| FFT | 12.6 | 97.8 | 7.76 |\n\ntext`)).toEqual([
      { heading: 'Suite', rows: [{ kernel: 'FFT', ours: 12.6, theirs: 97.8, ratio: 7.76 }] },
    ]);
  });
  test('that are missing, or have no figures, are errors', () => {
    expect(() => measuredTables('# Nothing')).toThrow('no table');
    expect(() => measuredTables(`${table}| FFT | a | b | c |`)).toThrow('the ratio of FFT is not a number');
  });
});

describe('examples', () => {
  test('that import Millrace alone can run', () => {
    expect(runnableBody("import { compile as build } from 'millrace';\nawait build('');")).toBe(
      "const { compile: build } = millrace;\nawait build('');",
    );
  });
  test('that need a file, Node, or nothing at all cannot', () => {
    for (const source of [
      "import { readFileSync } from 'node:fs';\nimport { compile } from 'millrace';",
      "import { saxpy } from './saxpy.cl';",
      "import { compile } from 'millrace';\nprocess.exit();",
      'const x = 1;',
    ]) {
      expect(runnableBody(source)).toBeUndefined();
    }
  });
});
