/** An OpenCL C text as the front end has read it, with what was remembered on the way, and what each of its words means. */
import type { TranslationUnit } from '../../../c/ast.ts';
import type { Binding, FunctionSet, Tag } from '../../../c/check/scopes.ts';
import type { Dialect } from '../../../c/dialect.ts';
import { IdentifierTable } from '../../../c/identifier-table.ts';
import { Lexer } from '../../../c/lexer.ts';
import type { Macro } from '../../../c/macro.ts';
import type { FileSystem } from '../../../c/preprocessor.ts';
import type { Token } from '../../../c/token.ts';
import { findField } from '../../../c/type-facts.ts';
import type { Field, QualifiedType, RecordType, VectorType } from '../../../c/types.ts';
import { parseBuildOptions } from '../../../opencl/build-options.ts';
import { dialectOf, readOpenCL } from '../../../opencl/front-end.ts';
import { Diagnostics } from '../../../source/diagnostics.ts';
import { SourceFile } from '../../../source/source-file.ts';
import { noSpan, type Span } from '../../../source/span.ts';
import { type Directive, directivesIn } from './directives.ts';
import { Recording } from './recording.ts';

/** What a word of the text means. */
export type Meaning =
  | { readonly kind: 'binding'; readonly binding: Binding }
  | { readonly kind: 'tag'; readonly tag: Tag }
  | { readonly kind: 'field'; readonly field: Field; readonly record: RecordType }
  | { readonly kind: 'swizzle'; readonly vector: VectorType; readonly object: QualifiedType }
  | { readonly kind: 'macro'; readonly macro: Macro }
  | { readonly kind: 'macro-parameter'; readonly macro: Macro }
  /** A macro that the language or the device defines. */
  | { readonly kind: 'predefined'; readonly value: string }
  | { readonly kind: 'builtin' }
  | { readonly kind: 'type'; readonly type: QualifiedType }
  | { readonly kind: 'keyword' };

/** A word of the text, with what it means. */
export interface Word {
  readonly token: Token;
  readonly meaning: Meaning | undefined;
}

export interface OpenCLOptions {
  readonly name: string;
  readonly buildOptions: string;
  readonly files: FileSystem | undefined;
}

/** An editor shows many, and text that is being written has many. */
const errorLimit = 200;

export class OpenCLProgram {
  readonly file: SourceFile;
  readonly options: OpenCLOptions;
  readonly dialect: Dialect;
  readonly version: number;
  readonly diagnostics: Diagnostics;
  readonly recording: Recording;
  readonly unit: TranslationUnit;
  /** Every token of the text as it is written, directives and what they leave out among them; comments are none. */
  readonly tokens: readonly Token[];
  /** The lines among them that speak to the preprocessor. */
  readonly directives: readonly Directive[];

  constructor(source: string, options: OpenCLOptions) {
    this.options = options;
    this.file = new SourceFile(options.name, source);
    const { options: built, errors } = parseBuildOptions(options.buildOptions);
    this.version = built.version;
    this.diagnostics = new Diagnostics({
      errorLimit,
      suppressWarnings: built.suppressWarnings,
      warningsAreErrors: built.warningsAreErrors,
    });
    for (const message of errors) this.diagnostics.error(noSpan, message);
    this.recording = new Recording(this.file);
    const settings = { options: built, addressBits: 32, files: options.files } as const;
    this.dialect = dialectOf(settings);
    const observed = { ...settings, observer: this.recording };
    this.unit = readOpenCL(this.file, observed, this.diagnostics).unit;
    this.tokens = writtenTokens(this.file);
    this.directives = directivesIn(this.tokens);
  }

  get text(): string {
    return this.file.text;
  }

  /** The index of the written token that an offset is in or right behind; words before punctuators. */
  tokenAt(offset: number): number | undefined {
    const after = this.firstFrom(offset);
    const next = this.tokens[after];
    if (next && next.start === offset && next.kind === 'identifier') return after;
    const previous = this.tokens[after - 1];
    if (previous && offset <= previous.end) return after - 1;
    return next && next.start === offset ? after : undefined;
  }

