/** `--profile` of `millrace run`: a profile of what runs, as a table on standard error and as a trace in a file. */
import { profileTable, profileTrace, startProfiling } from 'millrace';
import { writeFile } from './files.ts';

export const profileOption = [
  '--profile [file.json]',
  'print where the time went; a trace for ui.perfetto.dev goes to the file',
] as const;

/**
 * Begins a profile if the option was given, and gives what ends it.
 * @param path undefined without the option, empty or true without a file
 */
export function beginProfile(path: string | true | undefined): () => void {
  if (path === undefined) return () => {};
  const profiler = startProfiling();
  return () => {
    const profile = profiler.stop();
    console.error(profileTable(profile).trimEnd());
    if (path === true || path === '') return;
    writeFile(path, JSON.stringify(profileTrace(profile)));
    console.error(`trace saved to ${path}`);
  };
}
