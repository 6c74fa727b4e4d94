/**
 * Files of the machine that are read whole, as sources are: regular ones of a sane size. A device never ends, and a pipe may never
 * begin; whoever names one is told so.
 */
import { RefusedFile } from '../source/refused-file.ts';
import { files, MachineError, openBit, statusOfFile } from './machine-files.ts';
import { followLink, type MachineFolder, visit } from './machine-folder.ts';

/** The most bytes of a source text. */
export const mostSourceBytes = 64 * 1024 * 1024;

/**
 * The bytes of a regular file.
 * @throws RefusedFile if it is none, or has more than `most` bytes; as node:fs does if it cannot be opened
 */
export function readRegular(path: string, most: number): Uint8Array<ArrayBuffer> {
  const { openSync, statSync } = files();
  // Opening a device may do something already.
  const status = statSync(path);
  if (status.isDirectory()) throw new MachineError('EISDIR');
  if (!status.isFile()) throw notRegular();
  return readOpened(openSync(path, openBit('O_RDONLY') | openBit('O_NONBLOCK')), most);
}

/** The same of a file in a folder, which no link leads out of. @throws MachineError ENOTCAPABLE, too */
export function readRegularIn(folder: MachineFolder, path: string, most: number): Uint8Array<ArrayBuffer> {
  return visit(folder, path, ({ at }) => {
    const status = files().lstatSync(at, { bigint: true });
    if (status.isSymbolicLink()) return followLink;
    if (status.isDirectory()) throw new MachineError('EISDIR');
    if (!status.isFile()) throw notRegular();
    const flags = openBit('O_RDONLY') | openBit('O_NONBLOCK') | openBit('O_NOFOLLOW');
    return readOpened(files().openSync(at, flags), most);
  });
}

function notRegular(): RefusedFile {
  return new RefusedFile('it is no regular file');
}

/** Reads a file to its end, and closes it. */
function readOpened(file: number, most: number): Uint8Array<ArrayBuffer> {
  const { readSync, closeSync } = files();
  try {
    const status = statusOfFile(file);
    if (!status.isFile()) throw notRegular();
    // Its size is a guess: files of the system say 0, and others may grow.
    let bytes = new Uint8Array(Math.min(Number(status.size), most) + 1);
    for (let length = 0; ; ) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      if (count === 0) return bytes.subarray(0, length);
      length += count;
      if (length > most || status.size > most) throw new RefusedFile(`it is larger than ${inWords(most)}`);
      if (length === bytes.length) {
        const longer = new Uint8Array(Math.min(2 * length, most) + 1);
        longer.set(bytes);
        bytes = longer;
      }
    }
  } finally {
    closeSync(file);
  }
}

function inWords(bytes: number): string {
  return bytes >= 2 ** 30 ? `${bytes / 2 ** 30} GiB` : `${bytes / 2 ** 20} MiB`;
}
