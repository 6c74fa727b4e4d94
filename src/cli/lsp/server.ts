/**
 * The language server: a thin shell that speaks the Language Server Protocol (3.17) on standard input and output, over the
 * answers of millrace/language-service.
 */
import { fileURLToPath } from 'node:url';
import type { Reading } from 'millrace/language-service';
import * as lsp from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  completionList,
  diagnosticIn,
  foldingIn,
  locationOf,
  markdown,
  rangeIn,
  semanticLegend,
  semanticTokens,
  signatureHelp,
  symbolIn,
} from './convert.ts';
import { Readings } from './readings.ts';
import { settingsFrom } from './settings.ts';

/** Milliseconds without a change before diagnostics are sent. */
const pause = 120;

const capabilities: lsp.ServerCapabilities = {
  textDocumentSync: lsp.TextDocumentSyncKind.Incremental,
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['.', '>', '#'], resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  semanticTokensProvider: { legend: semanticLegend, full: true },
};

/** Serves until the editor hangs up. */
export function serve(): void {
  const connection = lsp.createConnection(lsp.ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new lsp.TextDocuments(TextDocument);
  const readings = new Readings(documents);
  let folder = process.cwd();

  connection.onInitialize(({ initializationOptions, workspaceFolders, rootUri }) => {
    const root = workspaceFolders?.[0]?.uri ?? rootUri;
    if (root?.startsWith('file:')) folder = fileURLToPath(root);
    readings.settings = settingsFrom(initializationOptions, folder);
    return { capabilities, serverInfo: { name: 'millrace' } };
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    const own = (settings as { millrace?: unknown } | null | undefined)?.millrace;
    if (own === undefined) return;
    readings.settings = settingsFrom(own, folder);
    for (const { uri } of documents.all()) diagnose(uri);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) for (const reader of readings.fileChanged(uri)) diagnose(reader);
    if (changes.some(({ uri }) => uri.endsWith('/millrace.json'))) {
      for (const { uri } of documents.all()) diagnose(uri);
    }
  });

  // Diagnostics, a moment after the last change.
  const timers = new Map<string, NodeJS.Timeout>();
  const diagnose = (uri: string): void => {
    clearTimeout(timers.get(uri));
    timers.set(
      uri,
      setTimeout(() => send(uri), pause),
    );
  };
  const send = (uri: string): void => {
    timers.delete(uri);
    const document = documents.get(uri);
    const reading = document && readings.of(document);
    if (!reading) return;
    const diagnostics = reading.diagnostics().map((diagnostic) => diagnosticIn(document, diagnostic));
    void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
  };
  documents.onDidChangeContent(({ document: { uri } }) => {
    diagnose(uri);
    for (const reader of readings.fileChanged(uri)) diagnose(reader);
  });
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    readings.forget(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
    for (const reader of readings.fileChanged(uri)) diagnose(reader);
  });

  /** Answers about a place of an open document; null where there is nothing to say. */
  const at = <T>(
    { textDocument, position }: lsp.TextDocumentPositionParams,
    answer: (reading: Reading, offset: number, document: TextDocument) => T | undefined,
  ): T | null => {
    const document = documents.get(textDocument.uri);
    const reading = document && readings.of(document);
    return reading ? (answer(reading, document.offsetAt(position), document) ?? null) : null;
  };
  /** Answers about a whole document. */
  const all = <T>(
    { textDocument }: { textDocument: lsp.TextDocumentIdentifier },
    answer: (reading: Reading, document: TextDocument) => T,
  ): T | null => {
    const document = documents.get(textDocument.uri);
    const reading = document && readings.of(document);
    return reading ? answer(reading, document) : null;
  };

  connection.onHover((params) =>
    at(params, (reading, offset, document) => {
      const hover = reading.hover(offset);
      return hover && { contents: markdown(hover.text), range: rangeIn(document, hover) };
    }),
  );
  connection.onCompletion((params) =>
    at(params, (reading, offset, document) => {
      // `>` asks only as the end of an arrow.
      const isArrow = document.getText().startsWith('->', offset - 2);
      if (params.context?.triggerCharacter === '>' && !isArrow) return undefined;
      return completionList(document, reading.completions(offset));
    }),
  );
  connection.onCompletionResolve((item) => {
    const document = documents.get(String(item.data));
    const text = document && readings.of(document)?.explain(item.label);
    return text === undefined ? item : { ...item, documentation: markdown(text) };
  });
  connection.onSignatureHelp((params) =>
    at(params, (reading, offset) => {
      const help = reading.signatureHelp(offset);
      return help && signatureHelp(help);
    }),
  );
  connection.onDefinition((params) =>
    at(params, (reading, offset, document) => {
      const span = reading.definition(offset);
      return span && locationOf(span, document);
    }),
  );
  connection.onReferences((params) =>
    at(params, (reading, offset, document) => {
      const { uri } = document;
      return reading.references(offset).map((range) => ({ uri, range: rangeIn(document, range) }));
    }),
  );
  connection.onDocumentHighlight((params) =>
    at(params, (reading, offset, document) =>
      reading.references(offset).map((range) => ({ range: rangeIn(document, range) })),
    ),
  );
  connection.onPrepareRename((params) =>
    at(params, (reading, offset, document) => {
      const answer = reading.renameable(offset);
      if (!answer) return undefined;
      if ('refusal' in answer) throw refused(answer.refusal);
      const own = answer.ranges.find(({ start, end }) => start <= offset && offset <= end);
      return own && rangeIn(document, own);
    }),
  );
  connection.onRenameRequest((params) =>
    at(params, (reading, offset, document) => {
      const { newName } = params;
      if (!/^[A-Za-z_]\w*$/.test(newName)) throw refused(`'${newName}' is no name`);
      const answer = reading.renameable(offset);
      if (!answer) return undefined;
      if ('refusal' in answer) throw refused(answer.refusal);
      const edits = answer.ranges.map((range) => ({ range: rangeIn(document, range), newText: newName }));
      return { changes: { [document.uri]: edits } };
    }),
  );
  connection.onDocumentSymbol((params) =>
    all(params, (reading, document) => reading.symbols().map((symbol) => symbolIn(document, symbol))),
  );
  connection.onFoldingRanges((params) =>
    all(params, (reading, document) => reading.folding().map((range) => foldingIn(document, range))),
  );
  connection.languages.semanticTokens.on(
    (params) =>
      all(params, (reading, document) => semanticTokens(document, reading.semanticTokens())) ?? { data: [] },
  );

  documents.listen(connection);
  connection.listen();
}

function refused(message: string): lsp.ResponseError {
  return new lsp.ResponseError(lsp.LSPErrorCodes.RequestFailed, message);
}
