/** An OpenCL C text that answers an editor's questions. */
import { compileOpenCL } from '../../../opencl/compile.ts';
import type { Diagnostic } from '../../../source/diagnostics.ts';
import type { Reading } from '../reading.ts';
import { signatureHelpAt } from './calls.ts';
import { completionsAt } from './completion.ts';
import { builtinText, hoverAt } from './hover.ts';
import { keywordText } from './keywords.ts';
import { definitionAt, referencesAt, renameableAt } from './navigation.ts';
import { foldingOf, semanticTokensOf, symbolsOf } from './outline.ts';
import { type OpenCLOptions, OpenCLProgram } from './program.ts';

export function readOpenCLText(source: string, options: OpenCLOptions): Reading {
  const program = new OpenCLProgram(source, options);
  return {
    diagnostics: () => diagnosticsOf(program),
    hover: (offset) => hoverAt(program, offset),
    completions: (offset) => completionsAt(program, offset),
    explain: (name) => builtinText(name, program.version) ?? keywordText(name),
    signatureHelp: (offset) => signatureHelpAt(program, offset),
    definition: (offset) => definitionAt(program, offset),
    references: (offset) => referencesAt(program, offset),
    renameable: (offset) => renameableAt(program, offset),
    symbols: () => symbolsOf(program),
    semanticTokens: () => semanticTokensOf(program),
    folding: () => foldingOf(program),
  };
}

/** What the compiler finds only behind the syntax (objects that are too large, functions that nothing defines) follows if that is right. */
function diagnosticsOf({ diagnostics, text, options }: OpenCLProgram): readonly Diagnostic[] {
  if (diagnostics.errorCount > 0) return diagnostics.list;
  return compileOpenCL(text, options).diagnostics.list;
}
