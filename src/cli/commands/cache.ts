/** `millrace cache`: what the build cache on the disk holds, and how to empty it. */
import { Argument, type Command } from 'commander';
import { cacheInfo, clearCache } from 'millrace';
import { counted } from '../arguments/counted.ts';
import { FailureError } from '../errors.ts';

/** Declares arguments, options and action of the subcommand. */
export function cacheCommand(command: Command): void {
  command
    .addArgument(
      new Argument('[action]', 'info: where it is and what it holds; clear: remove all builds')
        .choices(['info', 'clear'])
        .default('info'),
    )
    .addHelpText(
      'after',
      `
MILLRACE_CACHE_DIR names another folder; MILLRACE_CACHE=0 turns the cache off.`,
    )
    .action((action: 'info' | 'clear') => {
      if (action === 'info') show();
      else clear();
    });
}

function clear(): void {
  const { folder, problem } = cacheInfo();
  if (problem) throw new FailureError(`nothing is removed from ${folder}, which is not used: ${problem}`);
  console.log(`${counted(clearCache(), 'build')} removed`);
}

function show(): void {
  const { enabled, folder, problem, entries, bytes } = cacheInfo();
  const state = problem ? ` (not used: ${problem})` : enabled ? '' : ' (turned off)';
  console.log(`folder: ${folder ?? 'none'}${state}`);
  console.log(`holds: ${counted(entries, 'build')}, ${(bytes / 1024).toFixed(1)} KiB`);
}
