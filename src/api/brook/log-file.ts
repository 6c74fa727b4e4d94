/**
 * BRT_LOG_FILE (2.1 of the guide): a file that gets what streams note in their logs, as it happens. Of use for programs that
 * never ask their streams. Where there are no files the variable means nothing.
 */
import { environment, machineModule } from '../../runtime/host.ts';

interface Files {
  appendFileSync(path: string, text: string): void;
}

/** Adds lines to the file, if there is to be one. A file that cannot be written is no reason to stop. */
export function logToFile(text: string): void {
  const path = environment('BRT_LOG_FILE');
  if (!path) return;
  try {
    (machineModule('node:fs') as Files | undefined)?.appendFileSync(path, text);
  } catch {
    // The log is beside the point of the program.
  }
}
