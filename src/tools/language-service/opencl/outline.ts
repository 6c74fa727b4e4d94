/** The outline of an OpenCL C text, the meaning of its words for colours, and what can be folded. */
import type { FunctionDeclaration } from '../../../c/ast.ts';
import type { Binding } from '../../../c/check/scopes.ts';
import { printType } from '../../../c/type-printer.ts';
import type { QualifiedType, RecordType } from '../../../c/types.ts';
import type { Span } from '../../../source/span.ts';
import { addLines, foldBraces, foldComments } from '../folding.ts';
import type { DocumentSymbol, FoldingRange, SemanticToken, TextRange } from '../reading.ts';
import { describeFunction, describeMacro, shortened } from './describe.ts';
import { declarationOf, type Meaning, type OpenCLProgram, pointed } from './program.ts';

// ------------------------------------------------------------------------------------------------- symbols

/** Functions, variables, types and macros of the text itself, in its order. */
export function symbolsOf(program: OpenCLProgram): readonly DocumentSymbol[] {
  const symbols: DocumentSymbol[] = [];
  const { recording, file } = program;
  for (const entries of recording.program.names.values()) {
    for (const { meaning } of entries) {
      const place = declarationOf({ kind: 'binding', binding: meaning }, recording);
      if (place?.file === file) symbols.push(bindingSymbol(program, meaning, place));
    }
  }
  for (const entries of recording.program.tags.values()) {
    for (const { meaning } of entries) {
      if (meaning.span.file !== file || meaning.tag === undefined) continue;
      const children = meaning.kind === 'record' ? fieldSymbols(program, meaning) : [];
      const kind = meaning.kind === 'record' ? 'struct' : 'enum';
      symbols.push({
        name: meaning.tag,
        kind,
        detail: kind,
        children,
        ...rangesOf(program, nameIn(program, meaning.span, meaning.tag)),
      });
    }
  }
  for (const events of recording.macros.values()) {
    for (const { macro } of events) {
      const place = macro?.definition;
      if (!macro || place?.file !== file) continue;
      const detail = shortened(describeMacro(macro), 80);
      symbols.push({ name: macro.name, kind: 'macro', detail, children: [], ...rangesOf(program, place) });
    }
  }
  return symbols.sort((a, b) => a.range.start - b.range.start);
}

function bindingSymbol(program: OpenCLProgram, binding: Binding, place: Span): DocumentSymbol {
  const { dialect } = program;
  const { name } = binding;
  switch (binding.kind) {
    case 'functions': {
      const defined = binding.overloads.find(({ body }) => body) ?? binding.overloads[0]!;
      const kind = defined.isKernel ? 'kernel' : 'function';
      const ranges = rangesOf(program, place, endOf(program, defined));
      return { name, kind, detail: describeFunction(defined, dialect), children: [], ...ranges };
    }
    case 'variable':
      return {
        name,
        kind: 'variable',
        detail: printType(binding.type, dialect),
        children: [],
        ...rangesOf(program, place),
      };
    case 'enumerator':
      return {
        name,
        kind: 'constant',
        detail: String(binding.value),
        children: [],
        ...rangesOf(program, place),
      };
    case 'poisoned':
      return { name, kind: 'variable', detail: '', children: [], ...rangesOf(program, place) };
    case 'typedef':
      return { name, kind: 'type', detail: 'typedef', children: [], ...rangesOf(program, place) };
  }
}

function fieldSymbols(program: OpenCLProgram, record: RecordType): DocumentSymbol[] {
  return (record.fields ?? []).flatMap(({ name, type, span }) => {
    if (name === undefined || span.file !== program.file) return [];
    const detail = printType(type, program.dialect);
    return [{ name, kind: 'field', detail, children: [], range: range(span), nameRange: range(span) }];
  });
}

/** The end of a function's body, as far as it was found. */
function endOf({ file }: OpenCLProgram, { body }: FunctionDeclaration): number | undefined {
  return body?.span.file === file ? body.span.end : undefined;
}

/** A tag's span may begin at `struct`. */
function nameIn({ tokens }: OpenCLProgram, span: Span, name: string): TextRange {
  const found = tokens.find(({ start, text }) => start >= span.start && text === name);
  return found ? range(found) : range(span);
}

