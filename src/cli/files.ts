/** Files for the commands: read and written whole, every failure a {@link FailureError} in plain words. */
import { readFileSync, writeFileSync } from 'node:fs';
import { FailureError } from './errors.ts';

/** As it is called on a command line: `-` is standard input. */
const standardInput = '-';

/** What messages call a file that was given on the command line. */
export function shownName(path: string): string {
  return path === standardInput ? '<stdin>' : path;
}

/** The bytes of a file, or of standard input. Throws a {@link FailureError} if it cannot be read. */
export function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path === standardInput ? 0 : path));
  } catch (error) {
    throw new FailureError(`cannot read ${path}: ${reason(error)}`);
  }
}

/** The text of a source file's bytes. Throws a {@link FailureError} if they are no text. */
export function textOf(path: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) {
    throw new FailureError(`${path} is not a text file: it has zero bytes (UTF-16? Save it as UTF-8)`);
  }
  return new TextDecoder().decode(bytes);
}

/** Writes a file. Throws a {@link FailureError} if that fails. */
export function writeFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new FailureError(`cannot write ${path}: ${reason(error)}`);
  }
}

/** What the operating system's commonest errors mean, without its error codes. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'no such file or folder';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'part of the path is not a folder';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return message;
  }
}
