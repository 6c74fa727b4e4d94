/**
 * What `#include` in a host program's kernels finds: the files under the folders that the program sees, by the names that it
 * sees them by. Which folder the program has made its current one is not known here, so a relative name is tried under each.
 */
import type { FileSystem } from '../api/c/index.ts';
import { machineModule } from '../runtime/host.ts';

interface NodeFiles {
  readFileSync(path: string, encoding: 'utf8'): string;
}

/** @param folders of the machine, by the program's names for them */
export function folderFiles(folders: Readonly<Record<string, string>>): FileSystem {
  const files = machineModule('node:fs') as NodeFiles | undefined;
  return {
    read(path) {
      for (const place of placesOf(path, folders)) {
        try {
          return files?.readFileSync(place, 'utf8');
        } catch {
          // Not there; perhaps under another folder.
        }
      }
      return undefined;
    },
  };
}

/** Where on the machine a name of the program's may be. Names that climb out of the folders are nowhere. */
function placesOf(path: string, folders: Readonly<Record<string, string>>): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return [];
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  const inner = parts.join('/');
  const places: string[] = [];
  for (const [name, folder] of Object.entries(folders)) {
    if (!path.startsWith('/')) {
      places.push(`${folder}/${inner}`);
      continue;
    }
    const root = name === '/' ? '' : name.replace(/\/+$/, '');
    if (name.startsWith('/') && `/${inner}`.startsWith(`${root}/`)) {
      places.push(`${folder}${`/${inner}`.slice(root.length)}`);
    }
  }
  return places;
}
