/**
 * Folders of the machine that programs or kernels are given, and paths in them. A path is walked name by name from the folder, as
 * capability-based systems do: links are read here and followed only as far as they stay inside; a link with an absolute text, or
 * one that climbs out, is refused like `..` (ENOTCAPABLE).
 *
 * Another process may change folders meanwhile. On Linux each folder of the way is open, and names are looked up in the open
 * folder (/proc/self/fd/N/name, as openat does) and never followed by the system, so that no change leads outside. Node has no such
 * functions for other systems; there paths are put together from names that were no links just before.
 */
import { codeOf, files, MachineError, openBit, statusAt } from './machine-files.ts';
import { namesUntilBack } from './way-back.ts';

/** As many links as Linux follows in one path. */
const mostLinks = 40;

/** O_PATH of Linux, which node:fs does not name: opens a folder that may be searched but not listed, too. */
const pathOnly = 0o10000000;

/** Where Linux has what this process has open. */
const openFiles = '/proc/self/fd';

let knowsOpenFiles: boolean | undefined;

/** A folder that is held on to. */
export class MachineFolder {
  /** Where it was when it was opened. */
  readonly path: string;
  readonly #file: number | undefined;

  /** @param file what it is open as, if anything */
  private constructor(path: string, file: number | undefined) {
    this.path = path;
    this.#file = file;
  }

  /** A folder that the user names; links on the way are the user's. */
  static given(path: string): MachineFolder {
    const { constants, openSync, closeSync } = files();
    if (knowsOpenFiles === false || constants['O_DIRECTORY'] === undefined)
      return MachineFolder.#checked(path);
    const file = openSync(path, openBit('O_DIRECTORY') | openBit('O_RDONLY'));
    knowsOpenFiles ??= leadsTo(file);
    if (knowsOpenFiles) return new MachineFolder(path, file);
    closeSync(file);
    return MachineFolder.#checked(path);
  }

