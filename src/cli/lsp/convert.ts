/** From the language service's answers to the protocol's: offsets become lines and characters, kinds become numbers. */
import { pathToFileURL } from 'node:url';
import {
  type Completion,
  type Completions,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  outermostUse,
  type SemanticToken,
  type Severity,
  type SignatureHelp,
  type Span,
  semanticModifiers,
  semanticTypes,
  type TextRange,
} from 'millrace/language-service';
import * as lsp from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { pathOf } from './readings.ts';

export function rangeIn(document: TextDocument, { start, end }: TextRange): lsp.Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** A place in any file. */
export function locationOf(span: Span, document: TextDocument): lsp.Location {
  const { file, start, end } = outermostUse(span);
  if (file.name === pathOf(document.uri))
    return { uri: document.uri, range: rangeIn(document, { start, end }) };
  const uri = file.name.startsWith('<') ? document.uri : pathToFileURL(file.name).href;
  const at = (offset: number): lsp.Position => {
    const { line, column } = file.position(offset);
    return { line: line - 1, character: column - 1 };
  };
  return { uri, range: { start: at(start), end: at(end) } };
}

// ------------------------------------------------------------------------------------------------- diagnostics

const severities: Readonly<Record<Severity, lsp.DiagnosticSeverity>> = {
  error: lsp.DiagnosticSeverity.Error,
  warning: lsp.DiagnosticSeverity.Warning,
  note: lsp.DiagnosticSeverity.Information,
};

/** What is said of a place in a header stands where the text includes it. */
export function diagnosticIn(document: TextDocument, diagnostic: Diagnostic): lsp.Diagnostic {
  const { severity, message, span, notes, option } = diagnostic;
  const place = outermostUse(span);
  const own = placeIn(document, place);
  const related = notes.map(({ message: text, span: where }) => ({
    message: text,
    location: locationOf(where, document),
  }));
  if (span.expansion) {
    const { macro, definition } = span.expansion;
    related.push({ message: `expanded from macro '${macro}'`, location: locationOf(definition, document) });
  }
  const isElsewhere = place.file !== own?.file && place.file.text !== '';
  if (isElsewhere) related.unshift({ message, location: locationOf(place, document) });
  return {
    range: rangeIn(document, own ?? { start: 0, end: 0 }),
    severity: severities[severity],
    source: 'millrace',
    message: isElsewhere ? `in ${place.file.name}: ${message}` : message,
    ...(option === undefined ? {} : { code: `-W${option}` }),
    ...(option?.startsWith('unused') ? { tags: [lsp.DiagnosticTag.Unnecessary] } : {}),
    ...(related.length > 0 ? { relatedInformation: related } : {}),
  };
}

/** A place in the document itself: for one in a header, the #include that leads there. */
function placeIn(document: TextDocument, span: Span): Span | undefined {
  const path = pathOf(document.uri);
  let place: Span | undefined = span;
  while (place && place.file.name !== path) place = place.file.includedFrom;
  return place;
}

// ------------------------------------------------------------------------------------------------- completion

const completionKinds: Readonly<Record<Completion['kind'], lsp.CompletionItemKind>> = {
  variable: lsp.CompletionItemKind.Variable,
  parameter: lsp.CompletionItemKind.Variable,
  function: lsp.CompletionItemKind.Function,
  kernel: lsp.CompletionItemKind.Function,
  builtin: lsp.CompletionItemKind.Function,
  type: lsp.CompletionItemKind.Class,
  keyword: lsp.CompletionItemKind.Keyword,
  constant: lsp.CompletionItemKind.Constant,
  macro: lsp.CompletionItemKind.Constant,
  field: lsp.CompletionItemKind.Field,
  directive: lsp.CompletionItemKind.Keyword,
  extension: lsp.CompletionItemKind.Module,
  file: lsp.CompletionItemKind.File,
};

/** An item also says whose it is, so that its documentation can be asked for. */
export function completionList(document: TextDocument, { range, items }: Completions): lsp.CompletionList {
  const replaced = rangeIn(document, range);
  return {
    // Only what matches the letters so far was sent.
    isIncomplete: range.end > range.start,
    items: items.map(({ label, kind, detail, rank }, index) => ({
      label,
      kind: completionKinds[kind],
      // Parts of objects stay in their order.
      sortText: kind === 'field' ? `${rank}${String(index).padStart(3, '0')}` : `${rank}${label}`,
      textEdit: { range: replaced, newText: label },
      data: document.uri,
      ...(detail === undefined ? {} : { detail }),
    })),
  };
}

export function signatureHelp({ signatures, active, activeParameter }: SignatureHelp): lsp.SignatureHelp {
  return {
    signatures: signatures.map(({ label, parameters, documentation }) => ({
      label,
      parameters: parameters.map(({ start, end }) => ({ label: [start, end] as [number, number] })),
      ...(documentation === undefined ? {} : { documentation: markdown(documentation) }),
    })),
    activeSignature: active,
    activeParameter,
  };
}

export function markdown(value: string): lsp.MarkupContent {
  return { kind: lsp.MarkupKind.Markdown, value };
}

// ------------------------------------------------------------------------------------------------- outline

const symbolKinds: Readonly<Record<DocumentSymbol['kind'], lsp.SymbolKind>> = {
  kernel: lsp.SymbolKind.Event,
  function: lsp.SymbolKind.Function,
  variable: lsp.SymbolKind.Variable,
  struct: lsp.SymbolKind.Struct,
  enum: lsp.SymbolKind.Enum,
  field: lsp.SymbolKind.Field,
  constant: lsp.SymbolKind.Constant,
  type: lsp.SymbolKind.Class,
  macro: lsp.SymbolKind.Constant,
  label: lsp.SymbolKind.Key,
};

export function symbolIn(document: TextDocument, symbol: DocumentSymbol): lsp.DocumentSymbol {
  return {
    name: symbol.name,
    kind: symbolKinds[symbol.kind],
    detail: symbol.detail,
    range: rangeIn(document, symbol.range),
    selectionRange: rangeIn(document, symbol.nameRange),
    children: symbol.children.map((child) => symbolIn(document, child)),
  };
}

const foldingKinds: Readonly<Record<FoldingRange['kind'], lsp.FoldingRangeKind | undefined>> = {
  block: undefined,
  comment: lsp.FoldingRangeKind.Comment,
  region: lsp.FoldingRangeKind.Region,
};

/** The last line of a block stays in sight, for its brace. */
export function foldingIn(document: TextDocument, { start, end, kind }: FoldingRange): lsp.FoldingRange {
  const startLine = document.positionAt(start).line;
  const last = document.positionAt(end).line;
  const shown = foldingKinds[kind];
  const endLine = Math.max(startLine, kind === 'block' ? last - 1 : last);
  return { startLine, endLine, ...(shown === undefined ? {} : { kind: shown }) };
}

export const semanticLegend: lsp.SemanticTokensLegend = {
  tokenTypes: [...semanticTypes],
  tokenModifiers: [...semanticModifiers],
};

export function semanticTokens(document: TextDocument, tokens: readonly SemanticToken[]): lsp.SemanticTokens {
  const builder = new lsp.SemanticTokensBuilder();
  for (const { start, end, type, modifiers } of tokens) {
    const { line, character } = document.positionAt(start);
    let bits = 0;
    for (const modifier of modifiers) bits |= 1 << semanticModifiers.indexOf(modifier);
    builder.push(line, character, end - start, semanticTypes.indexOf(type), bits);
  }
  return builder.build();
}
