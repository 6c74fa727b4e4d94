/**
 * Compiles the C library of programs for the host (src/hosted/libc) to what is embedded: one module, with its functions
 * optimised. scripts/embed-library.mjs runs it.
 */
import { compileUnit } from '../src/hosted/compile-unit.ts';
import { type ModuleParts, writeParts } from '../src/ir/binary/write.ts';
import { linkModules } from '../src/ir/link.ts';
import { assertValid } from '../src/ir/verify.ts';
import { optimiseHost } from '../src/passes/pipeline.ts';
import { Diagnostics } from '../src/source/diagnostics.ts';
import { renderDiagnostics } from '../src/source/render.ts';

export { textOfBytes } from '../src/library/text-bytes.ts';

/**
 * @param texts the files of the library by their names, headers of its own among them
 * @throws Error with the diagnostics if a file has errors
 */
export function compileCLibrary(texts: Readonly<Record<string, string>>): ModuleParts {
  const diagnostics = new Diagnostics({ warningsAreErrors: true });
  const files = { read: (path: string) => texts[path] };
  const units = Object.entries(texts)
    .filter(([name]) => name.endsWith('.c'))
    .map(([name, text]) => compileUnit({ name, text }, { files }, diagnostics));
  const module = linkModules(units, diagnostics);
  if (diagnostics.errorCount > 0) throw new Error(renderDiagnostics(diagnostics.list));
  optimiseHost(module);
  assertValid(module, 'compile-c-library');
  return writeParts(module, { places: 'none' });
}
