/**
 * What `import ... from 'millrace/esbuild'` gives: the plugin for esbuild, with which files with kernels are modules (docs/modules.md).
 *
 *     import millrace from 'millrace/esbuild';
 *     await build({ plugins: [millrace()], format: 'esm', ... });
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.esbuild;
export default millrace;
export { millrace };
