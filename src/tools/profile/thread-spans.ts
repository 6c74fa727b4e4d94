/** What each thread of a device did, out of the records of its launches. */
import type { CommandRecord, ThreadSpan } from './profile.ts';

export interface CommandSpan extends ThreadSpan {
  readonly command: CommandRecord;
}

/** The spans of each thread from 0 to the last one that did something, for the launches of one device. */
export function byThread(commands: readonly CommandRecord[]): CommandSpan[][] {
  const threads: CommandSpan[][] = [];
  for (const command of commands) {
    for (const span of command.threads ?? []) {
      while (threads.length <= span.thread) threads.push([]);
      threads[span.thread]!.push({ ...span, command });
    }
  }
  return threads;
}
