/**
 * What `import ... from 'millrace/examine'` gives: the front end alone, for editors and other tools that look at sources and
 * never run them. It is less than half as large as the rest.
 */

export type { KernelParameter } from '../../api/javascript/arguments.ts';
export type { FileSystem } from '../../c/preprocessor.ts';
export type { Diagnostic, Note, Severity } from '../../source/diagnostics.ts';
export { type RenderOptions, renderDiagnostics } from '../../source/render.ts';
export type { Span } from '../../source/span.ts';
export { type Examination, type ExamineOptions, examine, type KernelSignature } from './examine.ts';
