/**
 * What `import ... from 'millrace/rspack'` gives: the plugin for Rspack, with which files with kernels are modules (docs/modules.md).
 *
 *     // rspack.config.js
 *     import millrace from 'millrace/rspack';
 *     export default { plugins: [millrace()] };
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.rspack;
export default millrace;
export { millrace };
