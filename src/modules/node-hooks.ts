/** Hooks for Node's loading of modules, and what other engines' ways of loading have in common with them: see register.ts. */
import { fileURLToPath } from 'node:url';
import { kernelModule, moduleFilter, readRequest } from './index.ts';

interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

/**
 * The module in JavaScript that an import of a path, with a query, gives; undefined if it is no file with kernels.
 * @throws SyntaxError with the compiler's messages
 */
export function moduleCode(id: string): string | undefined {
  const request = readRequest(id);
  if (!request) return undefined;
  const { code, diagnostics, log } = kernelModule(request);
  if (code === undefined) throw new SyntaxError(`the file with kernels has errors\n${log}`);
  if (diagnostics.length > 0) process.stderr.write(log);
  return code;
}

function loaded(url: string): Loaded | undefined {
  if (!url.startsWith('file:') || !moduleFilter.test(url)) return undefined;
  const [address = '', ...query] = url.split('?');
  const code = moduleCode([fileURLToPath(address), ...query].join('?'));
  return code === undefined ? undefined : { format: 'module', source: code, shortCircuit: true };
}

/** For `module.register`: in a thread of Node's. */
export async function load(
  url: string,
  context: unknown,
  next: (url: string, context: unknown) => Promise<Loaded>,
): Promise<Loaded> {
  return loaded(url) ?? next(url, context);
}

/** For `module.registerHooks`: in the thread that imports. */
export function loadNow(
  url: string,
  context: unknown,
  next: (url: string, context: unknown) => Loaded,
): Loaded {
  return loaded(url) ?? next(url, context);
}
