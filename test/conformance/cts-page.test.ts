/** How the OpenCL-CTS's results are written into docs/conformance.md, and that the page is as they are written now. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { directories } from '../../conformance/cts/directories.ts';
import { pageWith } from '../../conformance/cts/page.ts';
import type { Outcome } from '../../conformance/support/outcome.ts';

const passed = (name: string): Outcome => ({ name, status: 'passed' });
const failed = (name: string, reason = 'no'): Outcome => ({ name, status: 'failed', reason });
const skipped = (name: string): Outcome => ({ name, status: 'skipped' });

const empty = 'before\n<!-- results -->\n<!-- end of results -->\nafter\n';
const write = (page: string, results: Record<string, Outcome[]>, device?: 'native'): string =>
  pageWith(page, 'v1', new Map(Object.entries(results)), { 'api/b': 'as said', 'api/c': 'as said' }, device);

const linesWith = (page: string, text: string): string[] =>
  page.split('\n').filter((line) => line.startsWith(`| ${text}`));
const listOf = (page: string): string => page.split('## What fails\n\n')[1]!.split('\n\n<!--')[0]!;
const all = directories.filter(({ version }) => version === '1.2').length;

describe('docs/conformance.md', () => {
  test('is as the writer writes it', () => {
    const page = readFileSync('docs/conformance.md', 'utf8');
    const [, commit] = /^The suite at `(.*)`\.$/m.exec(page)!;
    expect(pageWith(page, commit!, new Map(), {})).toBe(page);
  });
});

describe('rows', () => {
  const once = write(empty, { api: [passed('api/a'), skipped('api/s')], basic: [passed('basic/a')] });

  test('say what has not run, and sums of how many directories they are', () => {
    expect(linesWith(once, 'api')).toEqual(['| api | 1 | 0 | 1 | 100.0 % | not run |  |']);
    expect(linesWith(once, 'events')).toEqual(['| events | not run | | | | not run | |']);
    expect(linesWith(once, '**together**')[0]).toBe(
      `| **together**, of 2 of ${all} directories | 2 | 0 | 1 | 100.0 % | 0 / 0 / 0, of 0 of ${all} directories | |`,
    );
  });

  test('keep what the other device came to', () => {
    const both = write(once, { api: [passed('api/a'), failed('api/s')] }, 'native');
    expect(linesWith(both, 'api')).toEqual(['| api | 1 | 0 | 1 | 100.0 % | 1 / 1 / 0 |  |']);
    expect(linesWith(both, '**together**')[0]).toContain(`| 1 / 1 / 0, of 1 of ${all} directories |`);
    const again = write(both, { api: [passed('api/a')] });
    expect(linesWith(again, 'api')).toEqual(['| api | 1 | 0 | 0 | 100.0 % | 1 / 1 / 0 |  |']);
  });

  test('sums of all directories say nothing of their number', () => {
    const results = Object.fromEntries(directories.map(({ name }) => [name, [passed(`${name}/a`)]]));
    const page = write(write(empty, results), results, 'native');
    expect(linesWith(page, '**together**')[0]).toBe(
      `| **together** | ${all} | 0 | 0 | 100.0 % | ${all} / 0 / 0 | |`,
    );
  });
});

describe('failures', () => {
  const outcomes = [failed('api/a', 'a `b`'), failed('api/b'), passed('api/d'), failed('api/c')];
  const page = write(empty, { api: outcomes });
  const list = [
    '### api\n',
    "- `api/a`: not explained yet; it says `a 'b'`",
    '- 2 tests: as said',
    '  - `api/b`',
    '  - `api/c`',
  ].join('\n');

  test('that share a reason have it once', () => {
    expect(listOf(page)).toBe(list);
  });

  test('are read back', () => {
    expect(listOf(write(page, { basic: [passed('basic/a')] }))).toBe(list);
  });

  test('are read back where each has its reason', () => {
    const old = page.replace(/- 2 tests[\s\S]*?`api\/c`/, '- `api/b`: as said\n- `api/c`: as said');
    expect(listOf(write(old, {}))).toBe(list);
  });

  test('of machine code are those that the other device has not', () => {
    const native = write(page, { api: [...outcomes, failed('api/e', 'other')] }, 'native');
    expect(listOf(native)).toBe(
      `${list}\n\n### api, on machine code\n\n- \`api/e\`: not explained yet; it says \`other\``,
    );
  });

  test('that are gone leave no list', () => {
    expect(listOf(write(page, { api: [passed('api/a')] }))).toBe('Nothing.');
  });
});
