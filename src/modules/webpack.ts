/**
 * What `import ... from 'millrace/webpack'` gives: the plugin for webpack 5, with which files with kernels are modules (docs/modules.md).
 *
 *     // webpack.config.js
 *     import millrace from 'millrace/webpack';
 *     export default { plugins: [millrace()] };
 */
import { plugins } from './plugin.ts';
import type { PluginOptions, WebpackPlugin } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.webpack as unknown as (options?: PluginOptions) => WebpackPlugin;
export default millrace;
export { millrace };
