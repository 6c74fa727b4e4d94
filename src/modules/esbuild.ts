/**
 * What `import ... from 'millrace/esbuild'` gives: the plugin for esbuild, with which files with kernels are modules (docs/modules.md).
 *
 *     import millrace from 'millrace/esbuild';
 *     await build({ plugins: [millrace()], format: 'esm', ... });
 */
import { plugins } from './plugin.ts';
import type { EsbuildPlugin, PluginOptions } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.esbuild as unknown as (options?: PluginOptions) => EsbuildPlugin;
export default millrace;
export { millrace };
