/** What a program has open, by the numbers of its descriptors: files and folders in memory, its input and its outputs. */
import type { MemoryFile, MemoryFolder } from './memory-files.ts';
import { descriptorFlag, fileType, SystemError } from './wasi.ts';

/** Something open. What it cannot do throws a SystemError. */
export abstract class Descriptor {
  abstract readonly type: number;
  /** `fdflags`. */
  flags = 0;

  /** At most so many bytes from where it stands; none at the end. */
  read(_length: number): Uint8Array {
    throw new SystemError('badFile');
  }

  write(_bytes: Uint8Array): void {
    throw new SystemError('badFile');
  }
}

export class OpenFile extends Descriptor {
  readonly type = fileType.file;
  readonly file: MemoryFile;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  position = 0;

  constructor(file: MemoryFile, mayRead: boolean, mayWrite: boolean, flags: number) {
    super();
    this.file = file;
    this.mayRead = mayRead;
    this.mayWrite = mayWrite;
    this.flags = flags;
  }

  override read(length: number): Uint8Array {
    const bytes = this.readAt(this.position, length);
    this.position += bytes.length;
    return bytes;
  }

  override write(bytes: Uint8Array): void {
    if (this.flags & descriptorFlag.append) this.position = this.file.length;
    this.writeAt(this.position, bytes);
    this.position += bytes.length;
  }

  readAt(position: number, length: number): Uint8Array {
    if (!this.mayRead) throw new SystemError('badFile');
    return this.file.read(position, length);
  }

  writeAt(position: number, bytes: Uint8Array): void {
    if (!this.mayWrite) throw new SystemError('badFile');
    this.file.write(position, bytes);
  }
}

export class OpenFolder extends Descriptor {
  readonly type = fileType.folder;
  readonly folder: MemoryFolder;
  /** The program's name for it, if it was given the folder. */
  readonly given: string | undefined;

  constructor(folder: MemoryFolder, given?: string) {
    super();
    this.folder = folder;
    this.given = given;
  }
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

  /** The lowest number that is free. @throws SystemError tooMany */
  add(descriptor: Descriptor): number {
    let number = 0;
    while (this.#open[number]) number += 1;
    if (number >= mostDescriptors) throw new SystemError('tooMany');
    this.#open[number] = descriptor;
    return number;
  }

  close(number: number): void {
    this.get(number);
    this.#open[number] = undefined;
  }

  /** Makes `to` what `from` is, which is closed; `to` need be open, as WASI has it. */
  move(from: number, to: number): void {
    const moved = this.get(from);
    this.get(to);
    this.#open[from] = undefined;
    this.#open[to] = moved;
  }
}
