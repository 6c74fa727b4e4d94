/**
 * What `import ... from 'millrace/modules'` gives: a file with kernels as a JavaScript module with its declarations, for bundlers,
 * loaders and whoever else makes modules of files (docs/modules.md). Like the command line it uses only what a user can import.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { diskFiles, type FileSystem } from 'millrace';
import { brookModule } from './brook-module.ts';
import { ambientFile, declarationFile } from './declarations.ts';
import { type ModuleDiagnostic, plainDiagnostic } from './diagnostic.ts';
import { ilModule } from './il-module.ts';
import { moduleName } from './module-name.ts';
import { type ModuleTexts, openclModule } from './opencl-module.ts';
import { languageOf, type ModuleOptions, type ModuleRequest } from './request.ts';

export type { ModuleDiagnostic } from './diagnostic.ts';
export { type ModuleOptions, type ModuleRequest, moduleFilter, readRequest } from './request.ts';

export interface KernelModule {
  /** The module in JavaScript; undefined if there were errors. */
  readonly code: string | undefined;
  /** The files with its types, by their paths: declarations, and their map. Empty if there were errors. */
  readonly declarations: ReadonlyMap<string, string>;
  readonly diagnostics: readonly ModuleDiagnostic[];
  /** The diagnostics as a compiler prints them. */
  readonly log: string;
  /** Paths of the headers that were read. */
  readonly headers: readonly string[];
}

export interface KernelModuleSettings {
  /** Whether a development server may replace the module while the application runs (`import.meta.hot`). Default false. */
  readonly hot?: boolean | undefined;
  /** Where headers come from; default the disk. */
  readonly files?: FileSystem | undefined;
}

/**
 * Makes a module of a file. Nothing that is wrong with it makes this throw.
 * @param text of the file; read from the disk if it is not given
 * @throws Error if the file cannot be read
 */
export function kernelModule(
  { path, query, options, problems }: ModuleRequest,
  text = readFileSync(path, 'utf8'),
  { hot = false, files = diskFiles() }: KernelModuleSettings = {},
): KernelModule {
  // Messages, and binaries with the names of files, are the same in whichever folder the project lies.
  const name = shortest(path);
  const headers = new Set<string>();
  const watched: FileSystem = {
    read(header) {
      const found = files.read(header);
      if (found !== undefined) headers.add(resolve(header));
      return found;
    },
  };
  const language = languageOf(path);
  const made = makers[language ?? 'cl'](name, text, options, watched, hot);
  const diagnostics = [
    ...problems.map((problem) => plainDiagnostic('error', problem, `${name}${query}`)),
    ...made.diagnostics,
  ];
  const isRight = diagnostics.every(({ severity }) => severity !== 'error');
  return {
    code: isRight ? made.code : undefined,
    declarations: isRight ? declarationFiles(path, query, made) : new Map(),
    diagnostics,
    log:
      problems.length === 0 && made.log !== undefined
        ? made.log
        : diagnostics.map(({ text: each }) => `${each}\n`).join(''),
    headers: [...headers],
  };
}

const makers: Readonly<
  Record<
    'cl' | 'br' | 'il',
    (name: string, text: string, options: ModuleOptions, files: FileSystem, hot: boolean) => ModuleTexts
  >
> = { cl: openclModule, br: brookModule, il: ilModule };

function declarationFiles(path: string, query: string, { declared }: ModuleTexts): Map<string, string> {
  if (!declared) return new Map();
  const folder = dirname(path);
  const file = moduleName(path);
  if (query !== '') {
    const slug = query.slice(1).replace(/[^\w.-]+/g, '-');
    return new Map([[resolve(folder, `${file}.${slug}.d.ts`), ambientFile(declared, file + query)]]);
  }
  const name = file.replace(/\.(\w+)$/, '.d.$1.ts');
  const nameOf = (source: string): string => relative(folder, resolve(source)).replaceAll('\\', '/');
  const { declarations, map } = declarationFile(declared, name, nameOf);
  return new Map([
    [resolve(folder, name), declarations],
    [resolve(folder, `${name}.map`), map],
  ]);
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

/**
 * Writes declarations, those that are not there yet as they are.
 * @returns the paths of those that were written
 * @throws Error if a file cannot be written
 */
export function writeDeclarations(declarations: ReadonlyMap<string, string>): string[] {
  const written: string[] = [];
  for (const [path, text] of declarations) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(path, text);
    written.push(path);
  }
  return written;
}
