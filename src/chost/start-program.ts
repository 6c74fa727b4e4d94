/**
 * Runs a program on a thread of its own, so that who starts it stays in its event loop: a page, above all, which must not
 * block and whose other threads could not start if it did. The program finds files in memory; what it prints comes as it
 * prints it.
 */

import type { BrookProgram } from '../api/brook/program-functions.ts';
import { threadFiles } from '../api/c/index.ts';
import { ThreadKeeper, type ThreadRequest } from '../runtime/delegated-threads.ts';
import { asyncDispose } from '../runtime/dispose.ts';
import { forOtherThreads, startThread } from '../runtime/host.ts';
import { fileBeside, type ThreadFile } from '../runtime/thread-file.ts';
import type { CheckReport } from '../tools/check/index.ts';
import type { Profile } from '../tools/profile/index.ts';
import type { OutputFunction } from './descriptors.ts';
import { countHeard, newPace } from './output-pace.ts';
import { checkSharedMemory, ProgramError } from './run.ts';
import { toConsole } from './standard-output.ts';
import type { Stopped } from './stopped.ts';
import { memberFile } from './threads/server.ts';

export interface StartOptions {
  /** The program's name and what follows it; default `program` alone. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What the program finds, by paths such as `data/numbers.txt`; default nothing. It may add files and change these. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** All of its standard input; default none. */
  readonly stdin?: string | Uint8Array | undefined;
  /**
   * Take what it writes, as it writes it; default the console. A piece may end in the middle of a character. A program that writes
   * faster than they take it waits.
   */
  readonly stdout?: OutputFunction | undefined;
  readonly stderr?: OutputFunction | undefined;
  /** Compute threads of the device; default as many as the machine runs at a time. */
  readonly threads?: number | undefined;
  /** The type that devices pretend to have; see CL.DEVICE_TYPE_*. */
  readonly deviceType?: number | undefined;
  /** Told of each function of OpenCL that fails, and why. */
  readonly onError?: ((name: string, message: string) => void) | undefined;
  /** Milliseconds that a kernel may run before its launch fails; default 0, for ever. */
  readonly timeout?: number | undefined;
  /** Told of each kernel, or other command, that failed while it ran, and why: one that ran too long, say. */
  readonly onFailure?: ((message: string) => void) | undefined;
  /**
   * If it is there every access to memory by kernels is checked (docs/checker.md), on one thread, and this is told of each thing
   * that is wrong.
   */
  readonly onReport?: ((report: ProgramReport) => void) | undefined;
  /** If it is there the program's commands are recorded (docs/profiler.md), and it gets the profile before `ended` resolves. */
  readonly onProfile?: ((profile: Profile) => void) | undefined;
  /** Kernels of the program's .br files, as compileHost gives them. What goes wrong with streams goes to standard error. */
  readonly brook?: BrookProgram | undefined;
}

/** What a kernel of a program did wrong. */
export interface ProgramReport extends CheckReport {
  /** The message with the line of the kernel's source and a caret under it, the work-item, the other party. */
  readonly text: string;
}

/** How a program has ended. */
export interface ProgramEnd {
  /** What it gave to `exit` or returned from `main`; 134 if it was stopped. */
  readonly exitCode: number;
  /** Why it was stopped (`abort()`, a wild pointer, a stack that is full). */
  readonly stopped?: Stopped | undefined;
  /** All files that are there now, by their paths without a slash at the start. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface RunningProgram {
  /**
   * Resolves when the program has ended.
   * @throws ProgramError if it is none, or none that can run here
   */
  readonly ended: Promise<ProgramEnd>;
  /** Ends the program wherever it is, with exit code 137 and without its files. Resolves when its threads have ended. */
  end(): Promise<void>;
  /** For `await using`: ends a program that has not ended. */
  [asyncDispose](): Promise<void>;
}

