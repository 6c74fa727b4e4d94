/**
 * Remembers what the front end tells on its way through a program (src/c/observer.ts): the tokens of the text, the scopes
 * and what they declare, the macros and where they begin to hold. From it follows what a name means at any place, even
 * where the syntax around it is broken: C's scopes need no more than the order of tokens.
 */
import type { Binding, Tag } from '../../../c/check/scopes.ts';
import type { Macro } from '../../../c/macro.ts';
import type { ReadingObserver } from '../../../c/observer.ts';
import type { Token } from '../../../c/token.ts';
import type { Field, QualifiedType, RecordType } from '../../../c/types.ts';
import type { SourceFile } from '../../../source/source-file.ts';
import { outermostUse, type Span } from '../../../source/span.ts';

/** A name that a scope declares, from a token on. */
interface Entry<T> {
  readonly meaning: T;
  readonly from: number;
}

/** From the opening brace to the closing one, in numbers of tokens. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly start: number;
  end: number;
  readonly names: Map<string, Entry<Binding>[]>;
  readonly tags: Map<string, Entry<Tag>[]>;
  readonly children: Scope[];
}

/** A macro holds from an offset of the text on; without `macro` the name means nothing from there. */
interface MacroEvent {
  readonly macro: Macro | undefined;
  readonly from: number;
}

export class Recording implements ReadingObserver {
  /** The scope of the program. */
  readonly program: Scope = newScope(undefined, 0);
  /** All tokens that the parser got, those that macros made among them. */
  readonly tokens: Token[] = [];
  /** The type that `.` or `->` at an offset takes a part of. */
  readonly members = new Map<number, QualifiedType>();
  /** The headers that the text itself includes, by where their names stand. */
  readonly headers: { readonly name: Span; readonly path: string }[] = [];
  readonly macros = new Map<string, MacroEvent[]>();
  /** The members that the text declares, by where their names stand. */
  readonly fields = new Map<number, { readonly field: Field; readonly record: RecordType }>();
  readonly #file: SourceFile;
  #scope: Scope = this.program;
  /** Where the tokens of the text itself begin, with their numbers. */
  readonly #starts = new Map<number, number>();

  constructor(file: SourceFile) {
    this.#file = file;
  }

  token(token: Token): void {
    if (token.file === this.#file) this.#starts.set(token.start, this.tokens.length);
    this.tokens.push(token);
  }

  scopeOpened(): void {
    const scope = newScope(this.#scope, this.tokens.length - 1);
    this.#scope.children.push(scope);
    this.#scope = scope;
  }

  scopeClosed(): void {
    this.#scope.end = this.tokens.length - 1;
    this.#scope = this.#scope.parent ?? this.program;
  }

  declared(binding: Binding, depth: number): void {
    if (binding.kind === 'poisoned' && binding.isUndeclared) return;
    const scope = depth === 0 ? this.program : this.#scope;
    add(scope.names, binding.name, { meaning: binding, from: this.#numberOf(binding.span) });
  }

  tagDeclared(name: string, tag: Tag): void {
    add(this.#scope.tags, name, { meaning: tag, from: this.#numberOf(tag.span) });
  }

  recordDefined(record: RecordType): void {
    for (const field of record.fields ?? []) {
      if (field.span.file === this.#file) this.fields.set(field.span.start, { field, record });
    }
  }

  member(operator: Span, type: QualifiedType): void {
    if (operator.file === this.#file) this.members.set(operator.start, type);
  }

  designator(span: Span, type: QualifiedType): void {
    if (span.file === this.#file) this.members.set(span.start, type);
  }

  macroDefined(macro: Macro): void {
    const from = macro.definition ? this.offsetIn(macro.definition) : 0;
    add(this.macros, macro.name, { macro, from });
  }

  macroRemoved(name: Token): void {
    add(this.macros, name.text, { macro: undefined, from: this.offsetIn(name) });
  }

  included(name: Span, path: string): void {
    if (name.file === this.#file) this.headers.push({ name, path });
  }

  /** The number of the token at an offset of the text, if the parser got it. */
  numberAt(offset: number): number | undefined {
    return this.#starts.get(offset);
  }

  /** Where in the text something begins; of what a header says, where the text includes it. */
  offsetIn(span: Span): number {
    let place = outermostUse(span);
    while (place.file !== this.#file) {
      const { includedFrom } = place.file;
      if (includedFrom === undefined) return 0;
      place = includedFrom;
    }
    return place.start;
  }

  /** The innermost scope around a token. */
  scopeAt(number: number): Scope {
    let scope = this.program;
    for (;;) {
      const inner: Scope | undefined = scope.children.find(
        ({ start, end }) => start <= number && number < end,
      );
      if (inner === undefined) return scope;
      scope = inner;
    }
  }

  /** What a name means at a token. */
  lookup(name: string, number: number): Binding | undefined {
    return find(this.scopeAt(number), number, (scope) => scope.names.get(name));
  }

  lookupTag(name: string, number: number): Tag | undefined {
    return find(this.scopeAt(number), number, (scope) => scope.tags.get(name));
  }

  /** What a name means to the preprocessor at an offset of the text. */
  macroAt(name: string, offset: number): Macro | undefined {
    return this.macros.get(name)?.findLast(({ from }) => from <= offset)?.macro;
  }

  /** The macros that hold at an offset. */
  *macrosAt(offset: number): Iterable<Macro> {
    for (const name of this.macros.keys()) {
      const macro = this.macroAt(name, offset);
      if (macro) yield macro;
    }
  }

  /** The number of the token that declares something; the newest where no token of the text does. */
  #numberOf(span: Span): number {
    const own = span.file === this.#file ? this.#starts.get(span.start) : undefined;
    return own ?? Math.max(0, this.tokens.length - 1);
  }
}

function newScope(parent: Scope | undefined, start: number): Scope {
  return { parent, start, end: Number.POSITIVE_INFINITY, names: new Map(), tags: new Map(), children: [] };
}

function add<T>(map: Map<string, T[]>, name: string, entry: T): void {
  const known = map.get(name);
  if (known) known.push(entry);
  else map.set(name, [entry]);
}

function find<T>(
  innermost: Scope,
  number: number,
  entries: (scope: Scope) => readonly Entry<T>[] | undefined,
): T | undefined {
  for (let scope: Scope | undefined = innermost; scope !== undefined; scope = scope.parent) {
    const found = entries(scope)?.findLast(({ from }) => from <= number);
    if (found) return found.meaning;
  }
  return undefined;
}
