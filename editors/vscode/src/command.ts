/** Which `millrace` is started: that of the settings, of the workspace, or along the PATH. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * @param setting the command of the settings; empty for none
 * @param folders of the workspace
 */
export function findCommand(
  setting: string,
  folders: readonly string[],
  { exists = existsSync as (path: string) => boolean, windows = process.platform === 'win32' } = {},
): Started {
  if (setting !== '') return { command: setting, args: [] };
  for (const folder of folders) {
    // The script itself: on Windows what npm puts next to it is for a shell.
    const script = join(folder, 'node_modules', 'millrace', 'dist', 'millrace.js');
    if (exists(script)) return { command: 'node', args: [script] };
  }
  return { command: windows ? 'millrace.cmd' : 'millrace', args: [] };
}
