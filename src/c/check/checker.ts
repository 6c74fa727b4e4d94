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
import type {
  Capture,
  Declaration,
  ErrorExpression,
  Expression,
  FunctionDeclaration,
  VariableDeclaration,
} from '../ast.ts';
import type { CallSite, Dialect, Reporter } from '../dialect.ts';
import type { ReadingObserver } from '../observer.ts';
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
  /** The labels that the blocks at hand declare as theirs, and under which name each is known. */
  readonly localLabels: { readonly name: string; readonly label: string }[];
  localLabelCount: number;
  /** The calls that are due when the scopes at hand end (parser/cleanups.ts), and how many there were before what `break` and `continue` leave. */
  readonly cleanups: Expression[];
  breakCleanups: number;
  continueCleanups: number;
  /** Labels in a `switch` that are nearly `default`. */
  readonly mistypedDefaults: { readonly label: string; readonly span: Span }[];
  readonly gotos: { readonly label: string; readonly span: Span }[];
  /** Set for the body of a block. */
  readonly block?: BlockContext | undefined;
}

/** The context in which a body begins; `block` if it is that of a block. */
export function newFunctionContext(declaration: FunctionDeclaration, block?: BlockContext): FunctionContext {
  return {
    declaration,
    switches: [],
    loops: 0,
    labels: new Map(),
    callees: new Set(),
    localLabels: [],
    localLabelCount: 0,
    cleanups: [],
    breakCleanups: 0,
    continueCleanups: 0,
    mistypedDefaults: [],
    gotos: [],
    block,
  };
}

/** What is particular to the body of a block. */
export interface BlockContext {
  /** The function or block around it; undefined at program scope. */
  readonly outer: FunctionContext | undefined;
  /** How deep the scope of its parameters lies. */
  readonly depth: number;
  /** The variables around it that it uses. */
  readonly captures: Map<VariableDeclaration, Capture>;
  /** The literal says no result type: it follows from the first `return`. */
  readonly infersResult: boolean;
  /** Set by the first `return` where the result type is inferred. */
  hasReturned: boolean;
  /** A `return` was wrong, so the result type is not known. */
  isBroken: boolean;
}

export class Checker implements Reporter {
  readonly dialect: Dialect;
  readonly diagnostics: Diagnostics;
  readonly scopes: Scopes;
  readonly observer: ReadingObserver | undefined;
  /** What stands at program scope, in order; the checked tree. */
  readonly declarations: Declaration[] = [];
  readonly calls: CallSite[] = [];
  /** The integer constants met so far, by their spelling. */
  readonly integers = new Map<string, KnownInteger>();
  readonly types: DerivedTypes;
  function: FunctionContext | undefined;
  /** Records with members that were wrong and are left out: nothing is said of members they lack. */
  readonly brokenRecords = new WeakSet<RecordType>();
  /** The words of other languages that were reported. */
  readonly foreignWords = new Set<string>();
  /** Declarations were passed over, and reported: nothing is said of names that mean nothing, which may be theirs. */
  hasLostDeclarations = false;
  /** How many block literals there were. */
  blocks = 0;
  /** Above zero inside the operand of sizeof and its like, which is not evaluated. */
  unevaluated = 0;

  /** @param of one that has read a program, whose names this one knows and adds to */
  constructor(dialect: Dialect, diagnostics: Diagnostics, observer?: ReadingObserver, of?: Checker) {
    this.dialect = dialect;
    this.diagnostics = diagnostics;
    this.types = of?.types ?? new DerivedTypes(dialect);
    this.scopes = of?.scopes ?? new Scopes(predeclaredNames(dialect), observer);
    this.observer = observer;
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
