/**
 * The functions of WASI that deal with files, over files in memory. Each throws a SystemError where it cannot do what it
 * should. Pointers and numbers of 32 bits come as unsigned numbers, those of 64 bits as bigints.
 */
import { type Descriptor, type Descriptors, OpenFile, OpenFolder } from './descriptors.ts';
import { MemoryFile, type MemoryFiles, MemoryFolder, type MemoryNode } from './memory-files.ts';
import {
  allRights,
  descriptorFlag,
  fileType,
  openFlag,
  right,
  SystemError,
  size,
  streamRights,
} from './wasi.ts';
import type { WasiMemory } from './wasi-memory.ts';

/** A function that returns nothing has succeeded. */
export type SystemFunctions = Record<string, (...args: never[]) => void>;

export function fileFunctions(
  memory: WasiMemory,
  files: MemoryFiles,
  descriptors: Descriptors,
): SystemFunctions {
  const path = (at: number, length: number): string => {
    const text = memory.text(at, length);
    if (text === '') throw new SystemError('noEntry');
    return text;
  };
  const findBelow = (folder: number, at: number, length: number): MemoryNode =>
    files.find(descriptors.folder(folder).folder, path(at, length));
  const placeBelow = (folder: number, at: number, length: number) =>
    files.place(descriptors.folder(folder).folder, path(at, length));

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
      const base = [0, open.position, open.file.length][whence];
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

    // Nothing is held back, and nothing can be lost.
    fd_sync: (number: number) => void descriptors.get(number),
    fd_datasync: (number: number) => void descriptors.get(number),
    fd_advise: (number: number) => void descriptors.get(number),

    fd_allocate(number: number, offset: bigint, length: bigint) {
      const { file } = descriptors.file(number);
      file.resize(Math.max(file.length, placeOf(offset) + placeOf(length)));
    },

    fd_fdstat_get(number: number, result: number) {
      const open = descriptors.get(number);
      const view = cleared(memory, result, size.descriptor);
      view.setUint8(0, open.type);
      view.setUint16(2, open.flags, true);
      view.setBigUint64(8, rightsOf(open), true);
      view.setBigUint64(16, open instanceof OpenFolder ? allRights : 0n, true);
    },

    fd_fdstat_set_flags(number: number, flags: number) {
      descriptors.get(number).flags = flags & descriptorFlag.append;
    },

    fd_fdstat_set_rights: (number: number) => void descriptors.get(number),

    fd_filestat_get(number: number, result: number) {
      const open = descriptors.get(number);
      if (open instanceof OpenFile) writeStatus(memory, result, open.file);
      else if (open instanceof OpenFolder) writeStatus(memory, result, open.folder);
      else cleared(memory, result, size.fileStatus).setUint8(16, open.type);
    },

    fd_filestat_set_size(number: number, length: bigint) {
      const { file, mayWrite } = descriptors.file(number);
      if (!mayWrite) throw new SystemError('badFile');
      file.resize(placeOf(length));
    },

    fd_filestat_set_times: (number: number) => void descriptors.get(number),

    fd_prestat_get(number: number, result: number) {
      const { given } = descriptors.folder(number);
      if (given === undefined) throw new SystemError('badFile');
      memory.setU32(result, 0);
      memory.setU32(result + 4, given.length);
    },

    fd_prestat_dir_name(number: number, at: number, length: number) {
      const { given = '' } = descriptors.folder(number);
      const bytes = new TextEncoder().encode(given).subarray(0, length);
      memory.bytes(at, bytes.length).set(bytes);
    },

    fd_readdir(number: number, at: number, length: number, cookie: bigint, used: number) {
      const { folder } = descriptors.folder(number);
      const room = memory.bytes(at, length);
      let filled = 0;
      const entries: [string, MemoryNode][] = [['.', folder], ['..', folder], ...folder.entries];
      for (let index = placeOf(cookie); index < entries.length && filled < length; index += 1) {
        const entry = folderEntry(...entries[index]!, index + 1).subarray(0, length - filled);
        room.set(entry, filled);
        filled += entry.length;
      }
      memory.setU32(used, filled);
    },

    path_open(
      from: number,
      _lookup: number,
      at: number,
      length: number,
      how: number,
      rights: bigint,
      _inheriting: bigint,
      flags: number,
      result: number,
    ) {
      const { folder, name } = placeBelow(from, at, length);
      let node = name === '' ? folder : folder.entries.get(name);
      if (node && how & openFlag.create && how & openFlag.exclusive) throw new SystemError('exists');
      if (!node) {
        if ((how & openFlag.create) === 0) throw new SystemError('noEntry');
        node = new MemoryFile();
        folder.entries.set(name, node);
      }
      const mayWrite = (rights & right.write) !== 0n;
      if (node instanceof MemoryFolder) {
        if (mayWrite) throw new SystemError('isFolder');
        memory.setU32(result, descriptors.add(new OpenFolder(node)));
        return;
      }
      if (how & openFlag.folder) throw new SystemError('notFolder');
      if (how & openFlag.truncate) node.resize(0);
      const mayRead = (rights & right.read) !== 0n;
      const open = new OpenFile(node, mayRead, mayWrite, flags & descriptorFlag.append);
      memory.setU32(result, descriptors.add(open));
    },

    path_filestat_get(from: number, _lookup: number, at: number, length: number, result: number) {
      writeStatus(memory, result, findBelow(from, at, length));
    },

    path_filestat_set_times(from: number, _lookup: number, at: number, length: number) {
      findBelow(from, at, length);
    },

    path_create_directory(from: number, at: number, length: number) {
      const { folder, name } = placeBelow(from, at, length);
      if (name === '' || folder.entries.has(name)) throw new SystemError('exists');
      folder.entries.set(name, new MemoryFolder());
    },

    path_remove_directory(from: number, at: number, length: number) {
      const { folder, name } = placeBelow(from, at, length);
      const node = folder.entries.get(name);
      if (name === '') throw new SystemError('invalid');
      if (!node) throw new SystemError('noEntry');
      if (node instanceof MemoryFile) throw new SystemError('notFolder');
      if (node.entries.size > 0) throw new SystemError('notEmpty');
      folder.entries.delete(name);
    },

    path_unlink_file(from: number, at: number, length: number) {
      const { folder, name } = placeBelow(from, at, length);
      const node = name === '' ? folder : folder.entries.get(name);
      if (!node) throw new SystemError('noEntry');
      if (node instanceof MemoryFolder) throw new SystemError('isFolder');
      folder.entries.delete(name);
    },

    path_rename(from: number, at: number, length: number, to: number, newAt: number, newLength: number) {
      const old = placeBelow(from, at, length);
      const next = placeBelow(to, newAt, newLength);
      const node = old.folder.entries.get(old.name);
      if (!node) throw new SystemError('noEntry');
      const there = next.folder.entries.get(next.name);
      if (there === node) return;
      if (next.name === '' || (node instanceof MemoryFolder && contains(node, next.folder))) {
        throw new SystemError('invalid');
      }
      if (there instanceof MemoryFolder) {
        if (node instanceof MemoryFile) throw new SystemError('isFolder');
        if (there.entries.size > 0) throw new SystemError('notEmpty');
      } else if (there && node instanceof MemoryFolder) throw new SystemError('notFolder');
      old.folder.entries.delete(old.name);
      next.folder.entries.set(next.name, node);
    },

    path_readlink(from: number, at: number, length: number) {
      findBelow(from, at, length);
      // It is there, and it is no link.
      throw new SystemError('invalid');
    },
  };
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

