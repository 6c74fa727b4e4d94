/**
 * A folder of files by key, for what can be made again: reading and writing never fail, they only find nothing or keep
 * nothing. Several processes may use one folder: a file appears under its name when it is whole. When the folder takes
 * more than its limit, the files not used for the longest time go.
 */
import { crc32 } from '../crc32.ts';

/** What is needed of `node:fs`. */
export interface FileFunctions {
  mkdirSync(path: string, options: { mode: number }): unknown;
  readdirSync(path: string): string[];
  readFileSync(path: string): Uint8Array;
  renameSync(from: string, to: string): void;
  statSync(path: string): { readonly size: number; readonly mtimeMs: number };
  unlinkSync(path: string): void;
  utimesSync(path: string, accessed: number, modified: number): void;
  writeFileSync(path: string, content: Uint8Array, options: { flag: string; mode: number }): void;
}

/** Bytes that a folder may take. */
const defaultLimit = 128 * 1024 * 1024;

const ending = '.mlrc';
const unfinished = '.tmp';
/** Milliseconds after which an unfinished file is nobody's any more. */
const abandonedAfter = 3_600_000;
/** Milliseconds for which a use is not written down again. */
const usedAgainAfter = 86_400_000;
/**
 * The folder is looked through at one of so many writes, and at the first of a process no more often than at others: a full folder has
 * thousands of files, and going through them takes longer than building a program.
 */
const writesBetweenLooks = 32;

const checksumBytes = 4;

export class CacheFolder {
  readonly path: string;
  readonly #files: FileFunctions;
  readonly #limit: number;
  #writesUntilLook: number;

  /** @param writesUntilLook how many writes there are before the folder is looked through for the first time */
  constructor(
    path: string,
    files: FileFunctions,
    limit = defaultLimit,
    writesUntilLook = Math.floor(Math.random() * writesBetweenLooks),
  ) {
    this.path = path;
    this.#files = files;
    this.#limit = limit;
    this.#writesUntilLook = writesUntilLook;
  }

  /** The content kept under a key (a word), or undefined. */
  read(key: string): Uint8Array | undefined {
    const path = this.#pathOf(key);
    try {
      const read = this.#files.readFileSync(path);
      // Node's Buffer has a slice() that does not copy; nobody beyond this file should meet it.
      const whole = new Uint8Array(read.buffer, read.byteOffset, read.byteLength);
      const content = whole.subarray(checksumBytes);
      const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
      if (view.getUint32(0, true) !== crc32(content)) return undefined;
      this.#use(path);
      return content;
    } catch {
      return undefined;
    }
  }

  write(key: string, content: Uint8Array): void {
    const whole = new Uint8Array(checksumBytes + content.length);
    new DataView(whole.buffer).setUint32(0, crc32(content), true);
    whole.set(content, checksumBytes);
    if (whole.length > this.#limit / 4) return;
    const path = this.#pathOf(key);
    const temporary = `${path}.${Math.random().toString(36).slice(2)}${unfinished}`;
    try {
      this.#make(this.path);
      this.#files.writeFileSync(temporary, whole, { flag: 'wx', mode: 0o600 });
      this.#files.renameSync(temporary, path);
    } catch {
      this.#remove(temporary);
      return;
    }
    if (this.#writesUntilLook > 0) {
      this.#writesUntilLook -= 1;
      return;
    }
    this.#shrink();
    this.#writesUntilLook = writesBetweenLooks - 1;
  }

  /**
   * Makes a folder and those above it. Node's own `recursive` never ends where a folder that is there says that it is not when one
   * is to be made in it, as those of /proc do.
   */
  #make(path: string): void {
    const make = () => {
      try {
        this.#files.mkdirSync(path, { mode: 0o700 });
        return 'EEXIST';
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    };
    const above = /^(.*[^/\\])[/\\]+[^/\\]+[/\\]*$/.exec(path)?.[1];
    if (make() !== 'ENOENT' || above === undefined) return;
    this.#make(above);
    make();
  }

  /** How many files there are, and how many bytes they take. */
  size(): { readonly entries: number; readonly bytes: number } {
    const files = this.#list().filter(({ path }) => path.endsWith(ending));
    return { entries: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  }

  /** Removes the files (and only those), and says how many there were. */
  clear(): number {
    const files = this.#list();
    for (const { path } of files) this.#remove(path);
    return files.filter(({ path }) => path.endsWith(ending)).length;
  }

  #shrink(): void {
    const now = Date.now();
    const files = this.#list().sort((a, b) => a.used - b.used);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    // Down to less than the limit, so that not every write has to look for room.
    const goal = bytes > this.#limit ? this.#limit * 0.8 : bytes;
    for (const { path, size, used } of files) {
      const isAbandoned = path.endsWith(unfinished) && now - used > abandonedAfter;
      if (bytes <= goal && !isAbandoned) continue;
      this.#remove(path);
      bytes -= size;
    }
  }

  #list(): { path: string; size: number; used: number }[] {
    let names: string[];
    try {
      names = this.#files.readdirSync(this.path);
    } catch {
      return [];
    }
    return names.flatMap((name) => {
      if (!name.endsWith(ending) && !name.endsWith(unfinished)) return [];
      const path = `${this.path}/${name}`;
      try {
        const { size, mtimeMs } = this.#files.statSync(path);
        return [{ path, size, used: mtimeMs }];
      } catch {
        // Another process was faster.
        return [];
      }
    });
  }

  /** Files are as old as their last use. */
  #use(path: string): void {
    const now = Date.now();
    if (now - this.#files.statSync(path).mtimeMs < usedAgainAfter) return;
    this.#files.utimesSync(path, now / 1000, now / 1000);
  }

  #remove(path: string): void {
    try {
      this.#files.unlinkSync(path);
    } catch {
      // It is gone already, or was never made.
    }
  }

  #pathOf(key: string): string {
    return `${this.path}/${key}${ending}`;
  }
}