/** From the first word of a declaration, or of a directive's line, to its end. */
function rangesOf(
  program: OpenCLProgram,
  name: TextRange,
  end = name.end,
): { range: TextRange; nameRange: TextRange } {
  const { tokens } = program;
  const own = program.firstFrom(name.start);
  let first = own;
  const directive = program.directiveAt(own);
  while (first > (directive?.first ?? 0)) {
    const before = tokens[first - 1]!;
    if (!directive && (before.text === ';' || before.text === '}' || program.directiveAt(first - 1))) break;
    first -= 1;
  }
  const start = Math.min(tokens[first]?.start ?? name.start, name.start);
  return { range: { start, end: Math.max(end, name.end) }, nameRange: range(name) };
}

function range({ start, end }: TextRange): TextRange {
  return { start, end };
}

// ------------------------------------------------------------------------------------------------- colours

/** Every word whose meaning is known, in order. */
export function semanticTokensOf(program: OpenCLProgram): readonly SemanticToken[] {
  const found: SemanticToken[] = [];
  program.tokens.forEach(({ kind, start, end }, index) => {
    if (kind !== 'identifier') return;
    const meaning = program.meaningOf(index);
    const look = meaning && lookOf(meaning);
    if (!look) return;
    const place = meaning && declarationOf(meaning, program.recording);
    const isDeclaration = place?.file === program.file && place.start === start;
    const modifiers = isDeclaration ? (['declaration', ...look.modifiers] as const) : look.modifiers;
    found.push({ start, end, type: look.type, modifiers });
  });
  return found;
}

type Look = Pick<SemanticToken, 'type' | 'modifiers'>;

const ofLanguage = ['defaultLibrary'] as const;

function lookOf(meaning: Meaning): Look | undefined {
  switch (meaning.kind) {
    case 'binding':
      return bindingLook(meaning.binding);
    case 'tag':
      return { type: meaning.tag.kind === 'enum' ? 'enum' : 'struct', modifiers: [] };
    case 'field':
    case 'swizzle':
      return { type: 'property', modifiers: [] };
    case 'macro':
      return { type: 'macro', modifiers: [] };
    case 'macro-parameter':
      return { type: 'parameter', modifiers: [] };
    case 'predefined':
      return { type: 'macro', modifiers: ofLanguage };
    case 'builtin':
      return { type: 'function', modifiers: ofLanguage };
    case 'type':
      return { type: 'type', modifiers: ofLanguage };
    case 'keyword':
      return { type: 'keyword', modifiers: [] };
  }
}

function bindingLook(binding: Binding): Look {
  switch (binding.kind) {
    case 'variable':
      return {
        type: binding.scope === 'parameter' ? 'parameter' : 'variable',
        modifiers: variableModifiers(binding.type),
      };
    case 'functions':
      return {
        type: 'function',
        modifiers: binding.overloads.some(({ isKernel }) => isKernel) ? ['kernel'] : [],
      };
    case 'typedef':
      return { type: 'type', modifiers: [] };
    case 'enumerator':
      return { type: 'enumMember', modifiers: ['readonly'] };
    case 'poisoned':
      return { type: 'variable', modifiers: [] };
  }
}

/** The memory that a variable is in or, for a pointer, leads to. */
function variableModifiers(type: QualifiedType): SemanticToken['modifiers'] {
  const memory = type.type.kind === 'pointer' ? pointed(type) : type;
  const { space } = memory;
  const modifiers: SemanticToken['modifiers'][number][] = [];
  if (type.isConst || space === 'constant') modifiers.push('readonly');
  if (space === 'global' || space === 'local' || space === 'constant') modifiers.push(space);
  return modifiers;
}

// ------------------------------------------------------------------------------------------------- folding

/** Blocks, comments and groups of the preprocessor. */
export function foldingOf(program: OpenCLProgram): readonly FoldingRange[] {
  const { text, tokens } = program;
  const ranges = [...foldBraces(text, tokens), ...foldComments(text)];
  const open: number[] = [];
  for (const { name, first, end } of program.directives) {
    if (name === 'if' || name === 'ifdef' || name === 'ifndef') open.push(tokens[first]!.start);
    else if (name === 'elif' || name === 'else' || name === 'endif') {
      const start = open.pop();
      if (start !== undefined) addLines(ranges, text, start, tokens[first]!.start - 1, 'region');
      if (name !== 'endif') open.push(tokens[end - 1]!.start);
    }
  }
  return ranges.sort((a, b) => a.start - b.start);
}
