/**
 * Frames as an editor numbers them. Its threads are the work-items of the group that runs, by their number in it and one; the
 * frames of all of them share one count.
 */
import type { DebugSession } from 'millrace/debug';

/** Frames of one work-item. */
const framesOfItem = 1000;

/** The number of a call, 0 being the innermost, of a thread. */
export function frameNumber(thread: number, depth: number): number {
  return (thread - 1) * framesOfItem + depth + 1;
}

/** Looks through the eyes of a thread's work-item, without choosing it. */
export function asThread<T>(session: DebugSession, thread: number, look: (session: DebugSession) => T): T {
  const { index: selected } = session.selected;
  if (!session.items()[thread - 1]) return look(session);
  session.select(thread - 1);
  try {
    return look(session);
  } finally {
    session.select(selected);
  }
}

/** The same in one of its frames; without one, in the innermost of the work-item that is chosen. */
export function inFrame<T>(
  session: DebugSession,
  id: number | undefined,
  look: (session: DebugSession, call: number) => T,
): T {
  if (id === undefined) return look(session, 0);
  const thread = Math.floor((id - 1) / framesOfItem) + 1;
  return asThread(session, thread, () => look(session, (id - 1) % framesOfItem));
}
