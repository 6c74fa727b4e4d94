/** One test of a program of the suite, in a process of its own with a limit of time. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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
 * The program sees its own folder as /program and an empty one as /tmp.
 */
export function runProgram(path: string, words: readonly string[], minutes: number): Promise<Ran> {
  const scratch = mkdtempSync(join(tmpdir(), 'millrace-cts-'));
  const command = [resolve('dist/millrace.js'), 'run', '--env', 'CL_TEST_SINGLE_THREADED=1'];
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

/** The tests of a program, by its own list, above which most programs have a heading; empty if it does not start. */
export async function listTests(path: string): Promise<string[]> {
  const { text } = await runProgram(path, ['-h'], 2);
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => /^test names/i.test(line.trim()));
  return lines
    .slice(heading + 1)
    .filter((line) => /^\t\w+$/.test(line))
    .map((line) => line.trim());
}

/** What became of a test, by the words of the suite's harness. */
export function outcomeOf(name: string, { text, code, isLate }: Ran, minutes: number): Outcome {
  if (isLate) return { name, status: 'failed', reason: `it took longer than ${minutes} minutes` };
  if (code !== 0) return { name, status: 'failed', reason: firstComplaint(text) ?? `it ended with ${code}` };
  const skip = /^.*(?:test not supported|skipped \(requires .*|not supported in offline).*$/m.exec(text);
  if (skip) return { name, status: 'skipped', reason: reasonOfSkip(text, skip[0]) };
  if (!/^PASSED (?:test|\d+ of \d+ tests)/m.test(text)) {
    if (/^SKIPPED/m.test(text)) return { name, status: 'skipped', reason: 'the program skips all its tests' };
    return { name, status: 'failed', reason: 'it did not come to its end' };
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
