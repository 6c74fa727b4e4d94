/**
 * The syntax tree of kernels as they are written, before anything is checked. What is not allowed in kernels but can be
 * read (pointers, `switch`, strings) is here too, so that the checker can say what is wrong with it.
 */
import type { Span } from '../../source/span.ts';
import type { BrookType, StructType } from '../types.ts';

interface Node {
  readonly span: Span;
}

export type Expression =
  | NumberLiteral
  | StringLiteral
  | Name
  | Unary
  | Binary
  | Assignment
  | Conditional
  | Call
  | Constructor
  | Cast
  | SizeOf
  | Member
  | Index
  | BraceList;

export interface NumberLiteral extends Node {
  readonly kind: 'number';
  readonly text: string;
  readonly isFloating: boolean;
}

export interface StringLiteral extends Node {
  readonly kind: 'string';
}

export interface Name extends Node {
  readonly kind: 'name';
  readonly name: string;
}

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: '+' | '-' | '!' | '~' | '++' | '--' | '*' | '&';
  readonly operand: Expression;
  readonly isPostfix: boolean;
}

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Assignment extends Node {
  readonly kind: 'assignment';
  /** `=`, `+=`, ... */
  readonly operator: string;
  readonly target: Expression;
  readonly value: Expression;
}

export interface Conditional extends Node {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly yes: Expression;
  readonly no: Expression;
}

export interface Call extends Node {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
}

/** `float4(a, b, c, d)` */
export interface Constructor extends Node {
  readonly kind: 'constructor';
  readonly type: BrookType;
  readonly args: readonly Expression[];
}

export interface Cast extends Node {
  readonly kind: 'cast';
  readonly type: BrookType;
  readonly isPointer: boolean;
  readonly operand: Expression;
}

export interface SizeOf extends Node {
  readonly kind: 'sizeof';
}

export interface Member extends Node {
  readonly kind: 'member';
  readonly object: Expression;
  readonly name: string;
  /** written `->` */
  readonly isArrow: boolean;
}

export interface Index extends Node {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
}

/** `{1, 2}` behind the `=` of a declaration */
export interface BraceList extends Node {
  readonly kind: 'braces';
  readonly elements: readonly Expression[];
}

export type Statement =
  | { readonly kind: 'block'; readonly span: Span; readonly body: readonly Statement[] }
  | { readonly kind: 'declaration'; readonly span: Span; readonly variables: readonly Variable[] }
  | { readonly kind: 'expression'; readonly span: Span; readonly expression: Expression }
  | {
      readonly kind: 'if';
      readonly span: Span;
      readonly condition: Expression;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  | {
      readonly kind: 'for';
      readonly span: Span;
      readonly first: Statement | undefined;
      readonly condition: Expression | undefined;
      readonly step: Expression | undefined;
      readonly body: Statement;
    }
  | {
      readonly kind: 'while' | 'do';
      readonly span: Span;
      readonly condition: Expression;
      readonly body: Statement;
    }
  | { readonly kind: 'return'; readonly span: Span; readonly value: Expression | undefined }
  | { readonly kind: 'break' | 'continue' | 'empty'; readonly span: Span }
  /** `switch` and `goto`, skipped by the parser */
  | { readonly kind: 'switch' | 'goto'; readonly span: Span };

/** Words in front of a type that a declaration may have. */
export type Qualifier =
  | 'const'
  | 'volatile'
  | 'restrict'
  | 'static'
  | 'extern'
  | 'auto'
  | 'register'
  | 'out'
  | 'reduce'
  | 'shared'
  | 'vout'
  | 'iter';

/** A declared name with its array sizes and its initializer. */
export interface Variable extends Node {
  readonly name: string;
  readonly type: BrookType;
  /** The type as it is written, where that names no type of Brook+: `long`. */
  readonly unknownType: string | undefined;
  readonly qualifiers: ReadonlySet<Qualifier>;
  readonly isPointer: boolean;
  /** One entry a pair of brackets, undefined where they are empty. */
  readonly sizes: readonly (Expression | undefined)[];
  readonly initializer: Expression | undefined;
}

/** A formal parameter; `isStream` is what `<>` says. */
export interface Parameter extends Variable {
  readonly isStream: boolean;
}

/** `Attribute[GroupSize(64, 1, 1)]` */
export interface KernelAttribute extends Node {
  readonly name: string;
  readonly values: readonly Expression[];
}

export interface Kernel extends Node {
  readonly name: string;
  readonly nameSpan: Span;
  /** undefined where none is written */
  readonly result: BrookType | undefined;
  /** `reduce void f(...)` */
  readonly isReduce: boolean;
  readonly attributes: readonly KernelAttribute[];
  readonly parameters: readonly Parameter[];
  /** undefined for a prototype */
  readonly body: readonly Statement[] | undefined;
}

/** Types that have a name: structures by tag (`struct Pair`) and by typedef. */
export interface TypeTable {
  readonly tags: Map<string, StructType>;
  readonly names: Map<string, BrookType>;
}
