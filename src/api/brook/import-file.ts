/** A .br file as a module that can be imported: what the Vite plugin and the Node loader have in common. */

import { diskFiles } from '../../build/disk-files.ts';
import { machineModule } from '../../runtime/host.ts';
import { type BrccResult, brcc } from './generate-module.ts';

interface Files {
  writeFileSync(path: string, text: string): void;
}

function files(): Files {
  const found = machineModule('node:fs') as Files | undefined;
  if (!found) throw new Error('.br files are imported where there is Node');
  return found;
}

/** A file's text, or undefined if it cannot be read. */
export function fileText(path: string): string | undefined {
  try {
    return diskFiles().read(path);
  } catch {
    return undefined;
  }
}

/** Compiles a .br file; headers come from the disk, relative to the file. */
export function importedFile(path: string, text: string): BrccResult {
  return brcc(path, text, { files: diskFiles() });
}

/** Writes a file, unless it is there and the same. */
export function keepFile(path: string, text: string): void {
  if (fileText(path) !== text) files().writeFileSync(path, text);
}
