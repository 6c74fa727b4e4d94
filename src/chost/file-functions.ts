/**
 * The functions of WASI that deal with files, over what descriptors lead to: files in memory, or those of the machine. Each throws
 * a SystemError where it cannot do what it should. Pointers and numbers of 32 bits come as unsigned numbers, those of 64 bits
 * as bigints.
 */
import type { Descriptors, FileStatus, FileTimes, OpenFolder } from './descriptors.ts';
import { descriptorFlag, followLinks, openFlag, right, SystemError, size, timeFlag } from './wasi.ts';
import type { WasiMemory } from './wasi-memory.ts';

/** A function that returns nothing has succeeded. */
export type SystemFunctions = Record<string, (...args: never[]) => void>;

export function fileFunctions(memory: WasiMemory, descriptors: Descriptors): SystemFunctions {
  const path = (at: number, length: number): string => {
    const text = memory.text(at, length);
    if (text === '') throw new SystemError('noEntry');
    return text;
  };
  /** What the folders had when their listing began, so that what goes on is the same list. */
  const listings = new WeakMap<OpenFolder, readonly string[]>();

  return {
    fd_read(number: number, list: number, count: number, read: number) {
      const from = descriptors.get(number);
      memory.setU32(
        read,
        readPieces(memory.pieces(list, count), (length) => from.read(length)),
      );
    },

    fd_pread(number: number, list: number, count: number, offset: bigint, read: number) {
      const from = descriptors.file(number);
      let at = placeOf(offset);
      const total = readPieces(memory.pieces(list, count), (length) => {
        const bytes = from.readAt(at, length);
        at += bytes.length;
        return bytes;
      });
      memory.setU32(read, total);
    },

    fd_write(number: number, list: number, count: number, written: number) {
      const to = descriptors.get(number);
      memory.setU32(
        written,
        writePieces(memory.pieces(list, count), (bytes) => to.write(bytes)),
      );
    },

    fd_pwrite(number: number, list: number, count: number, offset: bigint, written: number) {
      const to = descriptors.file(number);
      let at = placeOf(offset);
      const total = writePieces(memory.pieces(list, count), (bytes) => {
        to.writeAt(at, bytes);
        at += bytes.length;
      });
      memory.setU32(written, total);
    },

    fd_seek(number: number, offset: bigint, whence: number, result: number) {
      const open = descriptors.file(number);
      const base = whence === 2 ? open.length : [0, open.position][whence];
      const position = base === undefined ? -1 : base + Number(offset);
      if (position < 0 || !Number.isSafeInteger(position)) throw new SystemError('invalid');
      open.position = position;
      memory.setU64(result, position);
    },

    fd_tell(number: number, result: number) {
      memory.setU64(result, descriptors.file(number).position);
    },

    fd_close: (number: number) => descriptors.close(number),
    fd_renumber: (from: number, to: number) => descriptors.move(from, to),
    fd_sync: (number: number) => descriptors.get(number).sync(),
    fd_datasync: (number: number) => descriptors.get(number).sync(),
    fd_advise: (number: number) => void descriptors.get(number),

    fd_allocate(number: number, offset: bigint, length: bigint) {
      const file = descriptors.file(number);
      const end = placeOf(offset) + placeOf(length);
      if (end > file.length) file.resize(end);
    },

    fd_fdstat_get(number: number, result: number) {
      const open = descriptors.get(number);
      const view = cleared(memory, result, size.descriptor);
      view.setUint8(0, open.type);
      view.setUint16(2, open.flags, true);
      view.setBigUint64(8, open.rights, true);
      view.setBigUint64(16, 'given' in open ? open.rights : 0n, true);
    },

    fd_fdstat_set_flags(number: number, flags: number) {
      descriptors.get(number).flags = flags & descriptorFlag.append;
    },

    fd_fdstat_set_rights: (number: number) => void descriptors.get(number),

    fd_filestat_get(number: number, result: number) {
      writeStatus(memory, result, descriptors.get(number).status());
    },

    fd_filestat_set_size(number: number, length: bigint) {
      descriptors.file(number).resize(placeOf(length));
    },

    fd_filestat_set_times(number: number, accessed: bigint, modified: bigint, flags: number) {
      descriptors.get(number).setTimes(timesOf(accessed, modified, flags));
    },

    fd_prestat_get(number: number, result: number) {
      memory.setU32(result, 0);
      memory.setU32(result + 4, givenName(descriptors, number).length);
    },

    fd_prestat_dir_name(number: number, at: number, length: number) {
      const bytes = givenName(descriptors, number).subarray(0, length);
      memory.bytes(at, bytes.length).set(bytes);
    },

    fd_readdir(number: number, at: number, length: number, cookie: bigint, used: number) {
      const folder = descriptors.folder(number);
      const room = memory.bytes(at, length);
      const names = (cookie === 0n ? undefined : listings.get(folder)) ?? folder.list();
      listings.set(folder, names);
      let filled = 0;
      for (let index = placeOf(cookie); index < names.length && filled < length; index += 1) {
        const facts = folder.describe(names[index]!);
        if (!facts) continue;
        const entry = folderEntry(names[index]!, facts, index + 1).subarray(0, length - filled);
        room.set(entry, filled);
        filled += entry.length;
      }
      memory.setU32(used, filled);
    },

    path_open(
      from: number,
      lookup: number,
      at: number,
      length: number,
      how: number,
      rights: bigint,
      _inheriting: bigint,
      flags: number,
      result: number,
    ) {
      const opened = descriptors.folder(from).open(path(at, length), {
        follow: (lookup & followLinks) !== 0,
        create: (how & openFlag.create) !== 0,
        exclusive: (how & openFlag.exclusive) !== 0,
        truncate: (how & openFlag.truncate) !== 0,
        folder: (how & openFlag.folder) !== 0,
        mayRead: (rights & right.read) !== 0n,
        mayWrite: (rights & right.write) !== 0n,
        flags,
      });
      memory.setU32(result, descriptors.add(opened));
    },

    path_filestat_get(from: number, lookup: number, at: number, length: number, result: number) {
      const folder = descriptors.folder(from);
      writeStatus(memory, result, folder.statusOf(path(at, length), (lookup & followLinks) !== 0));
    },

    path_filestat_set_times(
      from: number,
      lookup: number,
      at: number,
      length: number,
      accessed: bigint,
      modified: bigint,
      flags: number,
    ) {
      const times = timesOf(accessed, modified, flags);
      descriptors.folder(from).setTimesOf(path(at, length), (lookup & followLinks) !== 0, times);
    },

    path_create_directory(from: number, at: number, length: number) {
      descriptors.folder(from).createFolder(path(at, length));
    },

    path_remove_directory(from: number, at: number, length: number) {
      descriptors.folder(from).removeFolder(path(at, length));
    },

    path_unlink_file(from: number, at: number, length: number) {
      descriptors.folder(from).unlink(path(at, length));
    },

    path_rename(from: number, at: number, length: number, to: number, newAt: number, newLength: number) {
      const target = descriptors.folder(to);
      descriptors.folder(from).rename(path(at, length), target, path(newAt, newLength));
    },

    path_readlink(from: number, at: number, length: number, to: number, room: number, used: number) {
      const text = new TextEncoder().encode(descriptors.folder(from).readLink(path(at, length)));
      const bytes = text.subarray(0, room);
      memory.bytes(to, bytes.length).set(bytes);
      memory.setU32(used, bytes.length);
    },

    path_symlink(textAt: number, textLength: number, to: number, at: number, length: number) {
      descriptors.folder(to).symbolicLink(path(textAt, textLength), path(at, length));
    },

    path_link(
      from: number,
      lookup: number,
      at: number,
      length: number,
      to: number,
      newAt: number,
      newLength: number,
    ) {
      const target = descriptors.folder(to);
      const follow = (lookup & followLinks) !== 0;
      descriptors.folder(from).link(path(at, length), follow, target, path(newAt, newLength));
    },
  };
}

