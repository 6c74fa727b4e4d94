/**
 * Lets Node import .br files, each kernel as an export:
 *
 *     node --import millrace/brook/register app.js
 *
 * The hooks themselves (node-hooks.ts) run in a thread of Node's.
 */
import { machineModule } from '../../runtime/host.ts';

interface Modules {
  register(specifier: URL): void;
}

const modules = machineModule('node:module') as Partial<Modules> | undefined;
if (!modules?.register) throw new Error('this version of Node has no hooks for modules: 20.6 is the first');
modules.register(new URL('./brook-hooks.js', import.meta.url));
