/** The sources of what is debugged, as an editor finds them: on the disk, or by a number under which it asks for the text. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Source } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from 'millrace/debug';

export class EditorSources {
  /** Sources that are in no file, by their reference. */
  readonly #texts: string[] = [];

  /** The name by which the compiler knows a file of the editor's. */
  nameOf({ files }: DebugSession, { path, name, sourceReference }: DebugProtocol.Source): string {
    if (sourceReference) return this.#texts[sourceReference - 1] ?? '';
    const known = [...files].find((file) => path !== undefined && resolve(file) === resolve(path));
    return known ?? path ?? name ?? '';
  }

  sourceOf(file: string): Source {
    if (existsSync(file)) return new Source(basename(file), resolve(file));
    let reference = this.#texts.indexOf(file) + 1;
    if (reference === 0) reference = this.#texts.push(file);
    return new Source(basename(file), undefined, reference);
  }

  /** @throws Error for a reference that no source has */
  textOf({ texts }: DebugSession, reference: number): string {
    const text = texts.get(this.#texts[reference - 1] ?? '');
    if (text === undefined) throw new Error('there is no such source');
    return text;
  }
}
