/** What a program has open, by the numbers of its descriptors: files, folders, its input and its outputs. */
import { allRights, fileType, right, SystemError, streamRights } from './wasi.ts';

/** What a file or folder is: `filestat`. */
export interface FileStatus {
  /** `filetype`. */
  readonly type: number;
  readonly device: bigint;
  /** By which a program knows whether two files of a device are the same. */
  readonly number: bigint;
  readonly links: bigint;
  readonly size: bigint;
  /** Nanoseconds since 1970. */
  readonly accessed: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
}

/** Times to set, in nanoseconds since 1970; undefined for those that stay. */
export interface FileTimes {
  readonly accessed: bigint | undefined;
  readonly modified: bigint | undefined;
}

/** How path_open opens. */
export interface OpenRequest {
  /** Whether a link at the end of the path is followed; links before it are. */
  readonly follow: boolean;
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly truncate: boolean;
  /** It must be a folder. */
  readonly folder: boolean;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** `fdflags`. */
  readonly flags: number;
}

/** Something open. What it cannot do throws a SystemError. */
export abstract class Descriptor {
  abstract readonly type: number;
  /** `fdflags`. */
  flags = 0;

  get rights(): bigint {
    return streamRights;
  }

  /** At most so many bytes from where it stands; none at the end. */
  read(_length: number): Uint8Array {
    throw new SystemError('badFile');
  }

  write(_bytes: Uint8Array): void {
    throw new SystemError('badFile');
  }

  status(): FileStatus {
    const none = { device: 0n, number: 0n, links: 0n, size: 0n, accessed: 0n, modified: 0n, changed: 0n };
    return { type: this.type, ...none };
  }

  setTimes(_times: FileTimes): void {}

  /** What was written is not lost when the machine stops. */
  sync(): void {}

  close(): void {}
}

/** A file, or something else that is read and written as one is. */
export abstract class OpenFile extends Descriptor {
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  position = 0;

  constructor(mayRead: boolean, mayWrite: boolean, flags: number) {
    super();
    this.mayRead = mayRead;
    this.mayWrite = mayWrite;
    this.flags = flags;
  }

  override get rights(): bigint {
    return allRights & ~(this.mayRead ? 0n : right.read) & ~(this.mayWrite ? 0n : right.write);
  }

  abstract readonly length: number;
  abstract readAt(position: number, length: number): Uint8Array;
  abstract writeAt(position: number, bytes: Uint8Array): void;
  /** Cuts the file off, or adds zeros. */
  abstract resize(length: number): void;
}

/** A folder, and what is done by paths that begin there. None leads out of it. */
export abstract class OpenFolder extends Descriptor {
  readonly type = fileType.folder;
  /** The program's name for it, if it was given the folder. */
  abstract readonly given: string | undefined;

  override get rights(): bigint {
    return allRights;
  }

  /** The names in it, `.` and `..` among them. */
  abstract list(): readonly string[];
  /** What is at a name in it; undefined if that has gone. */
  abstract describe(name: string): Pick<FileStatus, 'number' | 'type'> | undefined;

  abstract open(path: string, request: OpenRequest): Descriptor;
  abstract statusOf(path: string, follow: boolean): FileStatus;
  abstract setTimesOf(path: string, follow: boolean, times: FileTimes): void;
  abstract createFolder(path: string): void;
  abstract removeFolder(path: string): void;
  abstract unlink(path: string): void;
  abstract rename(path: string, to: OpenFolder, newPath: string): void;
  abstract readLink(path: string): string;
  /** Makes a link that leads to a text. */
  abstract symbolicLink(text: string, path: string): void;
  /** Makes another name of a file. */
  abstract link(path: string, follow: boolean, to: OpenFolder, newPath: string): void;
}

/** Standard input, which is all there at the start. */
export class Input extends Descriptor {
  readonly type = fileType.characterDevice;
  #rest: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.#rest = bytes;
  }

  override read(length: number): Uint8Array {
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes;
  }
}

/** Takes what a program writes; the bytes are the taker's to keep. */
export type OutputFunction = (bytes: Uint8Array) => void;

/** Standard output, or that for errors. */
export class Output extends Descriptor {
  readonly type = fileType.characterDevice;
  readonly #take: OutputFunction;

  constructor(take: OutputFunction) {
    super();
    this.#take = take;
  }

  override write(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#take(bytes.slice());
  }
}

/** The most that can be open at a time. */
const mostDescriptors = 4096;

export class Descriptors {
  readonly #open: (Descriptor | undefined)[];

  /** @param first descriptors 0, 1 and so on */
  constructor(first: readonly Descriptor[]) {
    this.#open = [...first];
  }

  /** Undefined if nothing is open by this number. */
  find(number: number): Descriptor | undefined {
    return this.#open[number];
  }

  /** @throws SystemError badFile */
  get(number: number): Descriptor {
    const found = this.#open[number];
    if (!found) throw new SystemError('badFile');
    return found;
  }

  /** @throws SystemError badFile; noSeek for a stream, isFolder for a folder */
  file(number: number): OpenFile {
    const found = this.get(number);
    if (found instanceof OpenFile) return found;
    throw new SystemError(found instanceof OpenFolder ? 'isFolder' : 'noSeek');
  }

  /** @throws SystemError badFile, notFolder */
  folder(number: number): OpenFolder {
    const found = this.get(number);
    if (!(found instanceof OpenFolder)) throw new SystemError('notFolder');
    return found;
  }

  /** The lowest number that is free. @throws SystemError tooMany, with what cannot be added closed */
  add(descriptor: Descriptor): number {
    let number = 0;
    while (this.#open[number]) number += 1;
    if (number >= mostDescriptors) {
      descriptor.close();
      throw new SystemError('tooMany');
    }
    this.#open[number] = descriptor;
    return number;
  }

  close(number: number): void {
    const closed = this.get(number);
    this.#open[number] = undefined;
    closed.close();
  }

  /** Closes what is left when the program has ended. */
  closeAll(): void {
    for (const open of this.#open.splice(0)) {
      try {
        open?.close();
      } catch {
        // Nobody is there to hear of it.
      }
    }
  }

  /** Makes `to` what `from` is, which is closed; `to` need be open, as WASI has it. */
  move(from: number, to: number): void {
    const moved = this.get(from);
    const replaced = this.get(to);
    if (from === to) return;
    this.#open[from] = undefined;
    this.#open[to] = moved;
    replaced.close();
  }
}
