/**
 * What `import ... from 'millrace/vite'` gives: the plugin for Vite, with which files with kernels are modules (docs/modules.md).
 *
 *     // vite.config.ts
 *     import millrace from 'millrace/vite';
 *     export default { plugins: [millrace()] };
 */
import { plugins } from './plugin.ts';
import type { PluginOptions, RollupPlugin } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.vite as unknown as (options?: PluginOptions) => RollupPlugin;
export default millrace;
export { millrace };
