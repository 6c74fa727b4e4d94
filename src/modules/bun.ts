/**
 * What `import ... from 'millrace/bun'` gives: the plugin for Bun's bundler, with which files with kernels are modules (docs/modules.md).
 *
 *     import millrace from 'millrace/bun';
 *     await Bun.build({ plugins: [millrace()], ... });
 */
import { plugins } from './plugin.ts';
import type { EsbuildPlugin, PluginOptions } from './plugin-options.ts';

export type { PluginOptions };

/** The plugin. */
const millrace = plugins.bun as unknown as (options?: PluginOptions) => EsbuildPlugin;
export default millrace;
export { millrace };
