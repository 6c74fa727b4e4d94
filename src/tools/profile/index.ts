/**
 * Profiling: from {@link startProfiling} on, every command of every queue of this thread of JavaScript is recorded, every
 * build, and every call of a host API (src/tools/profile). Hosts need not know, nor have asked their queues for profiling.
 */

import { observeCommands } from '../../runtime/observe.ts';
import type { CallListener } from './api-call.ts';
import { listenToCalls } from './call-tracer.ts';
import type { Profile } from './profile.ts';
import { defaultLimit, Recorder } from './recorder.ts';

export {
  type ApiCall,
  type BegunCall,
  type CallListener,
  callText,
  logHeading,
  logLine,
} from './api-call.ts';
export { calOutcome, type Outcome, statusOutcome, traced } from './call-tracer.ts';
export { quoted } from './call-values.ts';
export { type ComparedRow, type ComparedSide, compareProfiles, comparisonTable } from './compare.ts';
export type {
  BuildRecord,
  CommandRecord,
  DeviceRecord,
  Profile,
  ThreadSpan,
} from './profile.ts';
export { readTrace, TraceError } from './read-trace.ts';
export { type Summary, type SummaryRow, summarise } from './summary.ts';
export { profileTable } from './table.ts';
export { type Timeline, type TimelineItem, type TimelineRow, timelineOf } from './timeline.ts';
export { profileTrace, type Trace, type TraceEvent } from './trace.ts';

export interface ProfilingOptions {
  /** How many commands are kept, and how many calls; of later ones only the number. Default 250,000. */
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
  const endCalls = listenToCalls(recorder);
  return {
    profile: () => recorder.profile(),
    stop() {
      end();
      endCalls();
      const profile = recorder.profile();
      recorder.close();
      return profile;
    },
  };
}

/**
 * Tells of each call of a host API (OpenCL, WebCL, CAL, Brook+, the short form) that the program makes in this thread of JavaScript, before
 * it does anything and after it: for logs, and for debuggers, which can stop in the listener. The result ends that.
 */
export function startCallLog(listener: CallListener): () => void {
  return listenToCalls(listener);
}
