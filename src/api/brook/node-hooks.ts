/** Hooks for Node's loading of modules: see register.ts. */
import { fileText, importedFile } from './import-file.ts';

interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

/** Makes a module of a .br file. @throws SyntaxError with brcc's messages */
export async function load(
  url: string,
  context: unknown,
  next: (url: string, context: unknown) => Promise<Loaded>,
): Promise<Loaded> {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:' || !pathname.endsWith('.br')) return next(url, context);
  const path = decodeURIComponent(/^\/[A-Za-z]:/.test(pathname) ? pathname.slice(1) : pathname);
  const text = fileText(path);
  if (text === undefined) throw new Error(`cannot read ${path}`);
  const { script, log } = importedFile(path, text);
  if (script === undefined) throw new SyntaxError(`the Brook+ source has errors\n${log}`);
  return { format: 'module', source: script, shortCircuit: true };
}
