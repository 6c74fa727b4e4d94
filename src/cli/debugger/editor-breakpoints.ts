/**
 * Breakpoints as an editor sets them: each time all of a kind, in place of those that there were. One that cannot be is shown as
 * not verified, with the reason.
 */
import { Breakpoint as AdapterBreakpoint } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Breakpoint, DebugSession, WatchKind } from 'millrace/debug';

const watchKinds: Readonly<Record<DebugProtocol.DataBreakpointAccessType, WatchKind>> = {
  read: 'read',
  write: 'write',
  readWrite: 'access',
};

/** Those on lines of a file. */
export function setLineBreakpoints(
  session: DebugSession,
  file: string,
  breakpoints: readonly DebugProtocol.SourceBreakpoint[],
): DebugProtocol.Breakpoint[] {
  remove(session, ({ line, file: of }) => line !== undefined && of === file);
  return breakpoints.map((wanted) => add(session, { line: wanted.line, file }, wanted));
}

/** Those on functions. */
export function setFunctionBreakpoints(
  session: DebugSession,
  breakpoints: readonly DebugProtocol.FunctionBreakpoint[],
): DebugProtocol.Breakpoint[] {
  remove(session, ({ function: name }) => name !== undefined);
  return breakpoints.map((wanted) => add(session, { function: wanted.name }, wanted));
}

/** Those on data: watches. One that there was stays the same. */
export function setDataBreakpoints(
  session: DebugSession,
  breakpoints: readonly DebugProtocol.DataBreakpoint[],
): DebugProtocol.Breakpoint[] {
  const known = new Map(session.watches.map((watch) => [`${watch.kind} ${watch.text}`, watch]));
  const set = breakpoints.map(({ dataId, accessType = 'write' }) => {
    const kind = watchKinds[accessType];
    const old = known.get(`${kind} ${dataId}`);
    known.delete(`${kind} ${dataId}`);
    const shown: DebugProtocol.Breakpoint = new AdapterBreakpoint(true);
    try {
      shown.id = (old ?? session.watch(dataId, kind)).id;
    } catch (error) {
      return { verified: false, message: (error as Error).message };
    }
    return shown;
  });
  for (const { id } of known.values()) session.remove(id);
  return set;
}

/** Whether an expression can be watched, and how. @param isPlace whether it is somewhere in memory */
export function dataBreakpointInfo(
  text: string,
  isPlace: boolean,
): DebugProtocol.DataBreakpointInfoResponse['body'] {
  return isPlace
    ? { dataId: text, description: text, accessTypes: ['write', 'read', 'readWrite'] }
    : { dataId: null, description: `${text} is no place in memory` };
}

function remove(session: DebugSession, belongs: (breakpoint: Breakpoint) => boolean): void {
  for (const breakpoint of session.breakpoints) if (belongs(breakpoint)) session.remove(breakpoint.id);
}

function add(
  session: DebugSession,
  at: { line?: number; file?: string; function?: string },
  { condition, hitCondition }: { condition?: string; hitCondition?: string },
): DebugProtocol.Breakpoint {
  const ignore = Math.max(0, (Number.parseInt(hitCondition ?? '1', 10) || 1) - 1);
  try {
    const made = session.addBreakpoint({ ...at, condition: condition?.trim() || undefined, ignore });
    const shown: DebugProtocol.Breakpoint = new AdapterBreakpoint(made.place !== undefined, made.place?.line);
    shown.id = made.id;
    if (!made.place) shown.message = 'there is no code';
    return shown;
  } catch (error) {
    const refused: DebugProtocol.Breakpoint = new AdapterBreakpoint(false);
    refused.message = (error as Error).message;
    return refused;
  }
}
