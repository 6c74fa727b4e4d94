/** `--profile` of `millrace run`: a profile of what runs, as a table on standard error and as a trace in a file. */
import { profileTable, profileTrace, startProfiling } from 'millrace';
import { checkPlace, writeFile } from './files.ts';

export const profileOption = [
  '--profile [file.json]',
  'print where the time went; a trace for ui.perfetto.dev goes to the file',
] as const;

/**
 * Begins a profile if the option was given, and gives what ends it. Throws a FailureError if the folder of the trace is not there.
 * @param path undefined without the option, empty or true without a file
 */
export function beginProfile(path: string | true | undefined): () => void {
  if (path === undefined) return () => {};
  const isSaved = path !== true && path !== '';
  if (isSaved) checkPlace(path);
  const profiler = startProfiling();
  return () => {
    const profile = profiler.stop();
    console.error(profileTable(profile).trimEnd());
    if (!isSaved) return;
    writeFile(path, JSON.stringify(profileTrace(profile)));
    console.error(`trace saved to ${path}`);
  };
}
