/** Runs a program in C or Brook+ on a thread of its own, its output shown as it comes. */
import { compileHost, type ProgramReport, startProgram } from 'millrace/c-host';
import { CL } from 'millrace/opencl';
import { type DeviceType, type Document, endings, plainSurroundings } from '../document.ts';
import { programFiles } from './files.ts';
import { sampleHeaders } from './headers.ts';
import { KeptOutput } from './kept-output.ts';
import type { ProgramOutcome, RunOutcome } from './outcome.ts';
import { tellProfile } from './profile-run.ts';
import { readStartWords } from './start-words.ts';

/** Milliseconds between two looks at output that keeps coming. */
const pause = 100;

/** Milliseconds after which a kernel is stopped. */
const timeout = 20_000;

/** More failures than this say nothing new. */
const mostFailures = 20;

const typeCodes: Readonly<Record<DeviceType, number | undefined>> = {
  cpu: undefined,
  gpu: CL.DEVICE_TYPE_GPU,
  accelerator: CL.DEVICE_TYPE_ACCELERATOR,
};

/**
 * Never throws. `show` gets the outcome so far when there is more of it; with `onReport` kernels are checked, and it gets what they
 * do wrong.
 */
export async function runProgram(
  { source, language, options, surroundings = plainSurroundings }: Document,
  show: (outcome: ProgramOutcome) => void,
  onReport?: (report: ProgramReport) => void,
): Promise<RunOutcome> {
  const name = `main${endings[language]}`;
  const began = performance.now();
  const { bytes, brook, log } = compileHost([{ name, text: source }], {
    files: sampleHeaders,
    checkPointers: onReport !== undefined,
  });
  if (!bytes) return { kind: 'failed', message: 'The source has errors.', log };
  const output = new KeptOutput();
  output.add(log);
  const failures = new Set<string>();
  const outcome = (exitCode: number | undefined): ProgramOutcome => ({
    kind: 'program',
    ...output.look(),
    exitCode,
    milliseconds: performance.now() - began,
    failures: [...failures],
    files: new Map(),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Two decoders: a piece of one may end in the middle of a character.
  const writer = () => {
    const decoder = new TextDecoder();
    return (piece: Uint8Array) => {
      output.add(decoder.decode(piece, { stream: true }));
      timer ??= setTimeout(() => {
        timer = undefined;
        show(outcome(undefined));
      }, pause);
    };
  };
  const fail = (text: string) => {
    if (failures.size < mostFailures) failures.add(text);
  };
  const { env, args } = readStartWords(options);
  const given = programFiles();
  show(outcome(undefined));
  try {
    const program = startProgram(bytes, {
      args: [name, ...args],
      env,
      brook,
      files: given,
      stdin: surroundings.input,
      deviceType: typeCodes[surroundings.deviceType],
      timeout,
      onReport,
      // What fails is told by its first line: a build's log is long, and the program may have printed it.
      onError: (call, message) => fail(`${call}: ${message.split('\n', 1)[0]}`),
      onFailure: fail,
      onProfile: onReport ? undefined : tellProfile,
      stdout: writer(),
      stderr: writer(),
    });
    const { exitCode, stopped, files } = await program.ended;
    return {
      ...outcome(exitCode),
      stopped: stopped && { reason: stopped.reason, functions: functionsOf(stopped.frames) },
      files: changedFiles(given, files),
    };
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}

/** Their names, innermost first; what begins every program and what ends it are left out. */
function functionsOf(frames: readonly string[]): string[] {
  const names = frames.map((frame) => /^\s*at (\S+) \(/.exec(frame)?.[1] ?? frame.trim());
  return names.filter((name) => !/^(_start|__\w+|abort|stack_overflow)$/.test(name));
}

function changedFiles(
  given: Readonly<Record<string, Uint8Array>>,
  left: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array<ArrayBuffer>> {
  const isSame = (a: Uint8Array | undefined, b: Uint8Array) =>
    a !== undefined && a.length === b.length && a.every((byte, at) => byte === b[at]);
  return new Map(
    [...left]
      .filter(([name, bytes]) => !isSame(given[name], bytes))
      .map(([name, bytes]) => [name, bytes.slice()]),
  );
}
