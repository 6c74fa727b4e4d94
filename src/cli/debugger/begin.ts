/**
 * From a file to a session of the debugger, for the prompt and for editors: a kernel is launched with the arguments of the command
 * line, a host program runs to its end, or until it has made the launch that is wanted.
 */
import { accessSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DebugSession, startDebugging } from 'millrace/debug';
import { type RunOptions, runFile } from '../commands/run.ts';
import { runProgramFile } from '../commands/run-program.ts';
import { FailureError, UsageError } from '../errors.ts';
import { reason } from '../files.ts';
import { isProgramFile } from '../program-files.ts';
import { runSimulation } from '../simulation.ts';
import { stopAtCalls } from './call-stops.ts';
import { watchBuilds } from './failed-build.ts';

export interface DebugOptions extends RunOptions {
  /** Of a host program: which launch, from 1 on. */
  readonly launch?: string;
  /** Of a host program: calls at which it stops. */
  readonly breakCall?: readonly string[];
  readonly dir?: readonly string[];
  readonly env?: readonly string[];
}

/** A host program that has ended without the launch that was to be debugged. */
export class NoLaunchError extends FailureError {}

/**
 * @param rest the arguments of a host program
 * @param print takes what the kernel prints while it is debugged
 */
export async function beginDebugging(
  file: string,
  rest: readonly string[],
  options: DebugOptions,
  print: (text: string) => void,
): Promise<DebugSession> {
  if (file === '-') throw new UsageError('the debugger has standard input for its own commands: name a file');
  try {
    accessSync(file);
  } catch (error) {
    throw new FailureError(`cannot read ${file}: ${reason(error)}`);
  }
  const number = options.launch ?? '1';
  if (!/^[1-9]\d*$/.test(number)) {
    throw new UsageError(`--launch '${number}': write the number of a launch, from 1 on`);
  }
  const isModule = /\.[cm]?[jt]s$/.test(file);
  const isHost = isModule || isProgramFile(file);
  if (!isHost && rest.length > 0) throw new UsageError(`'${rest[0]}': a kernel has its arguments by --arg`);
  const debugging = startDebugging({
    launch: Number(number),
    kernel: isHost ? options.kernel : undefined,
    runs: isHost,
  });
  const { breakCall = [] } = options;
  if (!isHost && breakCall.length > 0) throw new UsageError('--break-call stops host programs, not kernels');
  const endStops = stopAtCalls(breakCall);
  const watched = isHost ? watchBuilds() : undefined;
  if (isModule) await runModule(file, rest, () => debugging.isCaptured);
  else if (isHost) {
    if (!runProgramFile(file, rest, options)) throw new FailureError(`${file} has errors`);
    // The exit code is that of the debugger.
    process.exitCode = 0;
  } else if (file.endsWith('.sim')) await runSimulation(file);
  else await runFile(file, options, false);
  endStops();
  watched?.end();
  if (!debugging.isCaptured) {
    const { launches } = debugging;
    const what = options.kernel === undefined ? 'launches' : `launches of '${options.kernel}'`;
    const why = launches === 0 ? `${file} made no ${what}` : `${file} made ${launches} ${what} only`;
    const failure = watched?.failure();
    throw new NoLaunchError(failure === undefined ? why : `${why}: ${failure}`);
  }
  try {
    return debugging.session(print);
  } catch (error) {
    throw new FailureError((error as Error).message);
  }
}

/** Runs a program of JavaScript until the launch has come, or nothing is left that it waits for. */
async function runModule(file: string, rest: readonly string[], isDone: () => boolean): Promise<void> {
  process.argv.splice(1, process.argv.length - 1, resolve(file), ...rest);
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && file.endsWith('ts')) {
      const way = "NODE_OPTIONS='--import tsx' brings a loader";
      throw new FailureError(`${file}: Node ${process.version} does not run TypeScript by itself; ${way}`);
    }
    // The launch may have come before; then that is what is looked at.
    console.error(error);
    if (!isDone()) throw new FailureError(`${file} has ended with an error`);
  }
  if (isDone()) return;
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      if (isDone()) finish();
    }, 20).unref();
    const finish = () => {
      clearInterval(timer);
      process.off('beforeExit', finish);
      done();
    };
    process.on('beforeExit', finish);
  });
}
