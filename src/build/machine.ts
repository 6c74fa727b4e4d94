/**
 * What Millrace does on a machine and not in a page, where no-machine.ts is in the place of this file (scripts/build.mjs):
 * it keeps builds on disk, and does what words in the environment say.
 */
import { hasReplacedDevices, provideMachine } from '../devices/own.ts';
import { finders } from '../devices/requested.ts';
import { threadCode } from '../devices/wasm/embedded-threads.ts';
import { onMachines } from '../devices/wasm/on-machines.ts';
import { provideLibraryForAll } from '../library/wide.ts';
import { Part } from '../parts/part.ts';
import { clockFrequency } from '../runtime/clock-frequency.ts';
import {
  atExit,
  environment,
  failAtExit,
  machineModule,
  now,
  provideClock,
  threadNumber,
} from '../runtime/host.ts';
import { provideThreadCode } from '../runtime/thread-file.ts';
import { startChecking } from '../tools/check/index.ts';
import { logHeading, logLine } from '../tools/profile/api-call.ts';
import { listenToCalls } from '../tools/profile/call-tracer.ts';
import { startProfiling } from '../tools/profile/index.ts';
import { profileTable } from '../tools/profile/table.ts';
import { profileTrace } from '../tools/profile/trace.ts';

export { cacheInfo, clearCache } from './cache/build-cache.ts';
export { cachedCode, cachedFrontEnd } from './cache/cached-front-end.ts';

let begun = false;

/** To be called before anything of Millrace's is used; by all who offer devices. */
export function begin(): void {
  if (begun) return;
  begun = true;
  // Here nothing is gained by loading parts of it later.
  provideLibraryForAll();
  provideClock(clockFrequency);
  provideThreadCode(threadCode);
  provideMachine(onMachines);
  finders.native = new Part(
    'the native device',
    async () => (await import('../devices/native/find-device.ts')).findNativeDevice,
  );
  // Programs that cannot be changed are checked by a word in the environment.
  if (environment('MILLRACE_CHECK') === '1' && !hasReplacedDevices()) {
    checkUntilExit();
  }
  const word = environment('MILLRACE_PROFILE');
  if (word !== undefined && word !== '' && word !== '0') profileUntilExit(word);
  const log = environment('MILLRACE_API_LOG');
  if (log !== undefined && log !== '' && log !== '0') logCalls(log);
}

/** What is found goes to standard error, and that something is wrong shows in the exit code. */
function checkUntilExit(): void {
  let hasFound = false;
  startChecking({
    report: (report) => {
      console.error(report.text());
      if (report.severity === 'warning') return;
      if (!hasFound) failAtExit();
      hasFound = true;
    },
  });
}

/**
 * Programs that cannot be changed are profiled by a word in the environment: the table goes to standard error when the process
 * ends, and the trace to the file that the word names, if it does. Other threads of the program write files of their own.
 */
function profileUntilExit(word: string): void {
  const profiler = startProfiling();
  atExit(() => {
    const profile = profiler.stop();
    const { commands, builds, unfinished } = profile;
    if (commands.length + builds.length + unfinished === 0) return;
    console.error(profileTable(profile).trimEnd());
    if (word === '1') return;
    const path = pathOfThread(word, '.json');
    const files = machineModule('node:fs') as { writeFileSync(path: string, text: string): void };
    try {
      files.writeFileSync(path, JSON.stringify(profileTrace(profile)));
    } catch (error) {
      console.error(
        `MILLRACE_PROFILE: cannot write ${path}: ${error instanceof Error ? error.message : error}`,
      );
    }
  });
}

/** Each thread writes a file of its own. */
function pathOfThread(path: string, ending: string): string {
  const thread = threadNumber();
  if (thread === 0) return path;
  const base = path.endsWith(ending) ? path.slice(0, -ending.length) : path;
  return `${base}.thread${thread}${path.slice(base.length)}`;
}

/**
 * Writes a line for each call of a host API when it has returned: to standard error if the word is `-` or `1`, else to a file. What was
 * written before the process dies is there.
 */
function logCalls(word: string): void {
  const files = machineModule('node:fs') as {
    openSync(path: string, flags: 'w'): number;
    writeSync(file: number, text: string): void;
  };
  const path = word === '-' || word === '1' ? undefined : pathOfThread(word, '.log');
  let file = 2;
  try {
    if (path !== undefined) file = files.openSync(path, 'w');
  } catch (error) {
    console.error(
      `MILLRACE_API_LOG: cannot write ${path}: ${error instanceof Error ? error.message : error}`,
    );
    return;
  }
  const origin = now();
  files.writeSync(file, logHeading);
  listenToCalls({ ended: (call) => files.writeSync(file, logLine(call, origin)) });
}
