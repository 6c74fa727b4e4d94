/**
 * The files that threads run, and what stands in for one that is not where it should be: a bundler has left it behind, or a page has
 * Millrace from another origin, from which browsers start no threads.
 */

/** A thread's file, as it can be told to other threads. */
export interface ThreadFile {
  /** As it is called in dist/: `worker.js`. */
  readonly name: string;
  /** Where it should be; undefined in a bundle that does not know where it is itself, such as one in CommonJS. */
  readonly url: string | undefined;
  /** Its code, for threads that have none at hand. */
  readonly code?: string | undefined;
}

/** The code of such files by their names: a script that needs no other file. */
export type ThreadCode = Readonly<Record<string, string>>;

let code: ThreadCode | undefined;
let load: (() => Promise<ThreadCode>) | undefined;

/** Says where code is loaded from when a file is not where it should be. */
export function loadThreadCodeBy(loader: () => Promise<ThreadCode>): void {
  load = loader;
}

/** Gives the code of files from the start, to those who cannot wait until it is loaded. */
export function provideThreadCode(given: ThreadCode): void {
  code = given;
}

/** The code of a file as far as it is at hand. */
export function codeAtHand(file: ThreadFile): string | undefined {
  return file.code ?? code?.[file.name];
}

/**
 * The code of a file; undefined if there is none but in the file.
 * @throws Error if it cannot be loaded
 */
export async function codeOf(file: ThreadFile): Promise<string | undefined> {
  if (code === undefined && load !== undefined && file.code === undefined) code = await load();
  return codeAtHand(file);
}

/** A file beside a module. `find` makes its address of the module's, which some bundles do not know. */
export function fileBeside(name: string, find: () => URL): ThreadFile {
  try {
    return { name, url: find().href };
  } catch {
    return { name, url: undefined };
  }
}
