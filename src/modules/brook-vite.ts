/**
 * What `import ... from 'millrace/brook/vite'` gives: .br files as modules in Vite and in Rollup. The plugin of `millrace/vite` and
 * `millrace/rollup` does the same, and more; this one is for those who have it already.
 *
 *     // vite.config.ts
 *     import { brookFiles } from 'millrace/brook/vite';
 *     export default { plugins: [brookFiles()] };
 */
import { kernelModule, readRequest, writeDeclarations } from './index.ts';

export interface BrookFilesOptions {
  /** Whether `NAME.d.br.ts` is written next to `NAME.br`, for TypeScript. Default true. */
  readonly declarations?: boolean | undefined;
}

/** What Vite and Rollup want of a plugin, as far as this is one. */
export interface BrookFilesPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  transform(
    this: { error(message: string): never; warn(message: string): void; addWatchFile?(path: string): void },
    code: string,
    id: string,
  ): { readonly code: string; readonly map: null } | undefined;
}

/** The plugin. Mistakes in kernels end the build with brcc's messages. */
export function brookFiles({ declarations = true }: BrookFilesOptions = {}): BrookFilesPlugin {
  return {
    name: 'millrace-brook-files',
    enforce: 'pre',
    transform(text, id) {
      const request = readRequest(id);
      if (!request?.path.endsWith('.br')) return undefined;
      const { code, log, headers, declarations: types } = kernelModule(request, text);
      for (const header of headers) this.addWatchFile?.(header);
      if (code === undefined) return this.error(log);
      if (log !== '') this.warn(log);
      if (declarations) writeDeclarations(types);
      return { code, map: null };
    },
  };
}
