/**
 * What `import ... from 'millrace/vite'` gives: the plugin for Vite, with which files with kernels are modules (docs/modules.md).
 *
 *     // vite.config.ts
 *     import millrace from 'millrace/vite';
 *     export default { plugins: [millrace()] };
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.vite;
export default millrace;
export { millrace };
