/**
 * What `import ... from 'millrace/bun'` gives: the plugin for Bun's bundler, with which files with kernels are modules (docs/modules.md).
 *
 *     import millrace from 'millrace/bun';
 *     await Bun.build({ plugins: [millrace()], ... });
 */
import { type PluginOptions, plugins } from './plugin.ts';

export type { PluginOptions };

const millrace = plugins.bun;
export default millrace;
export { millrace };
