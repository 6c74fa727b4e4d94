/** `--api-log` of `millrace run`: a line for each call that the program makes of a host API, when it has returned. */
import { openSync, writeSync } from 'node:fs';
import { type ApiCall, logHeading, logLine, startCallLog } from 'millrace';
import { FailureError } from './errors.ts';
import { reason } from './files.ts';

export const apiLogOption = [
  '--api-log <file>',
  'log each call of OpenCL, CAL or Brook+ with its arguments, result and times; - for standard error',
] as const;

/** Begins the log if the option was given, and gives what ends it. Lines are written at once: a program may crash. */
export function beginApiLog(path: string | undefined): () => void {
  if (path === undefined) return () => {};
  const file = path === '-' ? 2 : open(path);
  writeSync(file, logHeading);
  let origin: number | undefined;
  return startCallLog({
    begun({ started }) {
      origin ??= started;
    },
    ended(call: ApiCall) {
      writeSync(file, logLine(call, origin ?? call.started));
    },
  });
}

function open(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new FailureError(`--api-log: cannot write ${path}: ${reason(error)}`);
  }
}
