/**
 * What `import ... from 'millrace/rolldown'` gives: the plugin for Rolldown, with which files with kernels are modules (docs/modules.md).
 *
 *     // rolldown.config.js
 *     import millrace from 'millrace/rolldown';
 *     export default { plugins: [millrace()] };
 */
import { plugins } from './plugin.ts';
import type { PluginOptions, RollupPlugin } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.rolldown as unknown as (options?: PluginOptions) => RollupPlugin;
export default millrace;
export { millrace };
