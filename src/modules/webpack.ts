/**
 * What `import ... from 'millrace/webpack'` gives: the plugin for webpack 5, with which files with kernels are modules (docs/modules.md).
 *
 *     // webpack.config.js
 *     import millrace from 'millrace/webpack';
 *     export default { plugins: [millrace()] };
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.webpack;
export default millrace;
export { millrace };
