/**
 * Files and folders in memory: what a program sees where there is no file system, or where it shall see no other files. Names
 * are relative to the one root, with or without a slash before them.
 */
import type { FileSystem } from '../api/c/index.ts';
import { namesUntilBack } from '../runtime/way-back.ts';
import { SystemError } from './wasi.ts';

/** A file's bytes lie at the start of an array that grows by doubling. */
export class MemoryFile {
  #bytes: Uint8Array;
  #length: number;
  /** Nanoseconds since 1970. */
  changed = timeNow();

  constructor(content: Uint8Array = new Uint8Array(0)) {
    this.#bytes = content;
    this.#length = content.length;
  }

  get length(): number {
    return this.#length;
  }

  /** At most `length` bytes from a place on; none behind the end. Not copied. */
  read(at: number, length: number): Uint8Array {
    return this.#bytes.subarray(Math.min(at, this.#length), Math.min(at + length, this.#length));
  }

  /** @throws SystemError noSpace if the file would be larger than arrays can be */
  write(at: number, bytes: Uint8Array): void {
    if (at + bytes.length > this.#length) this.resize(at + bytes.length);
    this.#bytes.set(bytes, at);
    this.changed = timeNow();
  }

  /** Cuts the file off, or adds zeros. @throws SystemError noSpace */
  resize(length: number): void {
    if (length > this.#bytes.length) {
      const bigger = arrayOf(Math.max(length, Math.min(2 * this.#bytes.length, mostBytes)));
      bigger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = bigger;
    }
    // What a longer file had there is gone.
    else if (length > this.#length) this.#bytes.fill(0, this.#length, length);
    this.#length = length;
    this.changed = timeNow();
  }
}

export class MemoryFolder {
  readonly entries = new Map<string, MemoryNode>();
  changed = timeNow();
}

export type MemoryNode = MemoryFile | MemoryFolder;

/** Where a path leads: a folder, and the name there, which need not exist. The name of the folder itself is empty. */
export interface Place {
  readonly folder: MemoryFolder;
  readonly name: string;
}

/** The most bytes of a file: what every engine's arrays can have. */
const mostBytes = 2 ** 31 - 1;

export class MemoryFiles implements FileSystem {
  readonly root = new MemoryFolder();

  /** @param files by their paths; folders come with them */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      this.add(path, new MemoryFile(bytes));
    }
  }

  /** Puts a file at a path, with the folders that it needs. @throws Error if a file is in the way */
  add(path: string, file: MemoryFile): void {
    const parts = partsOf(path);
    const name = parts.pop();
    let folder = this.root;
    for (const part of parts) {
      const inner = folder.entries.get(part) ?? new MemoryFolder();
      if (inner instanceof MemoryFile) throw new Error(`'${path}': '${part}' is a file, not a folder`);
      folder.entries.set(part, inner);
      folder = inner;
    }
    if (name === undefined || folder.entries.get(name) instanceof MemoryFolder) {
      throw new Error(`'${path}' names a folder, not a file`);
    }
    folder.entries.set(name, file);
  }

  /** The text of a file for `#include` in kernels. */
  read(path: string): string | undefined {
    try {
      const node = this.find(this.root, path);
      return node instanceof MemoryFile ? new TextDecoder().decode(node.read(0, node.length)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** All files by their paths, as they are now. */
  contents(): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    const visit = (folder: MemoryFolder, prefix: string): void => {
      for (const [name, node] of folder.entries) {
        if (node instanceof MemoryFolder) visit(node, `${prefix}${name}/`);
        else found.set(prefix + name, node.read(0, node.length).slice());
      }
    };
    visit(this.root, '');
    return found;
  }

  /** What is at a path below a folder. @throws SystemError noEntry, notFolder, notCapable */
  find(from: MemoryFolder, path: string): MemoryNode {
    const { folder, name } = this.place(from, path);
    if (name === '') return folder;
    const node = folder.entries.get(name);
    if (!node) throw new SystemError('noEntry');
    if (path.endsWith('/') && node instanceof MemoryFile) throw new SystemError('notFolder');
    return node;
  }

  /** Where a path below a folder leads. @throws SystemError noEntry, notFolder, notCapable for what climbs out of the folder */
  place(from: MemoryFolder, path: string): Place {
    const way = [from];
    let name = '';
    const parts = partsOf(path);
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at]!;
      const isGone = name !== '' && !way.at(-1)!.entries.has(name);
      const skipped = isGone ? namesUntilBack(parts.slice(at)) : undefined;
      if (skipped !== undefined) {
        at += skipped - 1;
        name = '';
        continue;
      }
      if (name !== '') way.push(folderIn(way.at(-1)!, name));
      name = part === '..' ? '' : part;
      if (part === '..') way.pop();
      if (way.length === 0) throw new SystemError('notCapable');
    }
    return { folder: way.at(-1)!, name };
  }
}

/** Adds text to a file, which is made if it is not there. Where there can be none nothing happens. */
export function appendInMemory(files: MemoryFiles, path: string, text: string): void {
  try {
    const { folder, name } = files.place(files.root, path);
    const file = folder.entries.get(name) ?? new MemoryFile();
    if (!(file instanceof MemoryFile) || name === '') return;
    folder.entries.set(name, file);
    file.write(file.length, new TextEncoder().encode(text));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

function folderIn(folder: MemoryFolder, name: string): MemoryFolder {
  const node = folder.entries.get(name);
  if (!node) throw new SystemError('noEntry');
  if (node instanceof MemoryFile) throw new SystemError('notFolder');
  return node;
}

/** The names in a path that say something. */
function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function arrayOf(length: number): Uint8Array {
  try {
    if (length <= mostBytes) return new Uint8Array(length);
  } catch {
    // There is no more memory.
  }
  throw new SystemError('noSpace');
}

function timeNow(): number {
  return Date.now() * 1e6;
}
