/**
 * Which name means what, from the innermost block outwards (C99, 6.2.1 and 6.2.3): ordinary names and tags are
 * separate spaces.
 */
import type { Span } from '../../source/span.ts';
import type { FunctionDeclaration, TypedefDeclaration, VariableDeclaration } from '../ast.ts';
import type { ReadingObserver } from '../observer.ts';
import type { EnumType, QualifiedType, RecordType } from '../types.ts';

/** A constant that an enumeration names. */
export interface Enumerator {
  readonly kind: 'enumerator';
  readonly name: string;
  readonly type: QualifiedType;
  readonly value: bigint;
  readonly span: Span;
}

/** Functions of one name; more than one only where they are declared overloadable. */
export interface FunctionSet {
  readonly kind: 'functions';
  readonly name: string;
  readonly span: Span;
  readonly overloads: FunctionDeclaration[];
}

/** A name whose declaration was wrong and has been reported: its uses are silent errors. */
export interface Poisoned {
  readonly kind: 'poisoned';
  readonly name: string;
  readonly span: Span;
  /** It was never declared: `span` is its first use. */
  readonly isUndeclared?: true;
}

export type Binding = VariableDeclaration | FunctionSet | TypedefDeclaration | Enumerator | Poisoned;
export type Tag = RecordType | EnumType;

/** A name in the program, whatever it means: one look finds the innermost of its meanings. */
interface Name {
  meaning: Meaning | undefined;
}

/** What one scope says that a name means. */
interface Meaning {
  readonly name: Name;
  binding: Binding;
  readonly depth: number;
  /** What it means outside that scope. */
  outer: Meaning | undefined;
}

interface Scope {
  /** What it says of names, in order; made when the first is declared. */
  meanings: Meaning[] | undefined;
  /** Made when the first tag is declared, which few scopes do. */
  tags: Map<string, Tag> | undefined;
}

export class Scopes {
  readonly #scopes: Scope[] = [{ meanings: undefined, tags: undefined }];
  readonly #names = new Map<string, Name>();
  readonly #predeclared: ReadonlyMap<string, Binding>;
  readonly #observer: ReadingObserver | undefined;

  /** `predeclared` are names that exist before the program and may be declared anew by it. */
  constructor(predeclared: ReadonlyMap<string, Binding>, observer?: ReadingObserver) {
    this.#predeclared = predeclared;
    this.#observer = observer;
  }

  get isProgram(): boolean {
    return this.#scopes.length === 1;
  }

  /** The outermost block of a function, where its parameters are. */
  get isOutermostBlock(): boolean {
    return this.#scopes.length === 2;
  }

  /** How many scopes are around the innermost. */
  get depth(): number {
    return this.#scopes.length - 1;
  }

  /** The depth of the scope that says what a name means; 0 at program scope. */
  depthOf(name: string): number {
    return this.#names.get(name)?.meaning?.depth ?? 0;
  }

  push(): void {
    this.#observer?.scopeOpened();
    this.#scopes.push({ meanings: undefined, tags: undefined });
  }

  pop(): void {
    if (this.#scopes.length === 1) return;
    this.#observer?.scopeClosed();
    const meanings = this.#scopes.pop()?.meanings;
    if (meanings === undefined) return;
    for (const { name, outer } of meanings) name.meaning = outer;
  }

  lookup(name: string): Binding | undefined {
    return this.#names.get(name)?.meaning?.binding ?? this.#predeclared.get(name);
  }

  /** What the name means in the innermost scope alone. */
  lookupHere(name: string): Binding | undefined {
    const meaning = this.#names.get(name)?.meaning;
    return meaning?.depth === this.#scopes.length - 1 ? meaning.binding : undefined;
  }

  /** What the name means at program scope. */
  lookupProgram(name: string): Binding | undefined {
    let meaning = this.#names.get(name)?.meaning;
    while (meaning !== undefined && meaning.depth > 0) meaning = meaning.outer;
    return meaning?.binding;
  }

  declare(binding: Binding): void {
    this.#declareAt(this.#scopes.length - 1, binding);
  }

  declareProgram(binding: Binding): void {
    this.#declareAt(0, binding);
  }

  #declareAt(depth: number, binding: Binding): void {
    this.#observer?.declared(binding, depth);
    let name = this.#names.get(binding.name);
    if (name === undefined) {
      name = { meaning: undefined };
      this.#names.set(binding.name, name);
    }
    let inner: Meaning | undefined;
    let meaning = name.meaning;
    while (meaning !== undefined && meaning.depth > depth) {
      inner = meaning;
      meaning = meaning.outer;
    }
    if (meaning?.depth === depth) {
      meaning.binding = binding;
      return;
    }
    const added: Meaning = { name, binding, depth, outer: meaning };
    if (inner === undefined) name.meaning = added;
    else inner.outer = added;
    const scope = this.#scopes[depth] as Scope;
    scope.meanings ??= [];
    scope.meanings.push(added);
  }

  lookupTag(name: string): Tag | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      const tag = this.#scopes[index]?.tags?.get(name);
      if (tag !== undefined) return tag;
    }
    return undefined;
  }

  lookupTagHere(name: string): Tag | undefined {
    return this.#scopes[this.#scopes.length - 1]?.tags?.get(name);
  }

  declareTag(name: string, tag: Tag): void {
    const scope = this.#scopes[this.#scopes.length - 1];
    if (scope === undefined) return;
    this.#observer?.tagDeclared(name, tag);
    scope.tags ??= new Map();
    scope.tags.set(name, tag);
  }

  /** Every visible name, inner ones first. */
  *names(): Iterable<Binding> {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      for (const { binding } of this.#scopes[index]?.meanings ?? []) yield binding;
    }
    yield* this.#predeclared.values();
  }
}
