/**
 * Whose threads end though their context lives. A thread takes some megabytes and descriptors of the system, and programs forget
 * contexts, or keep them without using them. So the threads of a context *rest* while it has nothing to do: always after a while,
 * and at once where there are more such contexts than a few. They start anew with the next command.
 *
 * Nothing is noted when a command is enqueued. What has been used since the last look shows in its number of commands.
 */
import { everyNowAndThen } from '../../runtime/host.ts';

/** The threads of a device in one context. */
export interface RestingThreads {
  /** The same for all devices of a context. */
  readonly context: object;
  /** They run, nothing is under way, and they can end now. */
  readonly mayRest: boolean;
  /** Changes with every command. */
  readonly activity: number;
  rest(): void;
}

/** So many contexts may have threads that do nothing. */
const mostIdle = 4;

/** Milliseconds between two looks, and looks after which threads that were idle at each of them rest. */
const lookTime = 15_000;
const mostLooks = 4;

interface Entry {
  activity: number;
  /** At which look something had been done; looks are counted. */
  usedAt: number;
  /** Looks of the timer since then. */
  idleLooks: number;
}

/** Of this thread of JavaScript; who was first comes first. */
const running = new Map<RestingThreads, Entry>();
let looks = 0;
let isTiming = false;

/** Threads start: others that are idle make room for them. */
export function addThreads(threads: RestingThreads): void {
  look();
  leaveIdle(mostIdle - 1);
  running.set(threads, { activity: threads.activity, usedAt: looks, idleLooks: 0 });
  if (isTiming) return;
  isTiming = true;
  everyNowAndThen(lookTime, lookForOld);
}

/** Threads have ended. */
export function removeThreads(threads: RestingThreads): void {
  running.delete(threads);
}

function look(): void {
  looks += 1;
  for (const [threads, entry] of running) {
    const { activity } = threads;
    if (activity === entry.activity) continue;
    entry.activity = activity;
    entry.usedAt = looks;
    entry.idleLooks = 0;
  }
}

/** Lets all but so many idle contexts rest, those first that have been idle for the longest time. Devices of one context stay together. */
function leaveIdle(most: number): void {
  const contexts = new Map<object, { usedAt: number; isIdle: boolean; readonly threads: RestingThreads[] }>();
  for (const [each, { usedAt }] of running) {
    const known = contexts.get(each.context) ?? { usedAt, isIdle: true, threads: [] };
    known.usedAt = Math.max(known.usedAt, usedAt);
    known.isIdle &&= each.mayRest;
    known.threads.push(each);
    contexts.set(each.context, known);
  }
  const idle = [...contexts.values()].filter(({ isIdle }) => isIdle);
  idle.sort((one, other) => one.usedAt - other.usedAt);
  for (const { threads } of idle.slice(0, Math.max(0, idle.length - most))) threads.forEach(end);
}

function lookForOld(): boolean {
  look();
  leaveIdle(mostIdle);
  for (const [threads, entry] of running) {
    entry.idleLooks = threads.mayRest ? entry.idleLooks + 1 : 0;
    if (entry.idleLooks > mostLooks) end(threads);
  }
  isTiming = running.size > 0;
  return isTiming;
}

function end(threads: RestingThreads): void {
  running.delete(threads);
  threads.rest();
}
