/** `--profile` of `millrace run`: a profile of what runs, as a table on standard error and as a trace in a file. */
import { profileTable, profileTrace, startProfiling } from 'millrace';
import { writeFile } from './files.ts';

export const profileOption = [
  '--profile [file.json]',
  'print where the time went; a trace for ui.perfetto.dev goes to the file',
] as const;

/**
 * The arguments of `millrace` with `--profile` and its file made one word. Else the option would take what follows it, whatever that
 * is: `millrace run --profile saxpy.cl`. A file for the trace is a word that ends in .json; any name does behind `--profile=`.
 * @param isProgram whether an argument is the file of a program: what follows that is the program's
 */
export function profileArguments(args: readonly string[], isProgram: (arg: string) => boolean): string[] {
  if (args[0] !== 'run') return [...args];
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (isProgram(arg)) return [...result, ...args.slice(at)];
    if (arg !== '--profile') result.push(arg);
    else if (args[at + 1]?.endsWith('.json')) {
      at += 1;
      result.push(`--profile=${args[at]}`);
    } else result.push('--profile=');
  }
  return result;
}

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
