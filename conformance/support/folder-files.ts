/** Files on the disk, for the runners: what lies under a folder, and where includes look. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { FileSystem } from 'millrace';

/** The files under a folder (or the one file) whose names end so, in alphabetical order. */
export function filesUnder(path: string, endings: readonly string[]): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const found: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) found.push(...filesUnder(inner, endings));
    else if (endings.some((ending) => entry.name.endsWith(ending))) found.push(inner);
  }
  return found.sort();
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** The files of the machine; a relative path is tried as it is and from each of the folders. */
export function folderFiles(folders: readonly string[]): FileSystem {
  return {
    read(path) {
      const direct = read(path);
      if (direct !== undefined || isAbsolute(path)) return direct;
      for (const folder of folders) {
        const text = read(join(folder, path));
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = join(path, '..'); !parents.includes(at); at = join(at, '..')) parents.push(at);
  return parents;
}
