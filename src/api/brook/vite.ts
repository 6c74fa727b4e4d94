/**
 * What `import ... from 'millrace/brook/vite'` gives: .br files as modules in Vite and in Rollup.
 *
 *     // vite.config.ts
 *     import { brookFiles } from 'millrace/brook/vite';
 *     export default { plugins: [brookFiles()] };
 *
 *     // a module
 *     import { stream, sum } from './sum.br';
 *
 * Every kernel is an export, with its types in `sum.d.br.ts` beside the file (`allowArbitraryExtensions` in tsconfig.json).
 */
import { importedFile, keepFile } from './import-file.ts';

export interface BrookFilesOptions {
  /** Whether `NAME.d.br.ts` is written beside `NAME.br`, for TypeScript. Default true. */
  readonly declarations?: boolean | undefined;
}

/** What Vite and Rollup want of a plugin, as far as this is one. */
export interface BrookFilesPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  transform(
    this: { error(message: string): never; warn(message: string): void },
    code: string,
    id: string,
  ): { readonly code: string; readonly map: null } | undefined;
}

/** The plugin. Mistakes in kernels end the build with brcc's messages. */
export function brookFiles({ declarations = true }: BrookFilesOptions = {}): BrookFilesPlugin {
  return {
    name: 'millrace-brook-files',
    enforce: 'pre',
    transform(code, id) {
      const [path = id] = id.split('?');
      // `./sum.br?raw` is Vite's own way to the text.
      if (!path.endsWith('.br') || /[?&](?:raw|url)\b/.test(id)) return undefined;
      const { script, declarations: types, log } = importedFile(path, code);
      if (script === undefined || types === undefined) return this.error(log);
      if (log !== '') this.warn(log);
      if (declarations) keepFile(path.replace(/\.br$/, '.d.br.ts'), types);
      return { code: script, map: null };
    },
  };
}
