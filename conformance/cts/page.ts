/** docs/conformance.md: what each directory of the OpenCL-CTS came to, and why what fails fails. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Outcome } from '../support/outcome.ts';
import { directories, type SuiteDirectory } from './directories.ts';

const path = 'docs/conformance.md';
const start = '<!-- results -->';
const end = '<!-- end of results -->';

/** Columns of a row, of which the first is what lies before the first line. */
const columns = { passed: 2, failed: 3, skipped: 4, native: 6 };

/**
 * The page with new rows for the directories that ran; the rows of others stay. What ran on machine code is one column of a row, and its
 * failures are listed if they are not the other device's, too.
 */
export function writePage(
  suite: string,
  results: ReadonlyMap<string, readonly Outcome[]>,
  explanations: Readonly<Record<string, string>>,
  device?: 'native',
): string {
  const page = existsSync(path) ? readFileSync(path, 'utf8') : `${start}\n${end}\n`;
  const [before = '', rest = ''] = page.split(start);
  const [old = '', after = ''] = rest.split(end);
  const commit = spawnSync('git', ['-C', suite, 'describe', '--tags', '--always'], {
    encoding: 'utf8',
  }).stdout.trim();
  const rows = (version: SuiteDirectory['version']) =>
    directories
      .filter((directory) => directory.version === version)
      .map((directory) => {
        const outcomes = results.get(directory.name);
        const known =
          old.split('\n').find((line) => line.startsWith(`| ${directory.name} |`)) ??
          `| ${directory.name} | | | | | | not run as a whole yet |`;
        if (!outcomes) return known;
        const cells = known.split('|');
        if (!device) return row(directory, outcomes, cells[columns.native]!.trim());
        cells[columns.native] = ` ${counts(outcomes)} `;
        return cells.join('|');
      });
  const failed = sections(old);
  for (const [name, outcomes] of results) {
    const list = failureList(outcomes, explanations);
    if (!device) failed.set(name, list);
    else failed.set(onNative(name), without(list, failed.get(name)));
  }
  const lists = directories
    .flatMap(({ name }) => [name, onNative(name)])
    .filter((name) => failed.get(name))
    .map((name) => `### ${name}\n\n${failed.get(name)}`);
  const parts = [
    start,
    `The suite at \`${commit}\`.`,
    '## OpenCL 1.2',
    table(rows('1.2')),
    '## OpenCL 2.0',
    table(rows('2.0')),
    '## What fails',
    lists.length > 0 ? lists.join('\n\n') : 'Nothing.',
    end,
  ];
  return before + parts.join('\n\n') + after;
}

/** The rows below their headings, and what they come to together. */
function table(rows: readonly string[]): string {
  const sum = (column: number) =>
    rows.reduce((total, each) => total + Number(each.split('|')[column] ?? 0), 0);
  const [passed, failed, skipped] = [sum(columns.passed), sum(columns.failed), sum(columns.skipped)];
  const native = rows.map((each) => each.split('|')[columns.native]!.split('/').map(Number));
  const together = [0, 1, 2].map((at) => native.reduce((total, each) => total + (each[at] ?? 0), 0));
  return [
    '| directory | passed | failed | skipped | passed of those that apply | machine code | left out |',
    '| --- | --: | --: | --: | --: | --: | --- |',
    ...rows,
    `| **together** | ${passed} | ${failed} | ${skipped} | ${share(passed, failed)} | ${together.join(' / ')} | |`,
  ].join('\n');
}

function share(passed: number, failed: number): string {
  return passed + failed === 0 ? '' : `${((100 * passed) / (passed + failed)).toFixed(1)} %`;
}

function row({ name, programs }: SuiteDirectory, outcomes: readonly Outcome[], native: string): string {
  const [passed, failed, skipped] = countsOf(outcomes);
  const reduced = [...new Set(programs.map((program) => program.reduced ?? ''))].filter(Boolean).join('; ');
  return `| ${name} | ${passed} | ${failed} | ${skipped} | ${share(passed, failed)} | ${native} | ${reduced} |`;
}

function countsOf(outcomes: readonly Outcome[]): [passed: number, failed: number, skipped: number] {
  const count = (status: Outcome['status']) => outcomes.filter((each) => each.status === status).length;
  return [count('passed'), count('failed'), count('skipped')];
}

/** Passed, failed and skipped, in one cell. */
function counts(outcomes: readonly Outcome[]): string {
  return countsOf(outcomes).join(' / ');
}

/** What the list of a directory's failures on machine code alone is called. */
function onNative(name: string): string {
  return `${name}, on machine code`;
}

/** The lines of a list that another one has not. */
function without(list: string, other = ''): string {
  const known = new Set(other.split('\n'));
  return list
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}

function failureList(outcomes: readonly Outcome[], explanations: Readonly<Record<string, string>>): string {
  return outcomes
    .filter(({ status }) => status === 'failed')
    .map(
      ({ name, reason = '' }) =>
        `- \`${name}\`: ${explanations[name] ?? `not explained yet; it says \`${reason.replaceAll('`', "'")}\``}`,
    )
    .join('\n');
}

/** The lists of failures of a page, by their directories. */
function sections(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(/^### /m).slice(1)) {
    const [name = '', ...lines] = part.split('\n');
    found.set(name.trim(), lines.join('\n').trim());
  }
  return found;
}