function rightsOf(open: Descriptor): bigint {
  if (open instanceof OpenFolder) return allRights;
  if (!(open instanceof OpenFile)) return streamRights;
  const { mayRead, mayWrite } = open;
  return allRights & ~(mayRead ? 0n : right.read) & ~(mayWrite ? 0n : right.write);
}

function writeStatus(memory: WasiMemory, at: number, node: MemoryNode): void {
  const view = cleared(memory, at, size.fileStatus);
  view.setBigUint64(8, BigInt(numberOf(node)), true);
  view.setUint8(16, typeOf(node));
  view.setBigUint64(24, 1n, true);
  view.setBigUint64(32, BigInt(node instanceof MemoryFile ? node.length : 0), true);
  for (const time of [40, 48, 56]) view.setBigUint64(time, BigInt(node.changed), true);
}

/** A `dirent` with its name; `next` is where the list goes on. */
function folderEntry(name: string, node: MemoryNode, next: number): Uint8Array {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(size.folderEntry + text.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(next), true);
  view.setBigUint64(8, BigInt(numberOf(node)), true);
  view.setUint32(16, text.length, true);
  view.setUint8(20, typeOf(node));
  bytes.set(text, size.folderEntry);
  return bytes;
}

function typeOf(node: MemoryNode): number {
  return node instanceof MemoryFile ? fileType.file : fileType.folder;
}

const numbers = new WeakMap<MemoryNode, number>();
let lastNumber = 0;

/** By which a program knows whether two files are the same. */
function numberOf(node: MemoryNode): number {
  let number = numbers.get(node);
  if (number === undefined) {
    lastNumber += 1;
    number = lastNumber;
    numbers.set(node, number);
  }
  return number;
}

function contains(folder: MemoryFolder, inner: MemoryFolder): boolean {
  if (folder === inner) return true;
  return [...folder.entries.values()].some((node) => node instanceof MemoryFolder && contains(node, inner));
}

/** What is provided and always fails: there are neither links nor sockets. */
export const unsupported = [
  'path_link',
  'path_symlink',
  'sock_accept',
  'sock_recv',
  'sock_send',
  'sock_shutdown',
];
