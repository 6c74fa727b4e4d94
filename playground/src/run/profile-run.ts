/** Profiles a run, in the worker that has the runtime. */
import {
  comparisonTable,
  type Profile,
  profileTable,
  profileTrace,
  readTrace,
  startProfiling,
  timelineOf,
} from 'millrace';
import type { Profiled } from './messages.ts';

/** More commands than this are too many for a page to draw. */
const limit = 50_000;

/** Of the program that this run is, which has a thread of its own. */
let ofProgram: Profile | undefined;

/** A program tells what it did, when it has ended: more than a page can draw, perhaps. */
export function tellProfile(profile: Profile): void {
  const commands = profile.commands.slice(0, limit);
  const missed = profile.missed + profile.commands.length - commands.length;
  ofProgram = { ...profile, commands, missed };
}

/**
 * Begins; what it gives ends it, with what there is to show: nothing where neither this thread nor a program ran a command.
 * @param before the trace of a run to compare with
 */
export function startProfile(before: string | undefined): () => Profiled | undefined {
  ofProgram = undefined;
  const profiler = startProfiling({ limit });
  return () => {
    const own = profiler.stop();
    const profile = ofProgram ?? own;
    if (profile.commands.length === 0) return undefined;
    return {
      timeline: timelineOf(profile),
      table: profileTable(profile),
      trace: JSON.stringify(profileTrace(profile)),
      comparison: before === undefined ? undefined : comparison(before, profile),
    };
  };
}

function comparison(before: string, after: Profile): string {
  try {
    return comparisonTable(readTrace(before), after);
  } catch (error) {
    return `The other run cannot be read: ${(error as Error).message}`;
  }
}
