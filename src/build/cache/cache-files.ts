/**
 * What the cache asks of the file system, and whom it trusts there. Programs come out of the cache without being compiled again, so
 * nobody but the user may have put them in: the folder and its files must be the user's own, and others must not be able to write
 * them. A file is opened once and judged by what was opened, so that nobody can put another in its place between; and never one that
 * is no plain file: opening a pipe or a device waits, or does something.
 */
import { userId } from '../../runtime/host.ts';

export interface FileStatus {
  readonly size: number;
  readonly mtimeMs: number;
  readonly uid: number;
  readonly mode: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** What is needed of `node:fs`. */
export interface FileFunctions {
  readonly constants: {
    readonly O_RDONLY: number;
    readonly O_NOFOLLOW?: number;
    readonly O_NONBLOCK?: number;
  };
  closeSync(file: number): void;
  fstatSync(file: number): FileStatus;
  futimesSync(file: number, accessed: number, modified: number): void;
  lstatSync(path: string): FileStatus;
  mkdirSync(path: string, options: { mode: number }): unknown;
  openSync(path: string, flags: number): number;
  readdirSync(path: string): string[];
  readSync(file: number, bytes: Uint8Array, offset: number, length: number, position: null): number;
  renameSync(from: string, to: string): void;
  statSync(path: string): FileStatus;
  unlinkSync(path: string): void;
  writeFileSync(path: string, content: Uint8Array, options: { flag: string; mode: number }): void;
}

/** Milliseconds for which a use is not written down again. */
const usedAgainAfter = 86_400_000;

/**
 * Why a folder is not to be used; undefined if it may be, or is not there.
 * @param path of the folder, or of a link to it
 */
export function folderProblem(files: FileFunctions, path: string): string | undefined {
  let status: FileStatus;
  try {
    status = files.statSync(path);
  } catch {
    return undefined;
  }
  return status.isDirectory() ? ownerProblem(status) : 'it is no folder';
}

/**
 * The bytes of a plain file of the user's own; undefined for anything else, and for more than `most` bytes. Whoever asks has used it:
 * files are as old as their last use.
 * @throws whatever the file system throws
 */
export function readOwnFile(files: FileFunctions, path: string, most: number): Uint8Array | undefined {
  if (!files.lstatSync(path).isFile()) return undefined;
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = files.constants;
  const file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const status = files.fstatSync(file);
    if (!status.isFile() || ownerProblem(status) || status.size > most) return undefined;
    const bytes = new Uint8Array(status.size);
    for (let at = 0; at < bytes.length; ) {
      const count = files.readSync(file, bytes, at, bytes.length - at, null);
      if (count === 0) return undefined;
      at += count;
    }
    noteUse(files, file, status);
    return bytes;
  } finally {
    files.closeSync(file);
  }
}

function noteUse(files: FileFunctions, file: number, { mtimeMs }: FileStatus): void {
  const now = Date.now();
  if (now - mtimeMs < usedAgainAfter) return;
  try {
    files.futimesSync(file, now / 1000, now / 1000);
  } catch {
    // On a disk that cannot be written nothing grows old either.
  }
}

/** Windows has other rights, and keeps a user's folders to the user. */
function ownerProblem({ uid, mode }: FileStatus): string | undefined {
  const user = userId();
  if (user === undefined) return undefined;
  if (uid !== user) return 'it belongs to another user';
  return (mode & 0o022) === 0 ? undefined : 'others can write it';
}
