/**
 * What `import ... from 'millrace/examine-brook'` gives: what the kernels of a .br file say of themselves, for tools that look at
 * them while they are written. Whole programs, with the host's part, are compileHost's (millrace/c-host).
 */
import { compileBrook } from '../../brook/compile.ts';
import type { FileSystem } from '../../c/preprocessor.ts';
import type { Diagnostic } from '../../source/diagnostics.ts';

export interface ExamineBrookOptions {
  /** The source's name in messages. */
  readonly name?: string;
  /** Where #include finds files. */
  readonly files?: FileSystem;
}

/** Reads and checks the kernels of a source; its errors and warnings in their order. */
export function examineBrook(source: string, options: ExamineBrookOptions = {}): readonly Diagnostic[] {
  const { name = 'kernel.br', files } = options;
  return compileBrook(name, source, { files, kernelsOnly: true }).diagnostics.list;
}
