/**
 * The plugin for bundlers: files with kernels become modules (docs/modules.md). unplugin makes it one for each bundler; what differs
 * between them is how mistakes are told, and that Vite replaces modules while an application runs.
 */
import { dirname, resolve } from 'node:path';
import type { EsbuildPlugin, UnpluginFactory, VitePlugin } from 'unplugin';
import { createUnplugin } from 'unplugin';
import { esbuildSetup } from './esbuild-setup.ts';
import {
  type KernelModule,
  kernelModule,
  type ModuleDiagnostic,
  type ModuleRequest,
  moduleFilter,
  readRequest,
  writeDeclarations,
} from './index.ts';
import type { PluginOptions } from './plugin-options.ts';

/** What plugins do alike: makes the module, writes its types. `warn` hears what cannot be written. */
export function makeModule(
  request: ModuleRequest,
  { declarations = true }: PluginOptions,
  isHot: boolean,
  warn: (message: string) => void,
): KernelModule {
  const made = kernelModule(request, undefined, { hot: isHot });
  if (declarations) {
    try {
      writeDeclarations(made.declarations);
    } catch (error) {
      warn(`no types are written: ${error instanceof Error ? error.message : error}`);
    }
  }
  return made;
}

/** What a bundler's context has. */
interface Context {
  addWatchFile(path: string): void;
  error(message: unknown): void;
  warn(message: unknown): void;
  getNativeBuildContext?(): unknown;
}

/** What Rollup and Vite make of a mistake: the place, and the line with a caret. */
function rollupMessage(diagnostics: readonly ModuleDiagnostic[], request: ModuleRequest): object {
  const [first, ...others] = diagnostics;
  const { file, line, column, message, frame, text } = first!;
  const id = file === undefined ? request.path : resolve(file);
  return {
    message: file === undefined ? text : `${file}:${line}:${column}: ${message}`,
    id,
    loc: { file: id, line, column },
    frame: [frame, ...others.map((other) => `${other.text.split('\n')[0]}\n${other.frame}`)].join('\n'),
    // Where in the plugin it was found helps nobody.
    stack: '',
  };
}

/** The module that webpack is building, and its kind of error. */
interface WebpackContext {
  readonly framework: string;
  readonly compiler: { readonly webpack: { readonly WebpackError: new (message: string) => Error } };
  readonly loaderContext: {
    readonly _module?: { addError(error: Error): void; addWarning(error: Error): void };
  };
}

/** Tells webpack with the place, which its own way for loaders leaves out. @returns false if that is not possible */
function tellWebpack(
  context: Context,
  { severity, text, file, line, column, length }: ModuleDiagnostic,
): boolean {
  const native = context.getNativeBuildContext?.() as WebpackContext | undefined;
  const module = native?.framework === 'webpack' ? native.loaderContext?._module : undefined;
  if (!module) return false;
  const error = Object.assign(new native!.compiler.webpack.WebpackError(text), {
    name: severity === 'error' ? 'KernelError' : 'KernelWarning',
    file: file === undefined ? undefined : resolve(file),
    loc: { start: { line, column: column - 1 }, end: { line, column: column - 1 + length } },
    stack: '',
  });
  if (severity === 'error') module.addError(error);
  else module.addWarning(error);
  return true;
}

const factory: UnpluginFactory<PluginOptions | undefined> = (options = {}, meta) => {
  const name = 'millrace';
  if (meta.framework === 'esbuild')
    return {
      name,
      esbuild: { setup: (build: Parameters<EsbuildPlugin['setup']>[0]) => esbuildSetup(build, options) },
    };
  const isWebpack = meta.framework === 'webpack' || meta.framework === 'rspack';
  const isRollup = meta.framework === 'rollup' || meta.framework === 'rolldown';
  let isHot = false;
  /** The modules that have read a header: their files by its path. */
  const users = new Map<string, Set<string>>();

  const plugin = {
    name,
    enforce: 'pre' as const,
    load: {
      filter: { id: moduleFilter },
      handler(this: Context, id: string) {
        const request = readRequest(id, options);
        if (!request) return undefined;
        const made = makeModule(request, options, isHot, (message) => this.warn(message));
        for (const header of made.headers) {
          this.addWatchFile(header);
          users.set(header, (users.get(header) ?? new Set()).add(request.path));
        }
        const said = made.diagnostics.filter(({ severity }) => severity !== 'note');
        const errors = said.filter(({ severity }) => severity === 'error');
        const warnings = said.filter(({ severity }) => severity === 'warning');
        if (isWebpack) {
          for (const one of said) {
            if (tellWebpack(this, one)) continue;
            if (one.severity === 'error') this.error(one.text);
            else this.warn(one.text);
          }
          // webpack goes on with what is there; it should not complain of it, too.
          return made.code ?? 'throw new Error("this file with kernels has errors");';
        }
        for (const warning of warnings) this.warn(warning.text);
        if (errors.length > 0) {
          // brcc's messages are a whole.
          this.error(meta.framework === 'bun' ? made.log : rollupMessage(errors, request));
          return undefined;
        }
        return made.code === undefined ? undefined : { code: made.code, map: null };
      },
    },
    vite: viteHooks(options, users, (hot) => {
      isHot = hot;
    }),
  };
  const isBun = meta.framework === 'bun';
  if (!isRollup && !isBun) return plugin as never;
  // These look for a file by the whole of what is imported.
  const resolveId = async function (
    this: { resolve?(id: string, importer?: string, options?: object): Promise<{ id: string } | null> },
    id: string,
    importer: string | undefined,
  ): Promise<string | undefined> {
    const [path = '', ...query] = id.split('?');
    if (query.length === 0 || !moduleFilter.test(id)) return undefined;
    const found = await this.resolve?.(path, importer, { skipSelf: true });
    const file = found?.id ?? (importer === undefined ? undefined : resolve(dirname(importer), path));
    return file === undefined ? undefined : `${file}?${query.join('?')}`;
  };
  return { ...plugin, ...(isBun ? { resolveId } : { [meta.framework]: { resolveId } }) } as never;
};

function viteHooks(
  { isolated = false }: PluginOptions,
  users: ReadonlyMap<string, ReadonlySet<string>>,
  setHot: (hot: boolean) => void,
): Partial<VitePlugin> {
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  return {
    config: () => ({
      // As one copy, whose threads' files lie where they are looked for.
      optimizeDeps: { exclude: ['millrace'] },
      ...(isolated ? { server: { headers }, preview: { headers } } : {}),
    }),
    configResolved(config) {
      setHot(config.command === 'serve' && !config.isProduction && config.mode !== 'test');
    },
    // A module that could not be made has no place in Vite's graph that says which headers it needs.
    handleHotUpdate({ file, modules, server }) {
      const files = [...(users.get(resolve(file)) ?? [])];
      const more = files.flatMap((path) => [...(server.moduleGraph.getModulesByFile(path) ?? [])]);
      return more.length === 0 ? undefined : [...new Set([...modules, ...more])];
    },
  } as Partial<VitePlugin>;
}

export const plugins = /* @__PURE__ */ createUnplugin(factory);