  /** The index of the first written token that begins at an offset or behind it. */
  firstFrom(offset: number): number {
    let low = 0;
    let high = this.tokens.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.tokens[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The word at an offset. */
  wordAt(offset: number): Word | undefined {
    const index = this.tokenAt(offset);
    const token = index === undefined ? undefined : this.tokens[index];
    if (index === undefined || token?.kind !== 'identifier') return undefined;
    return { token, meaning: this.meaningOf(index) };
  }

  /** What the written token of this index means, if it is a word. */
  meaningOf(index: number): Meaning | undefined {
    const token = this.tokens[index];
    if (token?.kind !== 'identifier') return undefined;
    const directive = this.directiveAt(index);
    if (directive) {
      const special = this.#inDirective(directive, index);
      if (special !== 'ordinary') return special;
    }
    const { text, start } = token;
    const before = this.tokens[index - 1];
    if (before?.text === 'goto' || this.#isLabel(index)) return undefined;
    const macro = this.recording.macroAt(text, start);
    if (macro && this.#isUse(macro, index)) return { kind: 'macro', macro };
    const part = before && this.#part(before, token);
    if (part) return part;
    const declared = this.recording.fields.get(start);
    if (declared) return { kind: 'field', ...declared };
    // In front of a name, `struct` says that it is a tag.
    const isTag = before?.kind === 'identifier' && this.dialect.keywords.get(before.text)?.kind === 'tag';
    return this.#named(text, this.numberNear(index), isTag);
  }

  /** The directive that a written token belongs to. */
  directiveAt(index: number): Directive | undefined {
    const { directives } = this;
    let low = 0;
    let high = directives.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (directives[middle]!.end <= index) low = middle + 1;
      else high = middle;
    }
    const directive = directives[low];
    return directive && directive.first <= index ? directive : undefined;
  }

  /** What the words of a directive mean that are none of the program's. */
  #inDirective(directive: Directive, index: number): Meaning | undefined | 'ordinary' {
    const { first, name } = directive;
    if (index === first + 1) return { kind: 'keyword' };
    const { text } = this.tokens[index]!;
    switch (name) {
      case 'include':
      case 'pragma':
      case 'error':
      case 'warning':
      case 'line':
        return undefined;
      case 'define': {
        const defined = this.tokens[first + 2];
        const macro = defined && this.recording.macroAt(defined.text, defined.start);
        if (macro?.parameters?.includes(text) && index > first + 2) return { kind: 'macro-parameter', macro };
        return 'ordinary';
      }
      default:
        return text === 'defined' ? { kind: 'keyword' } : 'ordinary';
    }
  }

  #isLabel(index: number): boolean {
    if (this.tokens[index + 1]?.text !== ':') return false;
    const before = this.tokens[index - 1]?.text;
    return before === ';' || before === '{' || before === '}' || before === ':';
  }

  /** What a name means at a token of the parser's. */
  #named(name: string, number: number, isTag: boolean): Meaning | undefined {
    const tag = isTag ? this.recording.lookupTag(name, number) : undefined;
    if (tag) return { kind: 'tag', tag };
    if (this.dialect.keywords.has(name)) return { kind: 'keyword' };
    const binding = this.recording.lookup(name, number);
    if (binding) return { kind: 'binding', binding };
    const value = this.dialect.predefinedMacros[name];
    if (value !== undefined) return { kind: 'predefined', value };
    const type = this.dialect.typeNames.get(name);
    if (type) return { kind: 'type', type };
    const isBuiltin =
      this.dialect.builtins.isBuiltinName(name) || this.dialect.reinterpretTarget(name) !== undefined;
    return isBuiltin ? { kind: 'builtin' } : undefined;
  }

  /** A name behind `.` or `->`. */
  #part(before: Token, token: Token): Meaning | undefined {
    if (before.text !== '.' && before.text !== '->') return undefined;
    const object = this.recording.members.get(before.start);
    if (!object) return undefined;
    const { type } = pointed(object);
    if (type.kind === 'vector') return { kind: 'swizzle', vector: type, object };
    if (type.kind !== 'record') return undefined;
    const path = findField(type, token.text);
    const field = path?.[path.length - 1];
    return field && { kind: 'field', field, record: type };
  }

  /** A function-like macro's name without arguments is no use of it, but in directives and in the macro's definition. */
  #isUse(macro: Macro, index: number): boolean {
    if (macro.parameters === undefined || this.tokens[index + 1]?.text === '(') return true;
    return this.recording.numberAt(this.tokens[index]!.start) === undefined;
  }

  /** The number of the parser's token that is this one, or of the last before it. */
  numberNear(index: number): number {
    for (let at = index; at >= 0; at -= 1) {
      const number = this.recording.numberAt(this.tokens[at]!.start);
      if (number !== undefined) return number;
    }
    return 0;
  }
}

/** What a pointer or an array points to; other types as they are. */
export function pointed(type: QualifiedType): QualifiedType {
  if (type.type.kind === 'pointer') return type.type.pointee;
  return type.type.kind === 'array' ? type.type.element : type;
}

/** Where something is declared, of a function where it is defined; undefined for what the language supplies. */
export function declarationOf(meaning: Meaning, recording: Recording): Span | undefined {
  switch (meaning.kind) {
    case 'binding': {
      const { binding } = meaning;
      return placed(binding.kind === 'functions' ? functionPlace(binding, recording) : binding.span);
    }
    case 'tag':
      return placed(meaning.tag.span);
    case 'field':
      return placed(meaning.field.span);
    case 'macro':
    case 'macro-parameter':
      return meaning.macro.definition && placed(meaning.macro.definition);
    default:
      return undefined;
  }
}

/** Colours ask for every use of a name. */
const functionPlaces = new WeakMap<FunctionSet, Span>();

/** The name in front of a function's body; the tree has that of its first declaration. */
function functionPlace(functions: FunctionSet, recording: Recording): Span {
  let place = functionPlaces.get(functions);
  if (!place) {
    place = findFunction(functions, recording);
    functionPlaces.set(functions, place);
  }
  return place;
}

function findFunction({ name, span, overloads }: FunctionSet, recording: Recording): Span {
  const body = overloads.find((one) => one.body !== undefined)?.body?.span;
  if (!body) return span;
  const named = recording.tokens.findLast(
    ({ text, file, start }) => text === name && file === body.file && start < body.start,
  );
  return named?.span ?? span;
}

/** A place in a text that somebody wrote. */
function placed(span: Span): Span | undefined {
  const { text, name } = span.file;
  return text === '' || name === '<built-in>' || name === '<command line>' ? undefined : span;
}

function writtenTokens(file: SourceFile): Token[] {
  const lexer = new Lexer(file, new IdentifierTable(), new Diagnostics());
  lexer.quiet = true;
  const tokens: Token[] = [];
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) tokens.push(token);
  return tokens;
}
