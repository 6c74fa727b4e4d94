/**
 * What the entry points of bundlers promise: their options, and what they give, in types that need no package of another bundler. (Those of
 * unplugin need all of them.)
 */
import type { ModuleOptions } from './request.ts';

export interface PluginOptions extends Omit<ModuleOptions, 'formats'> {
  /** Whether `NAME.d.cl.ts` and its map are written next to `NAME.cl`, for TypeScript. Default true. */
  readonly declarations?: boolean | undefined;
  /**
   * Of Vite: whether its servers send the two headers without which a page has no threads (docs/browser.md). What is built needs them
   * from its own server. Default false.
   */
  readonly isolated?: boolean | undefined;
}

/** What Vite, Rollup and Rolldown take among their plugins. */
export interface RollupPlugin {
  readonly name: string;
}

/** What webpack and Rspack take. */
export type WebpackPlugin = { apply(compiler: unknown): void };

/** What esbuild and Bun take. */
export interface EsbuildPlugin {
  name: string;
  setup(build: unknown): void | Promise<void>;
}
