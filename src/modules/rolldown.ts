/**
 * What `import ... from 'millrace/rolldown'` gives: the plugin for Rolldown, with which files with kernels are modules (docs/modules.md).
 *
 *     // rolldown.config.js
 *     import millrace from 'millrace/rolldown';
 *     export default { plugins: [millrace()] };
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.rolldown;
export default millrace;
export { millrace };