/** What the program's thread gets. Of `brook` only the data travels, which is all that a run needs. */
export interface ProgramStart
  extends Pick<StartOptions, 'args' | 'env' | 'files' | 'threads' | 'deviceType' | 'timeout' | 'brook'> {
  readonly bytes: Uint8Array;
  readonly stdin: Uint8Array;
  readonly explains: boolean;
  readonly tellsOfFailures: boolean;
  readonly checks: boolean;
  readonly profiles: boolean;
  /** Counts the messages that are {@link Told}. */
  readonly heard: Int32Array;
  /** Where the files of the device's threads are. */
  readonly processor: ThreadFile;
  readonly worker: ThreadFile;
  /** And of the program's own. */
  readonly member: ThreadFile;
}

/** What a program can tell without end: see output-pace.ts. */
export type Told =
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly name: string; readonly message: string }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'report'; readonly report: ProgramReport };

/** What the program's thread posts. */
export type ProgramMessage =
  | ThreadRequest
  | Told
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'broken'; readonly error: unknown }
  | ({ readonly kind: 'end' } & ProgramEnd);

/** As shells have it for a program that is killed. */
const killCode = 137;

/**
 * Starts a program: a WebAssembly module, as `compileHost` or clang makes it.
 * @throws ProgramError where there is no memory that threads share: in a page that is not cross-origin isolated
 */
export function startProgram(bytes: Uint8Array, options: StartOptions = {}): RunningProgram {
  checkSharedMemory();
  const { args, env, files, stdin = '', threads, deviceType, timeout, brook } = options;
  const { processor, worker } = threadFiles();
  const heard = newPace();
  const start: ProgramStart = {
    bytes,
    args,
    env,
    files,
    threads,
    deviceType,
    timeout,
    brook,
    stdin: typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin,
    explains: options.onError !== undefined,
    tellsOfFailures: options.onFailure !== undefined,
    checks: options.onReport !== undefined,
    profiles: options.onProfile !== undefined,
    heard,
    processor: forOtherThreads(processor),
    worker: forOtherThreads(worker),
    member: forOtherThreads(memberFile()),
  };
  const takers = { stdout: options.stdout ?? toConsole(), stderr: options.stderr ?? toConsole() };

  let settle: { resolve: (end: ProgramEnd) => void; reject: (error: unknown) => void };
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const failed = (error: Error) => void finish(() => settle.reject(error));
  // The program is in no event loop: nothing is told to it.
  const keeper = new ThreadKeeper((report) => {
    if (report.kind === 'thread-failed') failed(new Error(report.reason));
  });
  const file = fileBeside('program.js', () => new URL('./program.js', import.meta.url));
  const thread = startThread(file, start, {
    message: (message) => hear(message as ProgramMessage),
    failed,
  });
  thread.keepAlive(true);

  let finishing: Promise<void> | undefined;
  function finish(then: () => void): Promise<void> {
    finishing ??= Promise.all([thread.terminate(), keeper.close()]).then(then);
    return finishing;
  }

  function hear(message: ProgramMessage): void {
    if (finishing) return;
    switch (message.kind) {
      case 'output':
        countHeard(heard);
        takers[message.stream](message.bytes);
        return;
      case 'error':
        countHeard(heard);
        options.onError?.(message.name, message.message);
        return;
      case 'failure':
        countHeard(heard);
        options.onFailure?.(message.message);
        return;
      case 'report':
        countHeard(heard);
        options.onReport?.(message.report);
        return;
      case 'profile':
        options.onProfile?.(message.profile);
        return;
      case 'refused':
        failed(new ProgramError(message.message));
        return;
      case 'broken':
        failed(message.error as Error);
        return;
      case 'end': {
        const { exitCode, stopped, files: left } = message;
        void finish(() => settle.resolve({ exitCode, stopped, files: left }));
        return;
      }
      default:
        keeper.handle(message);
    }
  }

  const end = () =>
    finish(() => {
      const stopped = { reason: 'it was ended from outside', frames: [] };
      settle.resolve({ exitCode: killCode, stopped, files: new Map() });
    });
  return { ended, end, [asyncDispose]: end };
}
