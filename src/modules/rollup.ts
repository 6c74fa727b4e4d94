/**
 * What `import ... from 'millrace/rollup'` gives: the plugin for Rollup, with which files with kernels are modules (docs/modules.md).
 *
 *     // rollup.config.js
 *     import millrace from 'millrace/rollup';
 *     export default { plugins: [millrace()] };
 */
import { plugins } from './plugin.ts';
import type { PluginOptions, RollupPlugin } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.rollup as unknown as (options?: PluginOptions) => RollupPlugin;
export default millrace;
export { millrace };
