/** Open files and folders of the machine, for a program that was given a folder (machine-folder.ts says what paths in it mean). */

import {
  codeOf,
  files,
  type MachineStatus,
  openBit,
  statusAt,
  statusOfFile,
} from '../runtime/machine-files.ts';
import {
  followLink,
  MachineFolder,
  type MachinePlace,
  type Visit,
  visit,
} from '../runtime/machine-folder.ts';
import {
  type Descriptor,
  type FileStatus,
  type FileTimes,
  OpenFile,
  OpenFolder,
  type OpenRequest,
} from './descriptors.ts';
import { onMachine } from './machine-errors.ts';
import { descriptorFlag, fileType, SystemError } from './wasi.ts';

/** The most bytes that are read at a time. */
const mostBytes = 1 << 24;

class OpenMachineFile extends OpenFile {
  readonly type: number;
  readonly #file: number;
  /** It has places; pipes and devices have not. */
  readonly #hasPlaces: boolean;

  constructor(file: number, status: MachineStatus, request: OpenRequest) {
    super(request.mayRead, request.mayWrite, request.flags);
    this.#file = file;
    this.type = typeOf(status);
    this.#hasPlaces = status.isFile() || status.isBlockDevice();
  }

  get length(): number {
    this.#checkPlaces();
    return Number(onMachine(() => statusOfFile(this.#file)).size);
  }

  override read(length: number): Uint8Array {
    const bytes = this.#read(this.#hasPlaces ? this.position : null, length);
    this.position += bytes.length;
    return bytes;
  }

  override write(bytes: Uint8Array): void {
    if (!this.mayWrite) throw new SystemError('badFile');
    if (!this.#hasPlaces) {
      this.#write(null, bytes);
      return;
    }
    if (this.flags & descriptorFlag.append) this.position = this.length;
    this.#write(this.position, bytes);
    this.position += bytes.length;
  }

  readAt(position: number, length: number): Uint8Array {
    this.#checkPlaces();
    return this.#read(position, length);
  }

  writeAt(position: number, bytes: Uint8Array): void {
    this.#checkPlaces();
    if (!this.mayWrite) throw new SystemError('badFile');
    this.#write(position, bytes);
  }

  resize(length: number): void {
    if (!this.mayWrite) throw new SystemError('badFile');
    onMachine(() => files().ftruncateSync(this.#file, length));
  }

  override status(): FileStatus {
    return factsOf(onMachine(() => statusOfFile(this.#file)));
  }

  override setTimes(times: FileTimes): void {
    onMachine(() => {
      const [accessed, modified] = secondsOf(times, statusOfFile(this.#file));
      files().futimesSync(this.#file, accessed, modified);
    });
  }

  override sync(): void {
    onMachine(() => files().fsyncSync(this.#file));
  }

  override close(): void {
    onMachine(() => files().closeSync(this.#file));
  }

  #checkPlaces(): void {
    if (!this.#hasPlaces) throw new SystemError('noSeek');
  }

  #read(position: number | null, length: number): Uint8Array {
    if (!this.mayRead) throw new SystemError('badFile');
    const bytes = new Uint8Array(Math.min(length, mostBytes));
    return bytes.subarray(
      0,
      onMachine(() => files().readSync(this.#file, bytes, 0, bytes.length, position)),
    );
  }

  #write(position: number | null, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const at = position === null ? null : position + done;
      done += onMachine(() => files().writeSync(this.#file, bytes, done, bytes.length - done, at));
    }
  }
}

export class OpenMachineFolder extends OpenFolder {
  readonly given: string | undefined;
  readonly #folder: MachineFolder;

  constructor(folder: MachineFolder, given?: string) {
    super();
    this.#folder = folder;
    this.given = given;
  }

  /** The folder that a user gives a program under a name. */
  static given(path: string, name: string): OpenMachineFolder {
    return new OpenMachineFolder(MachineFolder.given(path), name);
  }

  override status(): FileStatus {
    return factsOf(onMachine(() => statusAt(this.#folder.at('.'))));
  }

  override setTimes(times: FileTimes): void {
    setTimesAt(this.#folder.at('.'), times);
  }

  override close(): void {
    this.#folder.close();
  }

  list(): readonly string[] {
    return ['.', '..', ...onMachine(() => files().readdirSync(this.#folder.self))];
  }

  describe(name: string): Pick<FileStatus, 'number' | 'type'> | undefined {
    // What is outside of a folder that was given is nothing to the program.
    const isOutside = name === '..';
    try {
      return factsOf(onMachine(() => statusAt(this.#folder.at(isOutside ? '.' : name))));
    } catch {
      return undefined;
    }
  }

  open(path: string, request: OpenRequest): Descriptor {
    return onPlace(this.#folder, path, (place) => {
      if (place.name === '') return openItself(place.folder, request);
      const follows = (request.follow || place.isFolder) && !(request.create && request.exclusive);
      // Where the system cannot be told not to follow a link, it is looked whether there is one.
      if (openBit('O_NOFOLLOW') === 0 && isLink(place)) return followOrRefuse(follows);
      let file: number;
      try {
        file = files().openSync(place.at, flagsOf(request, place), 0o666);
      } catch (error) {
        const mayBeLink = ['ELOOP', 'ENOTDIR', 'EMLINK'].includes(codeOf(error) ?? '');
        if (mayBeLink && isLink(place)) return followOrRefuse(follows);
        throw error;
      }
      return opened(file, place, request);
    });
  }

  statusOf(path: string, follow: boolean): FileStatus {
    return onPlace(this.#folder, path, (place) => {
      const status = statusAt(place.at);
      if (status.isSymbolicLink() && (follow || place.isFolder)) return followLink;
      checkFolder(place, status);
      return factsOf(status);
    });
  }

  setTimesOf(path: string, follow: boolean, times: FileTimes): void {
    onPlace(this.#folder, path, (place) => {
      const status = statusAt(place.at);
      if (status.isSymbolicLink() && (follow || place.isFolder)) return followLink;
      checkFolder(place, status);
      setTimesAt(place.at, times);
      return undefined;
    });
  }

  createFolder(path: string): void {
    onPlace(this.#folder, path, ({ name, at }) => {
      if (name === '') throw new SystemError('exists');
      files().mkdirSync(at);
    });
  }

  removeFolder(path: string): void {
    onPlace(this.#folder, path, ({ name, at }) => {
      if (name === '') throw new SystemError('invalid');
      files().rmdirSync(at);
    });
  }

  unlink(path: string): void {
    onPlace(this.#folder, path, (place) => {
      const status = statusAt(place.at);
      if (status.isDirectory()) throw new SystemError('isFolder');
      if (place.isFolder) throw new SystemError('notFolder');
      files().unlinkSync(place.at);
    });
  }

  rename(path: string, to: OpenFolder, newPath: string): void {
    onPlace(this.#folder, path, (old) => {
      if (old.name === '') throw new SystemError('busy');
      checkFolder(old, statusAt(old.at));
      onPlace((to as OpenMachineFolder).#folder, newPath, (next) => {
        if (next.name === '') throw new SystemError('busy');
        if (next.isFolder && !statusAt(old.at).isDirectory()) throw new SystemError('notFolder');
        files().renameSync(old.at, next.at);
      });
    });
  }

  readLink(path: string): string {
    return onPlace(this.#folder, path, (place) => {
      if (!isLink(place)) throw new SystemError('invalid');
      return place.isFolder ? followLink : files().readlinkSync(place.at);
    });
  }

  symbolicLink(text: string, path: string): void {
    // It would lead out of the folder for everybody but the program, which cannot follow it.
    if (text.startsWith('/')) throw new SystemError('notCapable');
    onPlace(this.#folder, path, ({ name, at, isFolder }) => {
      if (name === '') throw new SystemError('exists');
      if (isFolder) throw new SystemError('noEntry');
      files().symlinkSync(text, at);
    });
  }

  link(path: string, follow: boolean, to: OpenFolder, newPath: string): void {
    onPlace(this.#folder, path, (old) => {
      if (isLink(old) && (follow || old.isFolder)) return followLink;
      onPlace((to as OpenMachineFolder).#folder, newPath, (next) => {
        if (next.name === '') throw new SystemError('exists');
        files().linkSync(old.at, next.at);
      });
      return undefined;
    });
  }
}

/** Does something at a path in a folder. @throws SystemError */
function onPlace<T>(folder: MachineFolder, path: string, action: Visit<T>): T {
  return onMachine(() => visit(folder, path, action));
}

/** @throws SystemError if a path that ends as a folder's leads to something else */
function checkFolder({ isFolder }: MachinePlace, status: MachineStatus): void {
  if (isFolder && !status.isDirectory()) throw new SystemError('notFolder');
}

function isLink({ at }: MachinePlace): boolean {
  try {
    return statusAt(at).isSymbolicLink();
  } catch {
    return false;
  }
}

function followOrRefuse(follows: boolean): typeof followLink {
  if (follows) return followLink;
  throw new SystemError('loop');
}

function openItself(folder: MachineFolder, request: OpenRequest): Descriptor {
  if (request.create && request.exclusive) throw new SystemError('exists');
  if (request.mayWrite || request.truncate) throw new SystemError('isFolder');
  return new OpenMachineFolder(folder.again());
}

/** What has been opened. A folder is kept by its own kind of number. */
function opened(file: number, place: MachinePlace, request: OpenRequest): Descriptor {
  const status = statusOfFile(file);
  if (!status.isDirectory()) {
    if (!request.folder && !place.isFolder) return new OpenMachineFile(file, status, request);
    files().closeSync(file);
    throw new SystemError('notFolder');
  }
  files().closeSync(file);
  if (request.mayWrite) throw new SystemError('isFolder');
  const folder = place.folder.enter(place.name);
  if (!folder) throw new SystemError('notFolder');
  return new OpenMachineFolder(folder);
}

function flagsOf(request: OpenRequest, place: MachinePlace): number {
  const { mayRead, mayWrite, flags } = request;
  const access = mayWrite ? (mayRead ? 'O_RDWR' : 'O_WRONLY') : 'O_RDONLY';
  let bits = openBit(access) | openBit('O_NOFOLLOW');
  if (request.create && !place.isFolder) bits |= openBit('O_CREAT');
  if (request.exclusive) bits |= openBit('O_EXCL');
  if (request.truncate) bits |= openBit('O_TRUNC');
  if (request.folder || place.isFolder) bits |= openBit('O_DIRECTORY');
  if (flags & descriptorFlag.nonBlocking) bits |= openBit('O_NONBLOCK');
  if (flags & descriptorFlag.dataSync) bits |= openBit('O_DSYNC');
  if (flags & (descriptorFlag.sync | descriptorFlag.readSync)) bits |= openBit('O_SYNC');
  return bits;
}

function factsOf(status: MachineStatus): FileStatus {
  return {
    type: typeOf(status),
    device: BigInt.asUintN(64, status.dev),
    number: BigInt.asUintN(64, status.ino),
    links: status.nlink,
    size: status.size,
    accessed: BigInt.asUintN(64, status.atimeNs),
    modified: BigInt.asUintN(64, status.mtimeNs),
    changed: BigInt.asUintN(64, status.ctimeNs),
  };
}

function typeOf(status: MachineStatus): number {
  if (status.isFile()) return fileType.file;
  if (status.isDirectory()) return fileType.folder;
  if (status.isSymbolicLink()) return fileType.link;
  if (status.isCharacterDevice()) return fileType.characterDevice;
  if (status.isBlockDevice()) return fileType.blockDevice;
  return status.isSocket() ? fileType.socket : fileType.unknown;
}

function setTimesAt(path: string, times: FileTimes): void {
  onMachine(() => files().lutimesSync(path, ...secondsOf(times, statusAt(path))));
}

/** Both times in seconds, as Node takes them: those that are not given as they are. */
function secondsOf(times: FileTimes, { atimeNs, mtimeNs }: MachineStatus): [number, number] {
  return [Number(times.accessed ?? atimeNs) / 1e9, Number(times.modified ?? mtimeNs) / 1e9];
}
