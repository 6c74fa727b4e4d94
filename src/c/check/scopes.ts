/**
 * Which name means what, from the innermost block outwards (C99, 6.2.1 and 6.2.3): ordinary names and tags are
 * separate spaces.
 */
import type { Span } from '../../source/span.ts';
import type { FunctionDeclaration, TypedefDeclaration, VariableDeclaration } from '../ast.ts';
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
}

export type Binding = VariableDeclaration | FunctionSet | TypedefDeclaration | Enumerator | Poisoned;
export type Tag = RecordType | EnumType;

interface Scope {
  readonly names: Map<string, Binding>;
  /** Made when the first tag is declared, which few scopes do. */
  tags: Map<string, Tag> | undefined;
}

export class Scopes {
  readonly #scopes: Scope[] = [{ names: new Map(), tags: undefined }];
  readonly #predeclared: ReadonlyMap<string, Binding>;

  /** `predeclared` are names that exist before the program and may be declared anew by it. */
  constructor(predeclared: ReadonlyMap<string, Binding>) {
    this.#predeclared = predeclared;
  }

  get isProgram(): boolean {
    return this.#scopes.length === 1;
  }

  /** The outermost block of a function, where its parameters are. */
  get isOutermostBlock(): boolean {
    return this.#scopes.length === 2;
  }

  push(): void {
    this.#scopes.push({ names: new Map(), tags: undefined });
  }

  pop(): void {
    if (this.#scopes.length > 1) this.#scopes.pop();
  }

  lookup(name: string): Binding | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      const binding = this.#scopes[index]?.names.get(name);
      if (binding !== undefined) return binding;
    }
    return this.#predeclared.get(name);
  }

  /** What the name means in the innermost scope alone. */
  lookupHere(name: string): Binding | undefined {
    return this.#scopes[this.#scopes.length - 1]?.names.get(name);
  }

  /** What the name means at program scope. */
  lookupProgram(name: string): Binding | undefined {
    return this.#scopes[0]?.names.get(name);
  }

  declare(binding: Binding): void {
    this.#scopes[this.#scopes.length - 1]?.names.set(binding.name, binding);
  }

  declareProgram(binding: Binding): void {
    this.#scopes[0]?.names.set(binding.name, binding);
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
    scope.tags ??= new Map();
    scope.tags.set(name, tag);
  }

  /** Every visible name, inner ones first. */
  *names(): Iterable<Binding> {
    for (let index = this.#scopes.length - 1; index >= 0; index -= 1) {
      yield* this.#scopes[index]?.names.values() ?? [];
    }
    yield* this.#predeclared.values();
  }
}
