/**
 * Lets Node import files with kernels (docs/modules.md):
 *
 *     node --import millrace/register app.js
 *
 * and Bun (`bun --preload millrace/register app.js`) and Deno (`deno run --preload`), which have ways of their own. The hooks are in
 * node-hooks.ts.
 */
import { registerModules } from './register-hooks.ts';

registerModules();
