/**
 * The open documents with what was read of them. A document is read when something is asked after it changed, and read
 * again when a header that it includes changes, whether that is open, too, or lies on the disk.
 */
import { fileURLToPath } from 'node:url';
import { diskFiles } from 'millrace';
import { checkBrookSource } from 'millrace/c-host';
import {
  type FileSystem,
  languageOf,
  type Reading,
  readText,
  type TextLanguage,
} from 'millrace/language-service';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { buildOptionsOf, noSettings, type Settings, settingsOf } from './settings.ts';

interface Remembered {
  readonly version: number;
  readonly options: string;
  readonly reading: Reading;
  /** The files that were asked for on the way, also those that are not there. */
  readonly files: ReadonlySet<string>;
}

export class Readings {
  /** The editor's own settings. */
  settings: Settings = noSettings;
  readonly #documents: { all(): TextDocument[] };
  readonly #onDisk = diskFiles();
  readonly #remembered = new Map<string, Remembered>();

  constructor(documents: { all(): TextDocument[] }) {
    this.#documents = documents;
  }

  /** What there is to say of a document; undefined for a language that is none of ours. */
  of(document: TextDocument): Reading | undefined {
    const language = languageFor(document);
    if (!language) return undefined;
    const { uri, version } = document;
    const path = pathOf(uri);
    const options = buildOptionsOf(settingsOf(path, this.settings));
    const known = this.#remembered.get(uri);
    if (known?.version === version && known.options === options) return known.reading;
    const files = new Set<string>();
    const reading = readText(language, document.getText(), {
      name: path,
      buildOptions: options,
      files: this.#fileSystem(files),
      checkHost: checkBrookSource,
    });
    this.#remembered.set(uri, { version, options, reading, files });
    return reading;
  }

  forget(uri: string): void {
    this.#remembered.delete(uri);
  }

  forgetAll(): void {
    this.#remembered.clear();
  }

  /** Forgets who reads a file that changed, and names them. */
  fileChanged(uri: string): readonly string[] {
    const path = pathOf(uri);
    const readers = [...this.#remembered]
      .filter(([, { files }]) => files.has(path))
      .map(([reader]) => reader);
    for (const reader of readers) this.#remembered.delete(reader);
    return readers;
  }

  /** Headers as the editor has them, else as they lie on the disk. */
  #fileSystem(asked: Set<string>): FileSystem {
    return {
      read: (path) => {
        asked.add(path);
        const open = this.#documents.all().find(({ uri }) => pathOf(uri) === path);
        if (open) return open.getText();
        return this.#onDisk.read(path);
      },
    };
  }
}

/** The path of a file's address; other addresses (a document that was never saved) as they are. */
export function pathOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

/** By the name of the file, else by the name that the editor has for its language. */
function languageFor({ uri, languageId }: TextDocument): TextLanguage | undefined {
  const named = languageOf(uri);
  if (named) return named;
  if (/opencl/i.test(languageId)) return 'opencl';
  if (/brook/i.test(languageId)) return 'brook';
  if (/^(amd-?)?il$/i.test(languageId)) return 'il';
  // A header that the editor takes for C: kernels include it.
  return languageId === 'cl' ? 'opencl' : undefined;
}
