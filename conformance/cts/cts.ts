/**
 * `npm run conformance -- cts DIR`: the Khronos OpenCL-CTS, built by clang for WebAssembly and run by `millrace run`. Each
 * test is a process of its own, two at a time.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Outcome } from '../support/outcome.ts';
import { buildPrograms, programPath } from './build.ts';
import { directories, type SuiteDirectory, type SuiteProgram } from './directories.ts';
import { writePage } from './page.ts';
import { listTests, outcomeOf, readLog, runProgram, writeLog } from './run-test.ts';

export interface SuiteRunOptions {
  /** Only these directories. */
  readonly only?: readonly string[] | undefined;
  /** Only tests with one of these texts in their names. */
  readonly tests?: readonly string[] | undefined;
  /** Processes at a time. */
  readonly parallel: number;
  /** Whether what is built is taken as it is. */
  readonly isBuilt: boolean;
  /** A folder for what each test says. */
  readonly logs?: string | undefined;
  /** Whether tests whose logs are there already count as run. */
  readonly resumes: boolean;
  /** The only device that programs see; by default what they find. */
  readonly device?: 'native' | undefined;
}

/** One test to run. */
interface Job {
  readonly program: SuiteProgram;
  readonly test: string;
  readonly name: string;
}

/** Why tests fail that fail, by their names. */
const explanations = 'conformance/cts/failures.json';

/** The outcomes of all tests, in the order of the directories; prints each, and a table. Whole runs write the page. */
export async function runSuite(folder: string, options: SuiteRunOptions): Promise<Outcome[]> {
  const suite = resolve(folder);
  if (!existsSync(resolve(suite, 'test_conformance')))
    throw new Error(`${folder} is no checkout of the OpenCL-CTS: it has no folder test_conformance`);
  const unknown = options.only?.find((name) => !directories.some((each) => each.name === name));
  if (unknown !== undefined)
    throw new Error(`'${unknown}' is none of ${directories.map((each) => each.name).join(', ')}`);
  const chosen = directories.filter(({ name }) => options.only?.includes(name) ?? true);
  if (!options.isBuilt) {
    buildPrograms(
      suite,
      chosen.flatMap((each) => each.programs),
    );
  }
  if (options.logs !== undefined) mkdirSync(options.logs, { recursive: true });
  const known = JSON.parse(readFileSync(explanations, 'utf8')) as Record<string, string>;
  const results = new Map<string, Outcome[]>();
  // One line of jobs for all directories: the last and slow tests of one run beside the first of the next.
  const line: (() => Promise<void>)[] = [];
  for (const directory of chosen) {
    const { outcomes, jobs } = await planDirectory(suite, directory, options);
    const places: Outcome[] = [];
    let left = jobs.length;
    const finish = () => {
      results.set(directory.name, [...outcomes, ...places]);
      // After each, as a whole run takes hours.
      if (!options.tests)
        writeFileSync('docs/conformance.md', writePage(suite, results, known, options.device));
      console.log(rowOf(directory.name, [...outcomes, ...places]));
    };
    if (left === 0) finish();
    for (const [at, job] of jobs.entries()) {
      line.push(async () => {
        places[at] = await runJob(suite, job, options);
        if (--left === 0) finish();
      });
    }
  }
  let next = 0;
  const work = async () => {
    for (let job = line[next++]; job; job = line[next++]) await job();
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  const inOrder = chosen.map(({ name }) => [name, results.get(name) ?? []] as const);
  console.log(`\n${inOrder.map(([name, outcomes]) => rowOf(name, outcomes)).join('\n')}\n`);
  return inOrder.flatMap(([, outcomes]) => outcomes);
}

/** The tests of a directory, and failures for programs that have none to give. */
async function planDirectory(
  suite: string,
  directory: SuiteDirectory,
  options: SuiteRunOptions,
): Promise<{ outcomes: Outcome[]; jobs: Job[] }> {
  const outcomes: Outcome[] = [];
  const jobs: Job[] = [];
  for (const program of directory.programs) {
    const path = programPath(suite, program);
    const label = [directory.name, directory.programs.length > 1 && program.target.slice(5), program.variant]
      .filter(Boolean)
      .join('/');
    const tests = existsSync(path) ? (program.tests ?? (await listTests(path, program.listing ?? '-h'))) : [];
    if (tests.length === 0)
      outcomes.push({ name: label, status: 'failed', reason: 'the program is not there, or does not start' });
    for (const test of tests) {
      if (!options.tests || options.tests.some((part) => test.includes(part)))
        jobs.push({ program, test, name: `${label}/${test}` });
    }
  }
  return { outcomes, jobs };
}

async function runJob(
  suite: string,
  { program, test, name }: Job,
  { logs, resumes, device }: SuiteRunOptions,
): Promise<Outcome> {
  const { minutes = 5, words = [] } = program;
  const start = performance.now();
  const log = logs === undefined ? undefined : resolve(logs, `${name.replaceAll('/', '-')}.txt`);
  const known = log !== undefined && resumes ? readLog(log) : undefined;
  const path = programPath(suite, program);
  const given = [...words, ...(program.parts?.(test) ?? [test])];
  const ran = known ?? (await runProgram(path, given, minutes, device));
  const outcome = outcomeOf(name, ran, minutes);
  if (log !== undefined && !known) writeLog(log, ran);
  const seconds = known ? '' : ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${outcome.status.padEnd(8)}${seconds.padStart(7)}${known ? '  ' : ' s'}  ${name}${outcome.reason ? `: ${outcome.reason}` : ''}`,
  );
  return outcome;
}

function rowOf(name: string, outcomes: readonly Outcome[]): string {
  const count = (status: Outcome['status']) =>
    String(outcomes.filter((each) => each.status === status).length).padStart(4);
  return `${name.padEnd(24)}${count('passed')} passed${count('failed')} failed${count('skipped')} skipped`;
}
