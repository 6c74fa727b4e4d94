/**
 * Finds the text of an #include: relative to the file that asks, then along the include paths. Files come from the
 * host through FileSystem; paths are plain text with `/` here, on every host.
 */

import { RefusedFile } from '../source/refused-file.ts';
import { shown } from '../source/shown.ts';

/** Where included text comes from. */
export interface FileSystem {
  /**
   * the text at `path`, or undefined if there is none
   * @throws RefusedFile if there is something that cannot be read as a text, with the reason
   */
  read(path: string): string | undefined;
}

export interface Header {
  /** the path that was read; also the name in messages */
  readonly path: string;
  readonly text: string;
}

/** Why a header is not read that is there. */
export interface RefusedHeader {
  readonly refused: string;
}

/**
 * @param headers texts by the names that #include uses, which come before files
 * @param name what stands between the quotes or angle brackets
 * @param includer name of the asking file for the quoted form; undefined for `<name>`, which looks along the paths only
 * @param filesFirst whether a file beside the includer, or for `#include_next` on the paths left, comes before `headers`
 * @throws TypeError if the host gives neither a text nor nothing
 */
export function findHeader(
  name: string,
  includer: string | undefined,
  paths: readonly string[],
  files: FileSystem | undefined,
  headers?: ReadonlyMap<string, string>,
  filesFirst = false,
): Header | RefusedHeader | undefined {
  const text = headers?.get(name);
  const embedded = text === undefined ? undefined : { path: name, text };
  if (embedded === undefined) return findFile(name, includer, paths, files);
  // Files beside the one that asks may have a library header's name; those of a folder of headers do not replace it.
  const local = filesFirst ? findFile(name, includer, includer === undefined ? paths : [], files) : undefined;
  return local !== undefined && 'text' in local ? local : embedded;
}

function findFile(
  name: string,
  includer: string | undefined,
  paths: readonly string[],
  files: FileSystem | undefined,
): Header | RefusedHeader | undefined {
  if (files === undefined) return undefined;
  const candidates: string[] = [];
  if (name.startsWith('/')) {
    candidates.push(name);
  } else {
    if (includer !== undefined) {
      const slash = Math.max(includer.lastIndexOf('/'), includer.lastIndexOf('\\'));
      candidates.push(includer.slice(0, slash + 1) + name);
    }
    for (const path of paths)
      candidates.push(path === '' || path.endsWith('/') ? path + name : `${path}/${name}`);
  }
  let refused: string | undefined;
  for (const path of candidates) {
    let text: unknown;
    try {
      text = files.read(path);
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      refused ??= error.message;
      continue;
    }
    if (typeof text === 'string') return { path, text };
    if (text !== undefined && text !== null) {
      throw new TypeError(`files.read('${path}') gives a text at once, or undefined; it gave ${shown(text)}`);
    }
  }
  return refused === undefined ? undefined : { refused };
}
