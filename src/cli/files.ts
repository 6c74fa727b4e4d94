/** Files for the commands: read and written whole, every failure a {@link FailureError} in plain words. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FailureError } from './errors.ts';

/** As it is called on a command line: `-` is standard input. */
const standardInput = '-';

/** What messages call a file that was given on the command line. */
export function shownName(path: string): string {
  return path === standardInput ? '<stdin>' : path;
}

/** The most bytes of a source. */
export const mostSourceBytes = 64 * 2 ** 20;

/** The most bytes of data: what arrays can have. */
const mostDataBytes = 2 ** 32;

/** Other names of standard input, and of what shells put in a command's place: `<(command)`. */
const openedBefore = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;

/**
 * The bytes of a regular file, or of what comes through standard input or another pipe that is open already. Devices never end, and
 * pipes that have a name may never begin.
 * @throws FailureError if it cannot be read, or has more than `most` bytes
 */
export function readBytes(path: string, most = mostDataBytes): Uint8Array<ArrayBuffer> {
  let file: number | undefined;
  try {
    if (path === standardInput) return readToEnd(0, 0, most);
    const isOpened = openedBefore.test(path);
    const status = statSync(path);
    if (status.isDirectory()) throw systemError('EISDIR');
    if (!isOpened && !status.isFile()) throw new Error('it is no regular file');
    // What has become a pipe since then is not waited for.
    file = openSync(path, constants.O_RDONLY | (isOpened ? 0 : (constants.O_NONBLOCK ?? 0)));
    const { size } = fstatSync(file);
    if (size > most) throw tooLarge(most);
    return readToEnd(file, size, most);
  } catch (error) {
    throw new FailureError(`cannot read ${path}: ${reason(error)}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function tooLarge(most: number): Error {
  return new Error(
    `it is larger than ${most >= 2 ** 30 ? `${most / 2 ** 30} GiB` : `${most / 2 ** 20} MiB`}`,
  );
}

/**
 * The bytes of a file from here to its end, in a buffer of just that size.
 * @param expected how many there are, as far as the system knows
 */
function readToEnd(file: number, expected: number, most: number): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(expected);
  let length = 0;
  const beyond = new Uint8Array(65536);
  for (;;) {
    const isFull = length === bytes.length;
    const count = isFull ? readSome(file, beyond, 0) : readSome(file, bytes, length);
    if (count === 0) return isFull ? bytes : bytes.slice(0, length);
    if (length + count > most) throw tooLarge(most);
    if (isFull) {
      const longer = new Uint8Array(Math.max(2 * length, beyond.length));
      longer.set(bytes);
      longer.set(beyond.subarray(0, count), length);
      bytes = longer;
    }
    length += count;
  }
}

/** At most so many bytes at a time as the system takes. */
const mostAtOnce = 2 ** 30;

function readSome(file: number, to: Uint8Array, at: number): number {
  for (;;) {
    try {
      return readSync(file, to, at, Math.min(to.length - at, mostAtOnce), null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows says so of a pipe whose other end is closed.
      if (code === 'EOF') return 0;
      // A terminal or pipe that somebody has made one that does not wait.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** The text of a source file's bytes. Throws a {@link FailureError} if they are no text. */
export function textOf(path: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) {
    throw new FailureError(`${path} is not a text file: it has zero bytes (UTF-16? Save it as UTF-8)`);
  }
  return new TextDecoder().decode(bytes);
}

/**
 * Looks at the place of a file that is written after long work: its folder has to be there, and the file be none itself.
 * @throws FailureError as {@link writeFile} would in the end
 */
export function checkPlace(path: string): void {
  try {
    // Where the path has a part that is no folder the system says so.
    if (!statSync(dirname(path)).isDirectory()) throw systemError('ENOTDIR');
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw systemError('EISDIR');
  } catch (error) {
    throw new FailureError(`cannot write ${path}: ${reason(error)}`);
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
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
