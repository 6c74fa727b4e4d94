/**
 * What `import ... from 'millrace/debug'` gives: the debugger as a library (docs/debugger.md). {@link startDebugging} says which
 * launch of the process is wanted; when that has come, {@link Debugging.session} takes it apart.
 */

import { replaceOwnDevices } from '../../devices/own.ts';
import { type CaptureRequest, CapturingDevice } from './capturing-device.ts';
import { DebugSession } from './session.ts';

export type { Breakpoint, BreakpointRequest, Watch, WatchKind } from './breakpoints.ts';
export type { CaptureRequest } from './capturing-device.ts';
export { ExpressionError } from './expressions.ts';
export type { CallView, VariableGroups } from './inspector.ts';
export { type ItemView, idText } from './item-views.ts';
export type { Picture } from './picture.ts';
export { DebugSession } from './session.ts';
export type { SourcePlace } from './source-map.ts';
export type { Stop, StopReason } from './stop.ts';
export type { DebugValue, IntegerBase } from './values.ts';

/** What is being waited for. */
export interface Debugging {
  /** How many launches there were so far that count. */
  readonly launches: number;
  /** Whether the launch has come. */
  readonly isCaptured: boolean;
  /**
   * A session over a copy of the launch, before its first step; what the host does with its buffers is no matter. Each call
   * gives a session over the same copy, so one is enough.
   * @param print takes what the kernel prints
   * @throws Error if the launch has not come, or says no places in a source
   */
  session(print?: (text: string) => void): DebugSession;
}

/**
 * Begins to wait for a launch. It is for the whole process, and to be called before anybody asks for a device or compiles a
 * program.
 */
export function startDebugging(request: CaptureRequest = {}): Debugging {
  const device = new CapturingDevice(request);
  replaceOwnDevices([device]);
  return {
    get launches() {
      return device.launches;
    },
    get isCaptured() {
      return device.captured !== undefined;
    },
    session(print) {
      const { captured } = device;
      if (!captured) throw new Error(missing(request, device.launches));
      return new DebugSession({ ...captured, print: print ?? captured.print });
    },
  };
}

function missing({ launch = 1, kernel }: CaptureRequest, launches: number): string {
  const what = kernel === undefined ? 'launches' : `launches of '${kernel}'`;
  return launches === 0 ? `there were no ${what}` : `there was no launch ${launch}: ${launches} ${what} came`;
}
