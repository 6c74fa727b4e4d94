/** Profiles a run, in the worker that has the runtime. */
import { profileTable, profileTrace, startProfiling, timelineOf } from 'millrace';
import type { Profiled } from './messages.ts';

/** More commands than this are too many for a page to draw. */
const limit = 50_000;

/** Begins; what it gives ends it, with what there is to show: nothing where this thread ran no command. */
export function startProfile(): () => Profiled | undefined {
  const profiler = startProfiling({ limit });
  return () => {
    const profile = profiler.stop();
    if (profile.commands.length === 0) return undefined;
    return {
      timeline: timelineOf(profile),
      table: profileTable(profile),
      trace: JSON.stringify(profileTrace(profile)),
    };
  };
}
