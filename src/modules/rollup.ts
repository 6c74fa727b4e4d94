/**
 * What `import ... from 'millrace/rollup'` gives: the plugin for Rollup, with which files with kernels are modules (docs/modules.md).
 *
 *     // rollup.config.js
 *     import millrace from 'millrace/rollup';
 *     export default { plugins: [millrace()] };
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.rollup;
export default millrace;
export { millrace };
