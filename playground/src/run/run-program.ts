/** Runs a program in C on a thread of the page, its output shown as it comes. */
import { compileHost, startProgram } from 'millrace/c-host';
import { type Document, endings } from '../document.ts';
import type { ProgramOutcome, RunOutcome } from './outcome.ts';

/** Characters of output that are kept. */
const mostOutput = 1 << 18;

/** A run under way, which a person may end. */
export interface ProgramRun {
  readonly done: Promise<RunOutcome>;
  end(): void;
}

/** `show` gets the outcome so far whenever there is more of it. */
export function runProgram(document: Document, show: (outcome: ProgramOutcome) => void): ProgramRun {
  const name = `main${endings[document.language]}`;
  const began = performance.now();
  const { bytes, log } = compileHost([{ name, text: document.source }], {});
  if (!bytes) {
    const failed: RunOutcome = { kind: 'failed', message: 'The source has errors.', log };
    return { done: Promise.resolve(failed), end: () => {} };
  }
  let text = '';
  const decoder = new TextDecoder();
  const outcome = (exitCode: number | undefined): ProgramOutcome => ({
    kind: 'program',
    text,
    exitCode,
    milliseconds: performance.now() - began,
  });
  const write = (piece: Uint8Array) => {
    text = (text + decoder.decode(piece, { stream: true })).slice(-mostOutput);
    show(outcome(undefined));
  };
  try {
    const running = startProgram(bytes, { args: [name], stdout: write, stderr: write });
    const done = running.ended.then(
      ({ exitCode, stopped }): RunOutcome => {
        if (stopped) text += `\n${stopped.reason}`;
        return outcome(exitCode);
      },
      (error: Error): RunOutcome => ({ kind: 'failed', message: error.message }),
    );
    return { done, end: () => void running.end() };
  } catch (error) {
    const failed: RunOutcome = { kind: 'failed', message: (error as Error).message };
    return { done: Promise.resolve(failed), end: () => {} };
  }
}
