/**
 * What `import ... from 'millrace/rspack'` gives: the plugin for Rspack, with which files with kernels are modules (docs/modules.md).
 *
 *     // rspack.config.js
 *     import millrace from 'millrace/rspack';
 *     export default { plugins: [millrace()] };
 */
import { plugins } from './plugin.ts';
import type { PluginOptions, WebpackPlugin } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.rspack as unknown as (options?: PluginOptions) => WebpackPlugin;
export default millrace;
export { millrace };
