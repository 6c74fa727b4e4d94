/** `millrace cache`: what the build cache on the disk holds, and how to empty it. */
import { Command } from 'commander';
import { cacheInfo, clearCache } from 'millrace';

/** Builds the subcommand. */
export function cacheCommand(): Command {
  const command = new Command('cache').description('show or empty the cache of builds on the disk');
  command.command('info', { isDefault: true }).description('where it is and what it holds').action(show);
  command
    .command('clear')
    .description('remove all builds')
    .action(() => console.log(`${counted(clearCache())} removed`));
  return command.addHelpText(
    'after',
    `
MILLRACE_CACHE_DIR names another folder; MILLRACE_CACHE=0 turns the cache off.`,
  );
}

function show(): void {
  const { enabled, folder, entries, bytes } = cacheInfo();
  console.log(`folder: ${folder ?? 'none'}${enabled ? '' : ' (turned off)'}`);
  console.log(`holds: ${counted(entries)}, ${(bytes / 1024).toFixed(1)} KiB`);
}

function counted(builds: number): string {
  return `${builds} build${builds === 1 ? '' : 's'}`;
}
