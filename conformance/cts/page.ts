/** docs/conformance.md: what each directory of the OpenCL-CTS came to, and why what fails fails. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Outcome } from '../support/outcome.ts';
import { directories, type SuiteDirectory } from './directories.ts';

const path = 'docs/conformance.md';
const start = '<!-- results -->';
const end = '<!-- end of results -->';

/** The page with new rows for the directories that ran; the rows of others stay. */
export function writePage(
  suite: string,
  results: ReadonlyMap<string, readonly Outcome[]>,
  explanations: Readonly<Record<string, string>>,
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
        if (outcomes) return row(directory, outcomes);
        const known = old.split('\n').find((line) => line.startsWith(`| ${directory.name} |`));
        return known ?? `| ${directory.name} | | | | | not run as a whole yet |`;
      });
  const failed = sections(old);
  for (const [name, outcomes] of results) failed.set(name, failureList(outcomes, explanations));
  const lists = directories
    .filter(({ name }) => failed.get(name))
    .map(({ name }) => `### ${name}\n\n${failed.get(name)}`);
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
  const [passed, failed, skipped] = [sum(2), sum(3), sum(4)];
  return [
    '| directory | passed | failed | skipped | passed of those that apply | left out |',
    '| --- | --: | --: | --: | --: | --- |',
    ...rows,
    `| **together** | ${passed} | ${failed} | ${skipped} | ${share(passed, failed)} | |`,
  ].join('\n');
}

function share(passed: number, failed: number): string {
  return passed + failed === 0 ? '' : `${((100 * passed) / (passed + failed)).toFixed(1)} %`;
}

function row({ name, programs }: SuiteDirectory, outcomes: readonly Outcome[]): string {
  const count = (status: Outcome['status']) => outcomes.filter((each) => each.status === status).length;
  const [passed, failed] = [count('passed'), count('failed')];
  const reduced = [...new Set(programs.map((program) => program.reduced ?? ''))].filter(Boolean).join('; ');
  return `| ${name} | ${passed} | ${failed} | ${count('skipped')} | ${share(passed, failed)} | ${reduced} |`;
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
