/**
 * BRT_LOG_FILE (2.1 of the guide): a file that gets what streams note in their logs, as it happens. Of use for programs that
 * never ask their streams. Where there are no files the variable means nothing.
 */
import { environment, machineModule } from '../../runtime/host.ts';

interface Files {
  appendFileSync(path: string, text: string): void;
}

/** Takes lines of logs. */
export type LogFunction = (text: string) => void;

/** Adds lines to the file that the machine's environment names, if it does. */
export function logToFile(text: string): void {
  appendTo(environment('BRT_LOG_FILE'), text);
}

/** Adds lines to a file of the machine. One that cannot be written is no reason to stop. */
export function appendTo(path: string | undefined, text: string): void {
  if (!path) return;
  try {
    (machineModule('node:fs') as Files | undefined)?.appendFileSync(path, text);
  } catch {
    // The log is beside the point of the program.
  }
}
