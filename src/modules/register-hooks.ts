/** What register.ts does: tells the engine how files with kernels are loaded. */
import * as nodeModule from 'node:module';
import { loadNow, moduleCode } from './node-hooks.ts';

interface BunPlugins {
  plugin(plugin: {
    readonly name: string;
    setup(build: {
      onLoad(
        what: { readonly filter: RegExp },
        load: (file: {
          readonly path: string;
        }) => { readonly contents: string; readonly loader: 'js' } | undefined,
      ): void;
    }): void;
  }): void;
}

interface NodeModules {
  /** Node 22.15, 23.5 and newer. */
  readonly registerHooks?: (hooks: { readonly load: typeof loadNow }) => void;
  /** Node 20.6 and newer. */
  readonly register?: (specifier: URL) => void;
}

/** @throws Error if the engine has no way to do it */
export function registerModules(): void {
  const { Bun } = globalThis as { readonly Bun?: BunPlugins };
  const { registerHooks, register } = nodeModule as NodeModules;
  if (Bun) {
    Bun.plugin({
      name: 'millrace',
      setup(build) {
        build.onLoad({ filter: /\.(?:cl|br|il)(?:\?.*)?$/ }, ({ path }) => {
          const contents = moduleCode(path);
          return contents === undefined ? undefined : { contents, loader: 'js' };
        });
      },
    });
  } else if (registerHooks) registerHooks({ load: loadNow });
  else if (register) register(new URL('./module-hooks.js', import.meta.url));
  else throw new Error('this engine has no hooks for modules: Node has them from 20.6 on');
}
