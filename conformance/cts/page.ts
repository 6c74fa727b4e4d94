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

/** What stands in the place of counts that there are none of yet. */
const notRun = 'not run';

/**
 * The page with new rows for the directories that ran; the rows of others stay. What ran on machine code is one column of a row, and its
 * failures are listed if they are not the other device's, too.
 */
export function writePage(
  suite: string,
  results: Results,
  explanations: Readonly<Record<string, string>>,
  device?: 'native',
): string {
  const page = existsSync(path) ? readFileSync(path, 'utf8') : `${start}\n${end}\n`;
  const { stdout } = spawnSync('git', ['-C', suite, 'describe', '--tags', '--always'], { encoding: 'utf8' });
  return pageWith(page, stdout.trim(), results, explanations, device);
}

/** The outcomes of directories, by their names. */
type Results = ReadonlyMap<string, readonly Outcome[]>;

/** The same of a given text, and of a suite whose commit is known. */
export function pageWith(
  page: string,
  commit: string,
  results: Results,
  explanations: Readonly<Record<string, string>>,
  device?: 'native',
): string {
  const [before = '', rest = ''] = page.split(start);
  const [old = '', after = ''] = rest.split(end);
  const rows = (version: SuiteDirectory['version']) =>
    directories
      .filter((directory) => directory.version === version)
      .map((directory) => {
        const outcomes = results.get(directory.name);
        const known =
          old.split('\n').find((line) => line.startsWith(`| ${directory.name} |`)) ??
          `| ${directory.name} | ${notRun} | | | | | |`;
        const cells = known.split('|');
        const native = outcomes && device ? counts(outcomes) : cells[columns.native]!.trim() || notRun;
        if (outcomes && !device) return row(directory, outcomes, native);
        cells[columns.native] = ` ${native} `;
        return cells.join('|');
      });
  const failed = new Map([...sections(old)].map(([name, list]) => [name, entriesOf(list)]));
  for (const [name, outcomes] of results) {
    const list = failures(outcomes, explanations);
    if (!device) failed.set(name, list);
    else failed.set(onNative(name), without(list, failed.get(name)));
  }
  const lists = directories
    .flatMap(({ name }) => [name, onNative(name)])
    .filter((name) => failed.get(name)?.length)
    .map((name) => `### ${name}\n\n${shownList(failed.get(name)!)}`);
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

/** The rows below their headings, and what they come to together. Sums say of how many directories they are, if not of all. */
function table(rows: readonly string[]): string {
  const cells = rows.map((each) => each.split('|').map((cell) => cell.trim()));
  const ran = cells.filter((each) => each[columns.passed] !== notRun);
  const sum = (column: number) => ran.reduce((total, each) => total + Number(each[column]), 0);
  const [passed, failed, skipped] = [sum(columns.passed), sum(columns.failed), sum(columns.skipped)];
  const native = cells
    .map((each) => each[columns.native]!)
    .filter((cell) => cell !== notRun)
    .map((cell) => cell.split('/').map(Number));
  const together = [0, 1, 2].map((at) => native.reduce((total, each) => total + each[at]!, 0));
  const part = (count: number) =>
    count === rows.length ? '' : `, of ${count} of ${rows.length} directories`;
  return [
    '| directory | passed | failed | skipped | passed of those that apply | machine code | left out |',
    '| --- | --: | --: | --: | --: | --: | --- |',
    ...rows,
    `| **together**${part(ran.length)} | ${passed} | ${failed} | ${skipped} | ${share(passed, failed)} | ${together.join(' / ')}${part(native.length)} | |`,
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

/** A test that failed, and why. */
interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** The failures of a list that another one has not. */
function without(list: readonly Failure[], other: readonly Failure[] = []): Failure[] {
  return list.filter(
    ({ name, reason }) => !other.some((each) => each.name === name && each.reason === reason),
  );
}

function failures(outcomes: readonly Outcome[], explanations: Readonly<Record<string, string>>): Failure[] {
  return outcomes
    .filter(({ status }) => status === 'failed')
    .map(({ name, reason = '' }) => ({
      name,
      reason: explanations[name] ?? `not explained yet; it says \`${reason.replaceAll('`', "'")}\``,
    }));
}

/** A line for each failure; a reason that several tests share stands once, above the list of these. */
function shownList(list: readonly Failure[]): string {
  const reasons = [...new Set(list.map(({ reason }) => reason))];
  return reasons
    .flatMap((reason) => {
      const names = list.filter((each) => each.reason === reason).map(({ name }) => `\`${name}\``);
      if (names.length === 1) return [`- ${names[0]}: ${reason}`];
      return [`- ${names.length} tests: ${reason}`, ...names.map((name) => `  - ${name}`)];
    })
    .join('\n');
}

/** The failures of such a list. */
function entriesOf(text: string): Failure[] {
  const found: Failure[] = [];
  let shared = '';
  for (const line of text.split('\n')) {
    const [, name, reason] = /^- `([^`]*)`: (.*)$/.exec(line) ?? [];
    const [, one] = /^ {2}- `([^`]*)`$/.exec(line) ?? [];
    if (name !== undefined) found.push({ name, reason: reason! });
    else if (one !== undefined) found.push({ name: one, reason: shared });
    else shared = /^- \d+ tests: (.*)$/.exec(line)?.[1] ?? '';
  }
  return found;
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
