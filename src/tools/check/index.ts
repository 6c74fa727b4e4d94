/**
 * Checking: from {@link startChecking} on, all that runs on Millrace's own devices runs on one that looks at every memory access
 * (src/tools/check). Hosts that ask for devices get that one and need not know.
 */

import { replaceOwnDevices } from '../../devices/own.ts';
import { CheckingDevice } from './checking-device.ts';
import { type CheckReport, type PlacedReport, renderReport } from './report.ts';

export type { CheckReport } from './report.ts';

/** A report, and the text that people read. */
export interface FoundReport extends CheckReport {
  /** The message with the line of the source and a caret under it, the work-item, the other party. */
  text(color?: boolean): string;
}

export interface CheckOptions {
  /** Called after each launch that did something wrong, for each thing. */
  readonly report: (report: FoundReport) => void;
  /** Milliseconds that one work-group may run, and all launches together that a kernel leads to; default a minute. */
  readonly timeout?: number | undefined;
}

/**
 * Begins to check. It is for the whole process, and to be called before anybody asks for a device or compiles a program: what
 * runs already goes on unchecked.
 */
export function startChecking({ report, timeout }: CheckOptions): void {
  const device = new CheckingDevice({
    timeout,
    report: (reports) => {
      for (const placed of reports) report(foundReport(placed));
    },
  });
  replaceOwnDevices([device]);
}

function foundReport(placed: PlacedReport): FoundReport {
  return { ...placed.report, text: (color) => renderReport(placed, color) };
}