  static #checked(path: string): MachineFolder {
    files().readdirSync(path);
    return new MachineFolder(path.replace(/[/\\]+$/, ''), undefined);
  }

  /** A path that means a name in this folder to the system, if that does not follow links. */
  at(name: string): string {
    return `${this.#place}/${name}`;
  }

  /** A path of the folder itself. */
  get self(): string {
    return this.#file === undefined && this.path !== '' ? this.path : `${this.#place}/`;
  }

  get #place(): string {
    return this.#file === undefined ? this.path : `${openFiles}/${this.#file}`;
  }

  /**
   * The folder of a name in this one.
   * @returns undefined if it is a link, or no folder
   */
  enter(name: string): MachineFolder | undefined {
    const path = `${this.path}/${name}`;
    if (this.#file === undefined) {
      return statusAt(path).isDirectory() ? new MachineFolder(path, undefined) : undefined;
    }
    const flags = pathOnly | openBit('O_DIRECTORY') | openBit('O_NOFOLLOW');
    try {
      return new MachineFolder(path, files().openSync(this.at(name), flags));
    } catch (error) {
      if (['ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    }
  }

  /** The folder itself once more, to be closed by itself. */
  again(): MachineFolder {
    if (this.#file === undefined) return new MachineFolder(this.path, undefined);
    const flags = pathOnly | openBit('O_DIRECTORY');
    return new MachineFolder(this.path, files().openSync(this.self, flags));
  }

  close(): void {
    if (this.#file !== undefined) files().closeSync(this.#file);
  }
}

/** Whether names below an open folder's number lead into it. */
function leadsTo(folder: number): boolean {
  const { fstatSync } = files();
  try {
    const [open, found] = [fstatSync(folder, { bigint: true }), statusAt(`${openFiles}/${folder}/.`)];
    return open.ino === found.ino && open.dev === found.dev;
  } catch {
    return false;
  }
}

/** Where a path leads: a folder, and the name there, which need not exist. The name of the folder itself is empty. */
export interface MachinePlace {
  readonly folder: MachineFolder;
  readonly name: string;
  /** A path for the system, which must not follow it if it is a link. */
  readonly at: string;
  /** The path ends as those of folders do: what is there is meant, if it is a link, and must be a folder. */
  readonly isFolder: boolean;
}

/** What somebody does at a place; {@link followLink} if a link is there that is to be followed. */
export type Visit<T> = (place: MachinePlace) => T | typeof followLink;

/** Says that the name at a place is a link, and that the walk goes on where it leads. */
export const followLink = Symbol('followLink');

/**
 * Walks to a path below a folder, and does something there.
 * @throws MachineError ENOTCAPABLE for what leads out of the folder; ENOENT, ENOTDIR, ELOOP and others of the system
 */
export function visit<T>(base: MachineFolder, path: string, action: Visit<T>): T {
  const walk = new Walk(base, path);
  try {
    for (;;) {
      const place = walk.goOn();
      const done = action(place);
      if (done !== followLink) return done as T;
      walk.follow(place.name);
    }
  } finally {
    walk.close();
  }
}

class Walk {
  /** From the one that the walk began in to where it is. */
  readonly #folders: MachineFolder[];
  /** Names still to go, the next one last. */
  readonly #rest: string[] = [];
  #isFolder = false;
  #links = 0;

  constructor(base: MachineFolder, path: string) {
    this.#folders = [base];
    this.#add(path);
  }

  /** Goes on to the last name. */
  goOn(): MachinePlace {
    for (let name = this.#rest.pop(); name !== undefined; name = this.#rest.pop()) {
      const folder = this.#folders.at(-1)!;
      if (name === '..') this.#leave();
      else if (this.#rest.length === 0) {
        return { folder, name, at: folder.at(name), isFolder: this.#isFolder };
      } else {
        const inner = this.#enter(folder, name);
        if (inner === undefined) this.follow(name);
        else if (inner !== 'gone') this.#folders.push(inner);
      }
    }
    const folder = this.#folders.at(-1)!;
    return { folder, name: '', at: folder.self, isFolder: true };
  }

  /** The folder of a name; `gone` if there is none and the way goes back from there, which it has done then; undefined if it is a link. */
  #enter(folder: MachineFolder, name: string): MachineFolder | 'gone' | undefined {
    try {
      return folder.enter(name);
    } catch (error) {
      const skipped = codeOf(error) === 'ENOENT' ? namesUntilBack(this.#rest.toReversed()) : undefined;
      if (skipped === undefined) throw error;
      this.#rest.length -= skipped;
      return 'gone';
    }
  }

  /** Puts what a link says in the place of its name. @throws MachineError ENOTDIR if it is no link; ELOOP, ENOTCAPABLE */
  follow(name: string): void {
    let text: string;
    try {
      text = files().readlinkSync(this.#folders.at(-1)!.at(name));
    } catch (error) {
      if (codeOf(error) === 'EINVAL' || codeOf(error) === 'UNKNOWN') throw new MachineError('ENOTDIR');
      throw error;
    }
    this.#links += 1;
    if (this.#links > mostLinks) throw new MachineError('ELOOP');
    this.#add(text);
  }

  close(): void {
    while (this.#folders.length > 1) this.#folders.pop()!.close();
  }

  #leave(): void {
    if (this.#folders.length === 1) throw new MachineError('ENOTCAPABLE');
    this.#folders.pop()!.close();
  }

  #add(path: string): void {
    if (path === '') throw new MachineError('ENOENT');
    if (path.startsWith('/')) throw new MachineError('ENOTCAPABLE');
    const names = path.split('/');
    // What `/`, `/.` and `/..` stand behind is a folder.
    if (this.#rest.length === 0 && ['', '.', '..'].includes(names.at(-1)!)) this.#isFolder = true;
    const said = names.filter((name) => name !== '' && name !== '.');
    if (openBit('O_DIRECTORY') === 0 && said.some((name) => /[\\:]/.test(name))) {
      // On Windows these are parts of paths, too.
      throw new MachineError('ENOTCAPABLE');
    }
    this.#rest.push(...said.reverse());
  }
}
