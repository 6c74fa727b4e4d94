/**
 * What an editor asks about a text in any of our languages, and the answers. A text is read once, into a {@link Reading};
 * every question takes an offset (UTF-16 units) and gives offsets, or spans where the answer may lie in another file. Nothing
 * throws, however unfinished the text is.
 */
import type { FileSystem } from '../../c/preprocessor.ts';
import type { Diagnostic } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';

/** [start, end) of the text that was read. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Hover extends TextRange {
  /** Markdown. */
  readonly text: string;
}

export type CompletionKind =
  | 'variable'
  | 'parameter'
  | 'function'
  | 'kernel'
  | 'builtin'
  | 'type'
  | 'keyword'
  | 'constant'
  | 'macro'
  | 'field'
  | 'directive'
  | 'extension'
  | 'file';

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A type or a signature, short. */
  readonly detail?: string;
  /** Nearer things first: 0 what is declared around, 1 in the program, 2 by the language. */
  readonly rank: 0 | 1 | 2;
}

export interface Completions {
  /** What the completion replaces: the part of a word before the offset. */
  readonly range: TextRange;
  readonly items: readonly Completion[];
}

export interface SignatureHelp {
  /** One for each form of the function. */
  readonly signatures: readonly Signature[];
  readonly active: number;
  readonly activeParameter: number;
}

export interface Signature {
  readonly label: string;
  /** Where the parameters stand in the label. */
  readonly parameters: readonly TextRange[];
  /** Markdown. */
  readonly documentation: string | undefined;
}

export type SymbolKind =
  | 'kernel'
  | 'function'
  | 'variable'
  | 'struct'
  | 'enum'
  | 'field'
  | 'constant'
  | 'type'
  | 'macro'
  | 'label';

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail: string;
  readonly range: TextRange;
  readonly nameRange: TextRange;
  readonly children: readonly DocumentSymbol[];
}

export const semanticTypes = [
  'variable',
  'parameter',
  'function',
  'type',
  'struct',
  'enum',
  'enumMember',
  'property',
  'macro',
  'keyword',
] as const;

/** Modifiers: the last four are ours, where the others are those of the protocol. */
export const semanticModifiers = [
  'declaration',
  'readonly',
  'defaultLibrary',
  'kernel',
  'global',
  'local',
  'constant',
] as const;

export interface SemanticToken extends TextRange {
  readonly type: (typeof semanticTypes)[number];
  readonly modifiers: readonly (typeof semanticModifiers)[number][];
}

export interface FoldingRange extends TextRange {
  readonly kind: 'block' | 'comment' | 'region';
}

/** Why a name cannot be changed, or where it stands. */
export type RenameAnswer = { readonly ranges: readonly TextRange[] } | { readonly refusal: string };

/** A text that was read. */
export interface Reading {
  /** Errors and warnings in their order; some lie in other files, that the text includes. */
  diagnostics(): readonly Diagnostic[];
  hover(offset: number): Hover | undefined;
  completions(offset: number): Completions;
  /** Markdown about something that a completion offers and the language supplies. */
  explain(name: string): string | undefined;
  signatureHelp(offset: number): SignatureHelp | undefined;
  definition(offset: number): Span | undefined;
  /** Where what stands at an offset is named in this text, its declarations among it. */
  references(offset: number): readonly TextRange[];
  /** What a rename of the name at an offset would change, or why not; undefined where there is no name. */
  renameable(offset: number): RenameAnswer | undefined;
  symbols(): readonly DocumentSymbol[];
  semanticTokens(): readonly SemanticToken[];
  folding(): readonly FoldingRange[];
}

/**
 * Looks at the whole of a Brook+ text, its host part in C, too: `checkBrookSource` of 'millrace/c-host', which needs the headers of a C
 * library. Gives all that there is to say of the text, or undefined where that cannot be told; then its kernels are looked at.
 */
export type HostCheck = (
  source: { readonly name: string; readonly text: string },
  options: {
    readonly files: FileSystem | undefined;
    readonly definitions: readonly string[] | undefined;
    readonly includePaths: readonly string[] | undefined;
  },
) => readonly Diagnostic[] | undefined;
