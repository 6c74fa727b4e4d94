/**
 * `npm run conformance -- brook DIR`: the programs of a checkout of lkosmid/brook, a Brook from before Brook+. Each folder under
 * prog/tests and prog/apps that has an expected output (`NAME.gold`) is a program: its .br files are run by `millrace run` and
 * what they print is compared as the project's own regression does it, without regard to white space.
 *
 * What of the language Brook+ took out is none of a Brook+ compiler's business; reasons.json says which programs and files need
 * it, and why others cannot come out equal. Those count as skipped, all else that does not come out equal as failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { compileBrook } from '../../src/brook/compile.ts';
import { filesUnder } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';

/** Why a program or a file cannot count: a class, of those that reasons.json describes, and what it is in this case. */
interface Reason {
  readonly class: string;
  readonly what: string;
}

interface Reasons {
  /** The classes by their names, each with what it means. Those of `removed` are of what Brook+ took out. */
  readonly classes: Readonly<Record<string, string>>;
  /** By the program's folder under prog. */
  readonly programs: Readonly<Record<string, Reason>>;
  /** By the file's path under prog. */
  readonly files: Readonly<Record<string, Reason>>;
}

export interface CorpusResult {
  readonly programs: readonly Outcome[];
  readonly files: readonly Outcome[];
  readonly reasons: Reasons;
}

/** So long may a program run, compiled and all. */
const patience = 120_000;

/**
 * Runs the programs and compiles the kernels of all .br files.
 * @param only parts of the names of programs; all by default
 * @param adapter the device's place among those that BRT_ADAPTER counts
 */
export async function runCorpus(
  checkout: string,
  only?: readonly string[],
  adapter = 0,
): Promise<CorpusResult> {
  const root = existsSync(join(checkout, 'prog')) ? join(checkout, 'prog') : checkout;
  const reasons = JSON.parse(readFileSync('conformance/brook/reasons.json', 'utf8')) as Reasons;
  const isWanted = (name: string): boolean => !only || only.some((part) => name.includes(part));
  const programs: Outcome[] = [];
  for (const gold of filesUnder(root, ['.gold'])) {
    const name = relative(root, gold).replace(/\.gold$/, '');
    if (isWanted(name)) programs.push(await runProgram(root, gold, name, reasons, adapter));
  }
  const files = filesUnder(root, ['.br'])
    .filter((path) => isWanted(relative(root, path)))
    .map((path) => compileFile(root, path, reasons));
  return { programs, files, reasons };
}

/** An outcome, with the reason if there is one that explains it. */
function outcome(name: string, problem: string | undefined, reason: Reason | undefined): Outcome {
  if (problem === undefined)
    return { name, status: 'passed', ...(reason ? { note: `passes, but reasons.json has it` } : {}) };
  return reason
    ? { name, status: 'skipped', reason: reason.class }
    : { name, status: 'failed', reason: problem };
}

async function runProgram(
  root: string,
  gold: string,
  name: string,
  reasons: Reasons,
  adapter: number,
): Promise<Outcome> {
  const folder = dirname(gold);
  const files = partsOf(folder);
  const reason = reasons.programs[relative(root, folder)];
  if (files.length === 0) return outcome(name, 'no .br file', reason);
  const { text, errors, isLate } = await run(folder, files, adapter);
  if (isLate) return outcome(name, 'took too long', reason);
  const expected = withoutSpaces(readFileSync(gold, 'latin1'));
  if (withoutSpaces(text) === expected) return outcome(name, undefined, reason);
  const [first = 'it prints something else'] = errors.split('\n').filter((line) => line !== '');
  return outcome(name, first, reason);
}

/** The .br files that a folder's Makefile names, or all of them. */
function partsOf(folder: string): string[] {
  const makefile = join(folder, 'Makefile');
  const text = existsSync(makefile) ? readFileSync(makefile, 'latin1') : '';
  const [, words = ''] = /^FILES\s*:?=((?:[^\n\\]|\\\r?\n)*)/m.exec(text) ?? [];
  const named = words
    .split(/[\s\\]+/)
    .map((word) => `${word}.br`)
    .filter((file) => existsSync(join(folder, file)));
  return named.length > 0 ? named : filesUnder(folder, ['.br']).map((path) => relative(folder, path));
}

/** Lines without any white space in them, as `diff -w` compares them; empty ones at the end do not count. */
function withoutSpaces(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ''))
    .join('\n')
    .trimEnd();
}

interface Ran {
  readonly text: string;
  readonly errors: string;
  readonly isLate: boolean;
}

/** These programs have weak types, and some of them write streams that they read, which older runtimes allowed. */
function run(folder: string, files: readonly string[], adapter: number): Promise<Ran> {
  const variables = ['BRT_PERMIT_READ_WRITE_ALIASING=1', `BRT_ADAPTER=${adapter}`];
  const words = ['run', '-a', '-w', ...variables.flatMap((variable) => ['--env', variable]), ...files];
  const child = spawn(process.execPath, [resolve('dist/millrace.js'), ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [text, errors] = ['', ''];
  child.stdout.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  child.stderr.setEncoding('latin1').on('data', (part: string) => {
    errors += part;
  });
  let isLate = false;
  const alarm = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, patience);
  return new Promise((done) => {
    child.on('close', () => {
      clearTimeout(alarm);
      done({ text, errors, isLate });
    });
  });
}

/** Whether all kernels of a file compile, without strong type checking. */
function compileFile(root: string, path: string, reasons: Reasons): Outcome {
  const name = relative(root, path);
  const read = (file: string): string | undefined => {
    const found = [file, join(dirname(path), file)].find((one) => existsSync(one) && statSync(one).isFile());
    return found === undefined ? undefined : readFileSync(found, 'latin1');
  };
  const { hasErrors, log } = compileBrook(basename(path), readFileSync(path, 'latin1'), {
    strongTypes: false,
    kernelsOnly: true,
    files: { read },
  });
  const problem = hasErrors ? (log.split('\n').find((line) => line.includes('ERROR')) ?? log) : undefined;
  return outcome(name, problem, reasons.files[name]);
}
