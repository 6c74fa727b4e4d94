/**
 * Profiling: from {@link startProfiling} on, every command of every queue of this thread of JavaScript is recorded, and every
 * build (src/profile). Hosts need not know, nor have asked their queues for profiling.
 */
import type { Profile } from '../profile/profile.ts';
import { defaultLimit, Recorder } from '../profile/recorder.ts';
import { profileTable } from '../profile/table.ts';
import { profileTrace } from '../profile/trace.ts';
import { atExit, environment, machineModule, threadNumber } from '../runtime/host.ts';
import { observeCommands } from '../runtime/observe.ts';

export { type ComparedRow, type ComparedSide, compareProfiles, comparisonTable } from '../profile/compare.ts';
export type {
  BuildRecord,
  CommandRecord,
  DeviceRecord,
  Profile,
  ThreadSpan,
} from '../profile/profile.ts';
export { readTrace, TraceError } from '../profile/read-trace.ts';
export { type Summary, type SummaryRow, summarise } from '../profile/summary.ts';
export { profileTable } from '../profile/table.ts';
export { type Timeline, type TimelineItem, type TimelineRow, timelineOf } from '../profile/timeline.ts';
export { profileTrace, type Trace, type TraceEvent } from '../profile/trace.ts';

export interface ProfilingOptions {
  /** How many commands are kept; of later ones only the number. Default 250,000. */
  readonly limit?: number | undefined;
}

/** A profile that is being made. */
export interface Profiler {
  /** What there is so far: commands that have ended, and how many have not. */
  profile(): Profile;
  /** Ends it, and gives what there is. */
  stop(): Profile;
}

/**
 * Begins to record. It is to be called before queues are made, which the short form does when it first compiles: of commands in
 * others the device may not find out when they began.
 */
export function startProfiling({ limit = defaultLimit }: ProfilingOptions = {}): Profiler {
  const recorder = new Recorder(limit);
  const end = observeCommands(recorder);
  return {
    profile: () => recorder.profile(),
    stop() {
      end();
      const profile = recorder.profile();
      recorder.close();
      return profile;
    },
  };
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
    const thread = threadNumber();
    const path = thread === 0 ? word : word.replace(/(\.json)?$/, `.thread${thread}$1`);
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

const word = environment('MILLRACE_PROFILE');
if (word !== undefined && word !== '' && word !== '0') profileUntilExit(word);
