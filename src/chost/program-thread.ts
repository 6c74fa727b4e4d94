/** The thread of a program that somebody else has started: see start-program.ts. */
import { defaultPlatform, ownPlatform } from '../api/c/index.ts';
import { delegateThreads } from '../runtime/delegated-threads.ts';
import { threadsAreIndependent } from '../runtime/host.ts';
import { startChecking } from '../tools/check/index.ts';
import { startProfiling } from '../tools/profile/index.ts';
import { MemoryFiles } from './memory-files.ts';
import { OutputPace } from './output-pace.ts';
import { ProgramError, runProgram } from './run.ts';
import type { ProgramMessage, ProgramStart, Told } from './start-program.ts';
import { abortCode, stoppedBy } from './stopped.ts';

export function runProgramThread(start: ProgramStart, post: (message: ProgramMessage) => void): void {
  if (!threadsAreIndependent()) delegateThreads(post);
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { bytes, args, env, threads, deviceType, timeout, stdin, checks, brook } = start;
  try {
    const files = filesOf(start);
    const pace = new OutputPace(start.heard);
    const tell = (message: Told) => {
      post(message);
      pace.sent();
    };
    const output = (stream: 'stdout' | 'stderr') => (piece: Uint8Array) =>
      tell({ kind: 'output', stream, bytes: piece });
    if (checks) {
      startChecking({
        report: ({ text, ...report }) => tell({ kind: 'report', report: { ...report, text: text() } }),
      });
    }
    // The checker's device has no threads.
    const platform = checks
      ? defaultPlatform()
      : ownPlatform({
          threads,
          files: { processor: start.processor, worker: start.worker },
        });
    const run = () =>
      runProgram(bytes, {
        args,
        env,
        deviceType,
        timeout,
        brook,
        onBrookError: (text) => output('stderr')(new TextEncoder().encode(`${text}\n`)),
        platforms: [platform],
        memberFile: start.member,
        inMemory: { files, stdin, stdout: output('stdout'), stderr: output('stderr') },
        onFailure: start.tellsOfFailures ? (message) => tell({ kind: 'failure', message }) : undefined,
        onError: start.explains
          ? (name, error) => tell({ kind: 'error', name, message: `${error.name}: ${error.message}` })
          : undefined,
      });
    const profiler = start.profiles ? startProfiling() : undefined;
    const end = endOf(run);
    if (profiler) post({ kind: 'profile', profile: profiler.stop() });
    post({ kind: 'end', ...end, files: files.contents() });
  } catch (error) {
    if (error instanceof ProgramError) post({ kind: 'refused', message: error.message });
    else post({ kind: 'broken', error });
  }
}

function endOf(run: () => number): Pick<ProgramMessage & { kind: 'end' }, 'exitCode' | 'stopped'> {
  try {
    return { exitCode: run() };
  } catch (error) {
    const stopped = stoppedBy(error);
    if (!stopped) throw error;
    return { exitCode: abortCode, stopped };
  }
}

/** @throws ProgramError if one file lies in another */
function filesOf({ files }: ProgramStart): MemoryFiles {
  try {
    return new MemoryFiles(files);
  } catch (error) {
    throw new ProgramError(error instanceof Error ? error.message : String(error));
  }
}
