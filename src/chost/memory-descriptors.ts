/** Open files and folders of a program that has them in memory alone (memory-files.ts). There are no links among them. */
import {
  type Descriptor,
  type FileStatus,
  type FileTimes,
  OpenFile,
  OpenFolder,
  type OpenRequest,
} from './descriptors.ts';
import { MemoryFile, type MemoryFiles, MemoryFolder, type MemoryNode, type Place } from './memory-files.ts';
import { descriptorFlag, fileType, SystemError } from './wasi.ts';

class OpenMemoryFile extends OpenFile {
  readonly type = fileType.file;
  readonly #file: MemoryFile;

  constructor(file: MemoryFile, mayRead: boolean, mayWrite: boolean, flags: number) {
    super(mayRead, mayWrite, flags);
    this.#file = file;
  }

  get length(): number {
    return this.#file.length;
  }

  override read(length: number): Uint8Array {
    const bytes = this.readAt(this.position, length);
    this.position += bytes.length;
    return bytes;
  }

  override write(bytes: Uint8Array): void {
    if (this.flags & descriptorFlag.append) this.position = this.length;
    this.writeAt(this.position, bytes);
    this.position += bytes.length;
  }

  readAt(position: number, length: number): Uint8Array {
    if (!this.mayRead) throw new SystemError('badFile');
    return this.#file.read(position, length);
  }

  writeAt(position: number, bytes: Uint8Array): void {
    if (!this.mayWrite) throw new SystemError('badFile');
    this.#file.write(position, bytes);
  }

  resize(length: number): void {
    if (!this.mayWrite) throw new SystemError('badFile');
    this.#file.resize(length);
  }

  override status(): FileStatus {
    return statusOf(this.#file);
  }

  override setTimes(times: FileTimes): void {
    setTimes(this.#file, times);
  }
}

export class OpenMemoryFolder extends OpenFolder {
  readonly given: string | undefined;
  readonly #files: MemoryFiles;
  readonly #folder: MemoryFolder;

  constructor(files: MemoryFiles, folder: MemoryFolder, given?: string) {
    super();
    this.#files = files;
    this.#folder = folder;
    this.given = given;
  }

  override status(): FileStatus {
    return statusOf(this.#folder);
  }

  list(): readonly string[] {
    return ['.', '..', ...this.#folder.entries.keys()];
  }

  describe(name: string): Pick<FileStatus, 'number' | 'type'> | undefined {
    const node = name === '.' || name === '..' ? this.#folder : this.#folder.entries.get(name);
    return node && statusOf(node);
  }

  open(path: string, request: OpenRequest): Descriptor {
    const { folder, name } = this.#place(path);
    let node = name === '' ? folder : folder.entries.get(name);
    if (node && request.create && request.exclusive) throw new SystemError('exists');
    if (!node) {
      if (!request.create) throw new SystemError('noEntry');
      node = new MemoryFile();
      folder.entries.set(name, node);
    }
    if (node instanceof MemoryFolder) {
      if (request.mayWrite) throw new SystemError('isFolder');
      return new OpenMemoryFolder(this.#files, node);
    }
    if (request.folder) throw new SystemError('notFolder');
    if (request.truncate) node.resize(0);
    return new OpenMemoryFile(node, request.mayRead, request.mayWrite, request.flags & descriptorFlag.append);
  }

  statusOf(path: string): FileStatus {
    return statusOf(this.#find(path));
  }

  setTimesOf(path: string, _follow: boolean, times: FileTimes): void {
    setTimes(this.#find(path), times);
  }

  createFolder(path: string): void {
    const { folder, name } = this.#place(path);
    if (name === '' || folder.entries.has(name)) throw new SystemError('exists');
    folder.entries.set(name, new MemoryFolder());
  }

  removeFolder(path: string): void {
    const { folder, name } = this.#place(path);
    const node = folder.entries.get(name);
    if (name === '') throw new SystemError('invalid');
    if (!node) throw new SystemError('noEntry');
    if (node instanceof MemoryFile) throw new SystemError('notFolder');
    if (node.entries.size > 0) throw new SystemError('notEmpty');
    folder.entries.delete(name);
  }

  unlink(path: string): void {
    const { folder, name } = this.#place(path);
    const node = name === '' ? folder : folder.entries.get(name);
    if (!node) throw new SystemError('noEntry');
    if (node instanceof MemoryFolder) throw new SystemError('isFolder');
    folder.entries.delete(name);
  }

  rename(path: string, to: OpenFolder, newPath: string): void {
    const old = this.#place(path);
    const next = (to as OpenMemoryFolder).#place(newPath);
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
  }

  readLink(path: string): string {
    this.#find(path);
    // It is there, and it is no link.
    throw new SystemError('invalid');
  }

  symbolicLink(): void {
    throw new SystemError('notSupported');
  }

  link(): void {
    throw new SystemError('notSupported');
  }

  #find(path: string): MemoryNode {
    return this.#files.find(this.#folder, path);
  }

  #place(path: string): Place {
    return this.#files.place(this.#folder, path);
  }
}

function statusOf(node: MemoryNode): FileStatus {
  const time = BigInt(node.changed);
  return {
    type: node instanceof MemoryFile ? fileType.file : fileType.folder,
    device: 0n,
    number: numberOf(node),
    links: 1n,
    size: BigInt(node instanceof MemoryFile ? node.length : 0),
    accessed: time,
    modified: time,
    changed: time,
  };
}

/** Of its times a file in memory has one. */
function setTimes(node: MemoryNode, { modified }: FileTimes): void {
  if (modified !== undefined) node.changed = Number(modified);
}

const numbers = new WeakMap<MemoryNode, bigint>();
let lastNumber = 0n;

function numberOf(node: MemoryNode): bigint {
  let number = numbers.get(node);
  if (number === undefined) {
    lastNumber += 1n;
    number = lastNumber;
    numbers.set(node, number);
  }
  return number;
}

function contains(folder: MemoryFolder, inner: MemoryFolder): boolean {
  if (folder === inner) return true;
  return [...folder.entries.values()].some((node) => node instanceof MemoryFolder && contains(node, inner));
}
