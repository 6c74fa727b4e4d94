/**
 * Profiling: from {@link startProfiling} on, every command of every queue of this thread of JavaScript is recorded, and every
 * build (src/profile). Hosts need not know, nor have asked their queues for profiling.
 */
import type { Profile } from '../profile/profile.ts';
import { defaultLimit, Recorder } from '../profile/recorder.ts';
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