function givenName(descriptors: Descriptors, number: number): Uint8Array {
  const { given } = descriptors.folder(number);
  if (given === undefined) throw new SystemError('badFile');
  return new TextEncoder().encode(given);
}

/** A place in a file. @throws SystemError invalid if it is before the file, or farther than numbers reach */
function placeOf(offset: bigint): number {
  const place = Number(offset);
  if (place < 0 || !Number.isSafeInteger(place)) throw new SystemError('invalid');
  return place;
}

/** Fills pieces one after another until one is not filled whole; gives how many bytes there were. */
function readPieces(pieces: readonly Uint8Array[], read: (length: number) => Uint8Array): number {
  let total = 0;
  for (const piece of pieces) {
    const bytes = read(piece.length);
    piece.set(bytes);
    total += bytes.length;
    if (bytes.length < piece.length) break;
  }
  return total;
}

/** Several pieces are written as one, so that a line that a program writes arrives as one. */
function writePieces(pieces: readonly Uint8Array[], write: (bytes: Uint8Array) => void): number {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (pieces.length === 1) write(pieces[0]!);
  else {
    const all = new Uint8Array(total);
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    write(all);
  }
  return total;
}

function cleared(memory: WasiMemory, at: number, length: number): DataView {
  memory.bytes(at, length).fill(0);
  return memory.view(at, length);
}

function writeStatus(memory: WasiMemory, at: number, status: FileStatus): void {
  const view = cleared(memory, at, size.fileStatus);
  view.setBigUint64(0, status.device, true);
  view.setBigUint64(8, status.number, true);
  view.setUint8(16, status.type);
  view.setBigUint64(24, status.links, true);
  view.setBigUint64(32, status.size, true);
  view.setBigUint64(40, status.accessed, true);
  view.setBigUint64(48, status.modified, true);
  view.setBigUint64(56, status.changed, true);
}

/** @throws SystemError invalid for a time that is both given and now */
function timesOf(accessed: bigint, modified: bigint, flags: number): FileTimes {
  const now = BigInt(Date.now()) * 1_000_000n;
  const time = (given: bigint, isGiven: number, isNow: number): bigint | undefined => {
    if (flags & isGiven && flags & isNow) throw new SystemError('invalid');
    if (flags & isNow) return now;
    return flags & isGiven ? given : undefined;
  };
  return {
    accessed: time(accessed, timeFlag.accessed, timeFlag.accessedNow),
    modified: time(modified, timeFlag.modified, timeFlag.modifiedNow),
  };
}

/** A `dirent` with its name; `next` is where the list goes on. */
function folderEntry(name: string, facts: Pick<FileStatus, 'number' | 'type'>, next: number): Uint8Array {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(size.folderEntry + text.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(next), true);
  view.setBigUint64(8, facts.number, true);
  view.setUint32(16, text.length, true);
  view.setUint8(20, facts.type);
  bytes.set(text, size.folderEntry);
  return bytes;
}
