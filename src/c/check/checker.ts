/**
 * What the checker knows while the parser walks through a program: the dialect, the scopes, the function it is in, and
 * the sink for diagnostics. The rules themselves are the functions of the other files in this folder; each takes the
 * Checker first and returns a node of the checked tree.
 *
 * One mistake gives one message: a wrong expression becomes an {@link ErrorExpression}, which every rule passes
 * on without a word, and the name of a wrong declaration is poisoned.
 */
import type { Diagnostics, Note } from '../../source/diagnostics.ts';
import { noSpan, type Span } from '../../source/span.ts';
import type { Declaration, ErrorExpression, Expression, FunctionDeclaration } from '../ast.ts';
import type { CallSite, Dialect, Reporter } from '../dialect.ts';
import { printType } from '../type-printer.ts';
import { type CType, type QualifiedType, type RecordType, unqualified, voidType } from '../types.ts';
import { DerivedTypes } from './derived-types.ts';
import type { KnownInteger } from './literals.ts';
import { type Binding, Scopes } from './scopes.ts';

/** The labels of one `switch`, and the type that they are converted to. */
export interface SwitchContext {
  readonly type: CType;
  readonly cases: { readonly low: bigint; readonly high: bigint; readonly span: Span }[];
  defaultSpan: Span | undefined;
  readonly isBroken: boolean;
}

/** The function whose body is being read. */
export interface FunctionContext {
  readonly declaration: FunctionDeclaration;
  readonly switches: SwitchContext[];
  loops: number;
  readonly labels: Map<string, Span>;
  /** What it calls, as far as it was read. */
  readonly callees: Set<FunctionDeclaration>;
  readonly gotos: { readonly label: string; readonly span: Span }[];
}

export class Checker implements Reporter {
  readonly dialect: Dialect;
  readonly diagnostics: Diagnostics;
  readonly scopes: Scopes;
  /** What stands at program scope, in order; the checked tree. */
  readonly declarations: Declaration[] = [];
  readonly calls: CallSite[] = [];
  /** The integer constants met so far, by their spelling. */
  readonly integers = new Map<string, KnownInteger>();
  readonly types: DerivedTypes;
  function: FunctionContext | undefined;
  /** Records with members that were wrong and are left out: nothing is said of members they lack. */
  readonly brokenRecords = new WeakSet<RecordType>();
  /** Above zero inside the operand of sizeof and its like, which is not evaluated. */
  unevaluated = 0;

  constructor(dialect: Dialect, diagnostics: Diagnostics) {
    this.dialect = dialect;
    this.diagnostics = diagnostics;
    this.types = new DerivedTypes(dialect);
    this.scopes = new Scopes(predeclaredNames(dialect));
  }

  error(span: Span, message: string, notes?: readonly Note[]): void {
    this.diagnostics.error(span, message, notes);
  }

  warning(span: Span, option: string, message: string, notes?: readonly Note[]): void {
    this.diagnostics.warning(span, option, message, notes);
  }

  /** Reports and gives the expression that stands for the wrong one. */
  wrong(span: Span, message: string, notes?: readonly Note[]): ErrorExpression {
    this.diagnostics.error(span, message, notes);
    return errorExpression(span);
  }

  show(type: QualifiedType): string {
    return printType(type, this.dialect);
  }

  showType(type: CType): string {
    return printType(unqualified(type), this.dialect);
  }
}

export function errorExpression(span: Span): ErrorExpression {
  return { kind: 'error', span, type: unqualified(voidType) };
}

export function isError(expression: Expression): boolean {
  return expression.kind === 'error';
}

/** Lets the checker fill in what is read-only to everyone else. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const predeclared = new WeakMap<Dialect, ReadonlyMap<string, Binding>>();

function predeclaredNames(dialect: Dialect): ReadonlyMap<string, Binding> {
  let names = predeclared.get(dialect);
  if (names === undefined) {
    const made = new Map<string, Binding>();
    for (const [name, type] of dialect.typeNames) {
      made.set(name, { kind: 'typedef', name, type, span: noSpan });
    }
    names = made;
    predeclared.set(dialect, names);
  }
  return names;
}
