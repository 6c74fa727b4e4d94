/** Diagnostics as plain data and back, so that a build that is remembered says the same again, with the same carets. */
import type { Diagnostic } from './diagnostics.ts';
import { type LineMarker, SourceFile } from './source-file.ts';
import { type Expansion, noSpan, type Span } from './span.ts';

/** Spans, files and expansions refer to each other by their numbers in these lists; -1 is noSpan. */
export interface PackedDiagnostics {
  readonly files: readonly PackedFile[];
  readonly spans: readonly PackedSpan[];
  readonly expansions: readonly {
    readonly macro: string;
    readonly definition: number;
    readonly use: number;
  }[];
  readonly list: readonly PackedDiagnostic[];
}

interface PackedFile {
  readonly name: string;
  readonly text: string;
  readonly markers: readonly LineMarker[];
  readonly includedFrom: number | undefined;
}

interface PackedSpan {
  readonly file: number;
  readonly start: number;
  readonly end: number;
  readonly expansion: number | undefined;
}

interface PackedDiagnostic extends Omit<Diagnostic, 'span' | 'notes'> {
  readonly span: number;
  readonly notes: readonly { readonly message: string; readonly span: number }[];
}

export function packDiagnostics(list: readonly Diagnostic[]): PackedDiagnostics {
  const files = new Numbered<SourceFile, PackedFile>(({ name, text, lineMarkers, includedFrom }) => ({
    name,
    text,
    markers: lineMarkers,
    includedFrom: includedFrom && spanNumber(includedFrom),
  }));
  const spans = new Numbered<Span, PackedSpan>(({ file, start, end, expansion }) => ({
    file: files.numberOf(file),
    start,
    end,
    expansion: expansion && expansions.numberOf(expansion),
  }));
  const expansions = new Numbered<Expansion, PackedDiagnostics['expansions'][number]>(
    ({ macro, definition, use }) => ({ macro, definition: spanNumber(definition), use: spanNumber(use) }),
  );
  const spanNumber = (span: Span): number => (span.file === noSpan.file ? -1 : spans.numberOf(span));
  const packed = list.map((diagnostic) => ({
    ...diagnostic,
    span: spanNumber(diagnostic.span),
    notes: diagnostic.notes.map(({ message, span }) => ({ message, span: spanNumber(span) })),
  }));
  return { files: files.packed, spans: spans.packed, expansions: expansions.packed, list: packed };
}

export function unpackDiagnostics(packed: PackedDiagnostics): Diagnostic[] {
  const files: SourceFile[] = [];
  const spans: Span[] = [];
  const expansions: Expansion[] = [];
  const spanOf = (number: number): Span => {
    if (number === -1) return noSpan;
    const { file, start, end, expansion } = packed.spans[number]!;
    const where = expansion === undefined ? {} : { expansion: expansionOf(expansion) };
    spans[number] ??= { file: fileOf(file), start, end, ...where };
    return spans[number];
  };
  const fileOf = (number: number): SourceFile => {
    const { name, text, markers, includedFrom } = packed.files[number]!;
    files[number] ??= new SourceFile(
      name,
      text,
      includedFrom === undefined ? undefined : spanOf(includedFrom),
      markers,
    );
    return files[number];
  };
  const expansionOf = (number: number): Expansion => {
    const { macro, definition, use } = packed.expansions[number]!;
    expansions[number] ??= { macro, definition: spanOf(definition), use: spanOf(use) };
    return expansions[number];
  };
  return packed.list.map((diagnostic) => ({
    ...diagnostic,
    span: spanOf(diagnostic.span),
    notes: diagnostic.notes.map(({ message, span }) => ({ message, span: spanOf(span) })),
  }));
}

/** Gives each object a number and packs it once. */
class Numbered<T, Packed> {
  readonly packed: Packed[] = [];
  readonly #numbers = new Map<T, number>();
  readonly #pack: (value: T) => Packed;

  constructor(pack: (value: T) => Packed) {
    this.#pack = pack;
  }

  numberOf(value: T): number {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(value, number);
      this.packed[number] = this.#pack(value);
    }
    return number;
  }
}
