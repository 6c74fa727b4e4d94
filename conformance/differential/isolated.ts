/**
 * Runs the tool on one file in a process of its own: a driver that crashes on a kernel takes its process along, and must
 * not take the results of all other files.
 */
import { spawn } from 'node:child_process';
import type { Outcome } from '../support/outcome.ts';

/** How a process ended: with its outcomes, or without. */
export type Ended =
  | { readonly outcomes: Outcome[] }
  /** It crashed below JavaScript; `words` are the last that it said. */
  | { readonly crash: string }
  | { readonly failure: string };

/** Marks the line with the outcomes among what else is printed. */
const mark = 'differential outcomes: ';
const minutes = 5;

/** @param words of the command line, after the program's own */
function runIsolated(program: string, words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  let isLate = false;
  const alarm = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, minutes * 60_000);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(alarm);
      const line = said.split('\n').find((each) => each.startsWith(mark));
      const last = complaints.trim().split('\n').pop() ?? '';
      if (line) resolve({ outcomes: JSON.parse(line.slice(mark.length)) as Outcome[] });
      else if (isLate) resolve({ failure: `it took longer than ${minutes} minutes` });
      else if (signal) resolve({ crash: `${signal}${last === '' ? '' : `, ${last}`}` });
      else resolve({ failure: `the process ended with ${code}: ${last}` });
    });
  });
}

/** What an isolated process prints at its end. */
export function printOutcomes(outcomes: readonly Outcome[]): void {
  console.log(`${mark}${JSON.stringify(outcomes)}`);
}

/**
 * Runs each file in a process of its own, and again without the drivers where they crash.
 * @param words for one file and devices, as on the command line
 * @param say is told what each file came to
 */
export async function runFilesIsolated(
  program: string,
  files: readonly string[],
  devices: readonly string[],
  words: (file: string, devices: readonly string[]) => readonly string[],
  say: (line: string) => void = () => {},
): Promise<Outcome[]> {
  const all: Outcome[] = [];
  const withoutDrivers = devices.filter((name) => !name.startsWith('icd:'));
  for (const file of files) {
    const outcomes: Outcome[] = [];
    let ended = await runIsolated(program, words(file, devices));
    if ('crash' in ended) {
      // Our own devices have no code below JavaScript but the engine's.
      outcomes.push({ name: file, status: 'skipped', reason: `a driver crashes: ${ended.crash}` });
      ended =
        withoutDrivers.length === 0
          ? { outcomes: [] }
          : await runIsolated(program, words(file, withoutDrivers));
    }
    if ('outcomes' in ended) outcomes.push(...ended.outcomes);
    else {
      const reason = 'crash' in ended ? ended.crash : ended.failure;
      outcomes.push({ name: file, status: 'failed', reason });
    }
    say(`${file}: ${outcomes.map(({ status }) => status).join(', ') || 'no kernels'}`);
    all.push(...outcomes);
  }
  return all;
}
