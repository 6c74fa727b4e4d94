/** The section of docs/conformance.md about Brook programs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Outcome } from '../support/outcome.ts';
import type { CorpusResult } from './corpus.ts';

const path = 'docs/conformance.md';
const start = '<!-- brook -->';
const end = '<!-- end of brook -->';

/** The page with the section replaced, or with it at the end. */
export function brookPage(checkout: string, { programs, files, reasons }: CorpusResult): string {
  const page = readFileSync(path, 'utf8');
  const [before = '', rest = ''] = page.includes(start) ? page.split(start) : [`${page.trimEnd()}\n\n`, ''];
  const [, after = '\n'] = rest.split(end);
  const commit = spawnSync('git', ['-C', checkout, 'log', '-1', '--format=%h'], {
    encoding: 'utf8',
  }).stdout.trim();
  const lines = [
    start,
    '',
    '## Brook programs',
    '',
    `Written by \`npm run conformance -- brook DIR\` for lkosmid/brook${commit ? ` at \`${commit}\`` : ''}; [testing.md](testing.md#brook-programs)`,
    'says what is counted.',
    '',
    '| | all | as expected | use what Brook+ took out | cannot be equal | as expected of those without what Brook+ took out |',
    '| --- | --: | --: | --: | --: | --: |',
    row('programs with an expected output', programs),
    row('.br files whose kernels compile', files),
    '',
    '| why not | programs | files |',
    '| --- | --: | --: |',
    ...Object.entries(reasons.classes).flatMap(([name, meaning]) => {
      const [inPrograms, inFiles] = [programs, files].map((all) => of(all, name).length);
      return inPrograms! + inFiles! === 0 ? [] : [`| ${meaning} | ${inPrograms} | ${inFiles} |`];
    }),
    '',
    'Programs that cannot be equal, or that Brook+ took the ground from:',
    '',
    ...Object.entries(reasons.programs).map(([name, { what }]) => `- \`${name}\`: ${what}`),
    '',
    end,
  ];
  return `${before}${lines.join('\n')}${after}`;
}

function of(all: readonly Outcome[], reason: string): readonly Outcome[] {
  return all.filter((one) => one.status === 'skipped' && one.reason === reason);
}

/** A class of reasons begins with this word if it is about what Brook+ took out. */
const removed = 'removed';

function row(what: string, all: readonly Outcome[]): string {
  const passed = all.filter(({ status }) => status === 'passed').length;
  const without = all.filter(
    ({ status, reason }) => status === 'skipped' && reason?.startsWith(removed),
  ).length;
  const share = (100 * passed) / (all.length - without);
  return `| ${what} | ${all.length} | ${passed} | ${without} | ${all.length - passed - without} | ${share.toFixed(1)} % |`;
}
