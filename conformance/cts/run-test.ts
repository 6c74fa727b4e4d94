/** One test of a program of the suite, in a process of its own with a limit of time. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Outcome } from '../support/outcome.ts';

/** What a run of a program came to. */
export interface Ran {
  readonly text: string;
  readonly code: number | null;
  readonly isLate: boolean;
}

/** Characters at either end of what a program says that are kept. */
const keptCharacters = 1 << 20;

/**
 * Runs a program by `millrace run`. The suite's pool of threads does without threads; the device has its own all the same.
 * The program sees its own folder as /program and an empty one as /tmp, and of the devices the one that is named, if any is.
 */
export function runProgram(
  path: string,
  words: readonly string[],
  minutes: number,
  device?: string,
): Promise<Ran> {
  const scratch = mkdtempSync(join(tmpdir(), 'millrace-cts-'));
  const command = [resolve('dist/millrace.js'), 'run', '--env', 'CL_TEST_SINGLE_THREADED=1'];
  if (device !== undefined) command.push('--device', device);
  const folders = ['--dir', `${dirname(path)}::/program`, '--dir', `${scratch}::/tmp`];
  const child = spawn(process.execPath, [...command, ...folders, path, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [start, end] = ['', ''];
  const hear = (text: string) => {
    if (start.length < keptCharacters) start += text;
    else end = (end + text).slice(-keptCharacters);
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  let isLate = false;
  const alarm = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, minutes * 60_000);
  return new Promise((done) => {
    child.on('close', (code) => {
      clearTimeout(alarm);
      rmSync(scratch, { recursive: true });
      done({ text: start + end, code, isLate });
    });
  });
}

/** What a run came to, as a file: what the program said and, below it, how it ended. */
export function writeLog(file: string, { text, code, isLate }: Ran): void {
  writeFileSync(file, `${text}\n[${isLate ? 'stopped' : `ended with ${code}`}]\n`);
}

/** Reads what `writeLog` has written; undefined if there is no such file. */
export function readLog(file: string): Ran | undefined {
  if (!existsSync(file)) return undefined;
  const found = /^(.*)\n\[(?:stopped|ended with (\S+))\]\n$/s.exec(readFileSync(file, 'utf8'));
  if (!found) return undefined;
  const [, text = '', code] = found;
  return {
    text,
    code: code === undefined || code === 'null' ? null : Number(code),
    isLate: code === undefined,
  };
}

/**
 * The tests of a program, by its own list, which `listing` asks for and above which most programs have a heading; empty if it
 * does not start.
 */
export async function listTests(path: string, listing: string): Promise<string[]> {
  const { text } = await runProgram(path, [listing], 2);
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => /^test names/i.test(line.trim()));
  return lines
    .slice(heading + 1)
    .filter((line) => /^\t\w+$/.test(line))
    .map((line) => line.trim());
}

/**
 * What became of a test, by the words of the suite's harness. It may end well though parts of it failed, if another part is
 * not supported; and it has passed if only some of its parts are not.
 */
export function outcomeOf(name: string, { text, code, isLate }: Ran, minutes: number): Outcome {
  const failed = (reason: string): Outcome => ({ name, status: 'failed', reason });
  if (isLate) return failed(`it took longer than ${minutes} minutes`);
  if (code !== 0) return failed(firstComplaint(text) ?? `it ended with ${code}`);
  const parts = /^FAILED \d+ of \d+ sub-tests?/m.exec(text);
  if (parts) return failed(firstComplaint(text) ?? parts[0]);
  const skip = /^.*(?:test not supported|skipped \(requires .*|not supported in offline).*$/m.exec(text);
  const hasParts = /^PASSED \d+ of \d+ sub-tests/m.test(text);
  if (skip && !hasParts) return { name, status: 'skipped', reason: reasonOfSkip(text, skip[0]) };
  if (!/^PASSED (?:test|\d+ of \d+ tests)/m.test(text)) {
    if (/^SKIPPED/m.test(text)) return { name, status: 'skipped', reason: 'the program skips all its tests' };
    return failed('it did not come to its end');
  }
  return { name, status: 'passed' };
}

/** The line that says first what is wrong, for one line of a report. */
function firstComplaint(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const line =
    lines.find((each) => /error|fail|mismatch|unable|wrong|invalid|trap|unreachable|exception/i.test(each)) ??
    lines.filter((each) => each !== '').pop();
  return line?.slice(0, 200);
}

/** The harness says only that a test is not supported; what the test said before it is better. */
function reasonOfSkip(text: string, line: string): string {
  const requires = /requires at least (.*?), but/.exec(line);
  if (requires) return `requires ${requires[1]}`;
  const lines = text.split('\n').map((each) => each.trim());
  const at = lines.findIndex((each) => /test not supported$/.test(each));
  const before = lines[at - 1] ?? '';
  return /support|skip|require|availab|need/i.test(before)
    ? before.slice(0, 120)
    : 'not supported, says the test';
}
