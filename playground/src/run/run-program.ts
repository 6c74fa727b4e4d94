/** Runs a program in C or Brook+ on a thread of its own, its output shown as it comes. */
import { compileHost, type ProgramReport, startProgram } from 'millrace/c-host';
import { type Document, endings } from '../document.ts';
import { sampleHeaders } from './headers.ts';
import type { ProgramOutcome, RunOutcome } from './outcome.ts';
import { readStartWords } from './start-words.ts';

/** Characters of output that are kept. */
const mostOutput = 1 << 18;

/** Milliseconds between two looks at output that keeps coming. */
const pause = 50;

/**
 * Never throws. `show` gets the outcome so far when there is more of it; with `onReport` kernels are checked, and it gets what they
 * do wrong.
 */
export async function runProgram(
  { source, language, options }: Document,
  show: (outcome: ProgramOutcome) => void,
  onReport?: (report: ProgramReport) => void,
): Promise<RunOutcome> {
  const name = `main${endings[language]}`;
  const began = performance.now();
  const { bytes, brook, log } = compileHost([{ name, text: source }], { files: sampleHeaders });
  if (!bytes) return { kind: 'failed', message: 'The source has errors.', log };
  let text = log;
  const outcome = (exitCode: number | undefined): ProgramOutcome => ({
    kind: 'program',
    text,
    exitCode,
    milliseconds: performance.now() - began,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Two decoders: a piece of one may end in the middle of a character.
  const writer = () => {
    const decoder = new TextDecoder();
    return (piece: Uint8Array) => {
      text = (text + decoder.decode(piece, { stream: true })).slice(-mostOutput);
      timer ??= setTimeout(() => {
        timer = undefined;
        show(outcome(undefined));
      }, pause);
    };
  };
  const { env, args } = readStartWords(options);
  show(outcome(undefined));
  try {
    const program = startProgram(bytes, {
      args: [name, ...args],
      env,
      brook,
      onReport,
      stdout: writer(),
      stderr: writer(),
    });
    const { exitCode, stopped } = await program.ended;
    if (stopped) text += `\n${stopped.reason}`;
    return outcome(exitCode);
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}
