/**
 * A folder of files by key, for what can be made again: reading and writing never fail, they only find nothing or keep
 * nothing. Several processes may use one folder: a file appears under its name when it is whole. When the folder takes
 * more than its limit, the files not used for the longest time go. cache-files.ts says whose folder and files are used at all.
 */
import { decodeEntry, encodeEntry, mostEntryOverhead } from './cache-entry.ts';
import { type FileFunctions, folderProblem, readOwnFile } from './cache-files.ts';

/** Bytes that a folder may take. */
const defaultLimit = 128 * 1024 * 1024;

const ending = '.mlrc';
const unfinished = '.tmp';
/** Milliseconds after which an unfinished file is nobody's any more. */
const abandonedAfter = 3_600_000;
/**
 * The folder is looked through at one of so many writes, and at the first of a process no more often than at others: a full folder has
 * thousands of files, and going through them takes longer than building a program.
 */
const writesBetweenLooks = 32;

/** Where a word about the cache goes. */
export type CacheLog = (message: string) => void;

export class CacheFolder {
  readonly path: string;
  readonly #files: FileFunctions;
  readonly #limit: number;
  #writesUntilLook: number;

  readonly #log: CacheLog;
  /** What was last said of why the folder is not used. */
  #said: string | undefined;

  /**
   * @param writesUntilLook how many writes there are before the folder is looked through for the first time
   * @param log hears why the folder is not used, once for each reason
   */
  constructor(
    path: string,
    files: FileFunctions,
    limit = defaultLimit,
    writesUntilLook = Math.floor(Math.random() * writesBetweenLooks),
    log: CacheLog = () => {},
  ) {
    this.path = path;
    this.#files = files;
    this.#limit = limit;
    this.#writesUntilLook = writesUntilLook;
    this.#log = log;
  }

  /** Why the folder is not used: who else might have put something there; undefined if it is used. */
  problem(): string | undefined {
    return folderProblem(this.#files, this.path);
  }

  /** The content kept under a key (a word), or undefined. */
  read(key: string): Uint8Array | undefined {
    if (!this.#isTrusted()) return undefined;
    try {
      const whole = readOwnFile(this.#files, this.#pathOf(key), this.#mostBytes);
      return whole && decodeEntry(key, whole);
    } catch {
      return undefined;
    }
  }

  write(key: string, content: Uint8Array): void {
    if (content.length + mostEntryOverhead > this.#mostBytes) return;
    const whole = encodeEntry(key, content);
    const path = this.#pathOf(key);
    const temporary = `${path}.${Math.random().toString(36).slice(2)}${unfinished}`;
    try {
      this.#make(this.path);
      if (!this.#isTrusted()) return;
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

  /** The largest file. */
  get #mostBytes(): number {
    return this.#limit / 4;
  }

  #isTrusted(): boolean {
    const problem = this.problem();
    if (problem !== undefined && problem !== this.#said) this.#log(`${this.path} is not used: ${problem}`);
    this.#said = problem;
    return problem === undefined;
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
    if (!this.#isTrusted()) return 0;
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
        const status = this.#files.lstatSync(path);
        return status.isFile() ? [{ path, size: status.size, used: status.mtimeMs }] : [];
      } catch {
        // Another process was faster.
        return [];
      }
    });
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
