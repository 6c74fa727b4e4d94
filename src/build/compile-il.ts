/** From the text of an AMD IL program to a module that devices can build, for those who launch such programs. */
import type { Bindings, LoweredProgram } from '../il/lower/interface.ts';
import { type LowerIlOptions, lowerIl } from '../il/lower/lower.ts';
import { readIl } from '../il/read.ts';
import type { Program } from '../il/tree.ts';
import { provideLibraryForAll } from '../library/wide.ts';
import { finishProgram } from '../opencl/link.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { SourceFile } from '../source/source-file.ts';

export interface CompileIlOptions extends LowerIlOptions {
  /** The program's name in messages. Default `<il>`. */
  readonly name?: string | undefined;
  /** What is bound where, as far as code depends on it. */
  readonly bindings?: Bindings | undefined;
}

export interface CompileIlResult {
  /** What was read; undefined if it has mistakes. */
  readonly tree: Program | undefined;
  /** Undefined if there were errors. Its module has the library functions that it calls. */
  readonly program: LoweredProgram | undefined;
  readonly diagnostics: Diagnostics;
  /** The diagnostics as text. */
  readonly log: string;
}

/** Reads, checks and lowers a program. Nothing that a user writes makes this throw. */
export function compileIl(
  text: string,
  { name, bindings, ...options }: CompileIlOptions = {},
): CompileIlResult {
  provideLibraryForAll();
  const diagnostics = new Diagnostics();
  const tree = readIl(new SourceFile(name ?? '<il>', text), diagnostics);
  const program = tree && lowerIl(tree, diagnostics, bindings, options);
  if (program) finishProgram(program.module, diagnostics);
  const isRight = diagnostics.errorCount === 0;
  return {
    tree,
    program: isRight ? program : undefined,
    diagnostics,
    log: renderDiagnostics(diagnostics.list),
  };
}
