/** The files that a compiler asks for while it compiles: what a build that is remembered depends on. */
import type { FileSystem } from '../../c/preprocessor.ts';
import { RefusedFile } from '../../source/refused-file.ts';
import { keyOf } from './hash.ts';

/** Files by the paths asked for: the key of the text, or null for none. */
export type SeenFiles = readonly (readonly [path: string, key: string | null])[];

/** Sources that say when they were compiled are another program every time. */
const tellsTime = /__DATE__|__TIME__|__TIMESTAMP__/;

/** Whether a text may become another program when it is compiled at another time. */
export function isTimeDependent(text: string): boolean {
  return tellsTime.test(text);
}

/** A file system that writes down what it is asked for. */
export class RecordedFiles implements FileSystem {
  readonly #files: FileSystem;
  readonly #seen = new Map<string, string | null>();
  #isTimeDependent = false;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  read(path: string): string | undefined {
    // One that is refused may be there another time.
    this.#seen.set(path, null);
    const text = this.#files.read(path);
    this.#seen.set(path, text === undefined ? null : keyOf([text]));
    if (text !== undefined && isTimeDependent(text)) this.#isTimeDependent = true;
    return text;
  }

  /** Whether a file tells the time. */
  get isTimeDependent(): boolean {
    return this.#isTimeDependent;
  }

  get seen(): SeenFiles {
    return [...this.#seen];
  }
}

/** Whether all files are still as they were. */
export function areUnchanged(seen: SeenFiles, files: FileSystem | undefined): boolean {
  return seen.every(([path, expected]) => {
    const text = files && textIn(files, path);
    return (text === undefined ? null : keyOf([text])) === expected;
  });
}

function textIn(files: FileSystem, path: string): string | undefined {
  try {
    return files.read(path);
  } catch (error) {
    if (error instanceof RefusedFile) return undefined;
    throw error;
  }
}
