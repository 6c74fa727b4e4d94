/**
 * What an editor wants to know of a program beside its syntax tree, told while it is read: which tokens there are, which
 * names are declared in which scope, which macros are defined. The tree has no wrong statements and no names of types;
 * this has all that was read, however wrong the rest is.
 */
import type { Span } from '../source/span.ts';
import type { Binding, Tag } from './check/scopes.ts';
import type { Macro } from './macro.ts';
import type { Token } from './token.ts';
import type { QualifiedType, RecordType } from './types.ts';

/** Told in the order of reading. A parser reads up to three tokens ahead of what it declares. */
export interface ReadingObserver {
  /** A token comes from the preprocessor. */
  token(token: Token): void;
  scopeOpened(): void;
  scopeClosed(): void;
  /** A name means something from here on, in the innermost scope or (`depth` 0) in the program's. */
  declared(binding: Binding, depth: number): void;
  tagDeclared(name: string, tag: Tag): void;
  /** A struct or union has its members now. */
  recordDefined(record: RecordType): void;
  /** `operator` is `.` or `->`; what follows it is a part of something of this type (of a pointer, for `->`). */
  member(operator: Span, type: QualifiedType): void;
  /** `.name` in an initializer of a record; `span` is both tokens. */
  designator(span: Span, type: QualifiedType): void;
  macroDefined(macro: Macro): void;
  macroRemoved(name: Token): void;
  /** A header begins; `name` is what stands between the quotes or brackets, `path` the file that was found. */
  included(name: Span, path: string): void;
}
