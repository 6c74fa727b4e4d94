/** Which build options a file is read with: those of the nearest millrace.json around it, else those of the editor. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Settings {
  /** As for clBuildProgram. */
  readonly buildOptions: string;
  /** Folders that #include looks in; relative ones lie beside millrace.json, or in the workspace. */
  readonly includePaths: readonly string[];
}

export const noSettings: Settings = { buildOptions: '', includePaths: [] };

const fileName = 'millrace.json';

interface Remembered {
  readonly modified: number;
  readonly settings: Settings | undefined;
}

const remembered = new Map<string, Remembered>();

/** The settings that a value of JSON holds; what it does not have, or has wrong, is as if it were not there. */
export function settingsFrom(value: unknown, folder: string): Settings {
  if (typeof value !== 'object' || value === null) return noSettings;
  const { buildOptions, includePaths } = value as { buildOptions?: unknown; includePaths?: unknown };
  const paths = Array.isArray(includePaths) ? includePaths.filter((path) => typeof path === 'string') : [];
  return {
    buildOptions: typeof buildOptions === 'string' ? buildOptions : '',
    includePaths: paths.map((path) => (isAbsolute(path) ? path : resolve(folder, path))),
  };
}

/** The settings of a file. */
export function settingsOf(path: string, editor: Settings): Settings {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = readSettings(join(folder, fileName), folder);
    if (found) return found;
    if (dirname(folder) === folder) return editor;
  }
}

function readSettings(path: string, folder: string): Settings | undefined {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (modified === undefined) return undefined;
  const known = remembered.get(path);
  if (known?.modified === modified) return known.settings;
  let settings: Settings | undefined;
  try {
    settings = settingsFrom(JSON.parse(readFileSync(path, 'utf8')), folder);
  } catch {
    // It is being written, or is not JSON: the editor shows that where the file is open.
  }
  remembered.set(path, { modified, settings });
  return settings;
}

/** The settings as one line of build options. */
export function buildOptionsOf({ buildOptions, includePaths }: Settings): string {
  const paths = includePaths.map((path) => `-I "${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  return [buildOptions, ...paths].join(' ').trim();
}
