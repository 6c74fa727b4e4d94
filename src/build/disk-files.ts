/** The files of the machine for `#include`, for whoever compiles from the disk: regular files only, and only so large. */
import type { FileSystem } from '../c/preprocessor.ts';
import { machineModule } from '../runtime/host.ts';
import { codeOf, files, MachineError } from '../runtime/machine-files.ts';
import { MachineFolder } from '../runtime/machine-folder.ts';
import { mostSourceBytes, readRegular, readRegularIn } from '../runtime/regular-files.ts';
import { RefusedFile } from '../source/refused-file.ts';

export interface DiskFilesOptions {
  /**
   * Folders that files may be included from, with what is below them; links that lead out of them are refused. For programs of
   * others. Default: all that this process may read.
   */
  readonly within?: readonly string[] | undefined;
}

/**
 * The machine's files, for the option `files` of whatever compiles. Devices, pipes and files of more than 64 MiB are refused with
 * an error where they are included.
 * @throws Error if there are no files, as in a page, or a folder is not there
 */
export function diskFiles({ within }: DiskFilesOptions = {}): FileSystem {
  const folders = within?.map((path) => ({ path: absolute(path), real: files().realpathSync(path) }));
  const decoder = new TextDecoder();
  return {
    read(path) {
      try {
        const bytes = folders ? readWithin(path, folders) : readRegular(path, mostSourceBytes);
        return decoder.decode(bytes);
      } catch (error) {
        // Not there, or not to be read by this process.
        if (codeOf(error) !== undefined) return undefined;
        throw error;
      }
    },
  };
}

interface Within {
  /** As it was named, and without links. */
  readonly path: string;
  readonly real: string;
}

/**
 * Where a path leads is asked of the machine only if it lies in one of the folders as it is written, so that nobody learns what is
 * elsewhere. What the machine says is then walked in the folder, where nothing leads out of it.
 */
function readWithin(path: string, folders: readonly Within[]): Uint8Array {
  const written = absolute(path);
  const isIn = (folder: Within) =>
    [folder.path, folder.real].some((start) => wayFrom(start, written) !== undefined);
  if (!folders.some(isIn)) throw outside();
  const real = files().realpathSync(path);
  for (const folder of folders) {
    const way = wayFrom(folder.real, real);
    if (way !== undefined) return readIn(folder.real, way);
  }
  throw outside();
}

function readIn(path: string, way: string): Uint8Array {
  const folder = MachineFolder.given(path);
  try {
    return readRegularIn(folder, way, mostSourceBytes);
  } catch (error) {
    if (error instanceof MachineError && error.code === 'ENOTCAPABLE') throw outside();
    throw error;
  } finally {
    folder.close();
  }
}

function outside(): RefusedFile {
  return new RefusedFile('it is outside of the folders that files may be included from');
}

/** A path's way from a folder, with slashes; undefined if it leads out of it. */
function wayFrom(folder: string, path: string): string | undefined {
  const { relative, isAbsolute, sep } = paths();
  const way = relative(folder, path);
  const leadsOut = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  return leadsOut ? undefined : way.split(sep).join('/');
}

/** A path from the root of the machine, without `..`. */
function absolute(path: string): string {
  return paths().resolve(path);
}

interface NodePaths {
  readonly sep: string;
  resolve(path: string): string;
  relative(from: string, to: string): string;
  isAbsolute(path: string): boolean;
}

function paths(): NodePaths {
  return machineModule('node:path') as NodePaths;
}
