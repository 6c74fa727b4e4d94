/**
 * What `#include` in a host program's kernels finds: the files under the folders that the program sees, by the names that it
 * sees them by. Which folder the program has made its current one is not known here, so a relative name is tried under each.
 */
import type { FileSystem } from '../api/c/index.ts';
import { codeOf } from '../runtime/machine-files.ts';
import { MachineFolder } from '../runtime/machine-folder.ts';
import { mostSourceBytes, readRegularIn } from '../runtime/regular-files.ts';

/** @param folders of the machine, by the program's names for them */
export function folderFiles(folders: Readonly<Record<string, string>>): FileSystem {
  const decoder = new TextDecoder();
  return {
    read(path) {
      for (const [folder, way] of placesOf(path, folders)) {
        try {
          const open = MachineFolder.given(folder);
          try {
            return decoder.decode(readRegularIn(open, way, mostSourceBytes));
          } finally {
            open.close();
          }
        } catch (error) {
          // Not there; perhaps under another folder.
          if (codeOf(error) === undefined) throw error;
        }
      }
      return undefined;
    },
  };
}

/** Folders of the machine, and ways in them, that a name of the program's may mean. */
function placesOf(path: string, folders: Readonly<Record<string, string>>): [folder: string, way: string][] {
  if (!path.startsWith('/')) return Object.values(folders).map((folder) => [folder, path]);
  return Object.entries(folders).flatMap(([name, folder]): [string, string][] => {
    const root = name === '/' ? '' : name.replace(/\/+$/, '');
    if (!name.startsWith('/') || !path.startsWith(`${root}/`)) return [];
    return [[folder, path.slice(root.length).replace(/^\/+/, '')]];
  });
}
