/**
 * What `import ... from 'millrace/language-service'` gives: an editor's questions about texts in OpenCL C, Brook+ and AMD IL,
 * answered by the front ends. `millrace lsp` speaks the Language Server Protocol over it.
 */
import type { FileSystem } from '../../c/preprocessor.ts';
import { readBrookText } from './brook/reading.ts';
import { readIlText } from './il/reading.ts';
import { readOpenCLText } from './opencl/reading.ts';
import type { HostCheck, Reading } from './reading.ts';

export type { FileSystem } from '../../c/preprocessor.ts';
export type { Diagnostic, Note, Severity } from '../../source/diagnostics.ts';
export type { SourceFile } from '../../source/source-file.ts';
export { outermostUse, type Span } from '../../source/span.ts';
export * from './reading.ts';

export type TextLanguage = 'opencl' | 'brook' | 'il';

export interface ReadOptions {
  /** The text's name, a path where headers lie beside it. Default `<kernel>`. */
  readonly name?: string;
  /** As for clBuildProgram; of these, Brook+ takes -D and -I, and IL none. */
  readonly buildOptions?: string;
  /** Where #include finds files. */
  readonly files?: FileSystem;
  /** For Brook+; without it the host part is not looked at. */
  readonly checkHost?: HostCheck;
}

/** Reads a text, however unfinished it is. Never throws. */
export function readText(language: TextLanguage, source: string, options: ReadOptions = {}): Reading {
  const { name = '<kernel>', buildOptions = '', files, checkHost } = options;
  if (language === 'brook') return readBrookText(source, { name, buildOptions, files, checkHost });
  if (language === 'il') return readIlText(source, name);
  return readOpenCLText(source, { name, buildOptions, files });
}

/** The language of a file by its name; undefined for what is none of ours. */
export function languageOf(path: string): TextLanguage | undefined {
  if (/\.(cl|clh|opencl|ocl)$/i.test(path)) return 'opencl';
  if (/\.(br|brh)$/i.test(path)) return 'brook';
  return /\.il$/i.test(path) ? 'il' : undefined;
}
