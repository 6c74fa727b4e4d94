/**
 * Kernels after checking: names resolved, every expression with its type, every conversion written out. The emitter
 * (../emit) makes OpenCL C of it, and whoever runs kernels reads from it what they take.
 */
import type { Span } from '../../source/span.ts';
import type { BrookType, ElementType, ValueType } from '../types.ts';

/** What a parameter is for (1.8.2 of the guide's kernel rules). */
export type Role =
  /** a number, a vector or a structure, the same for all threads */
  | 'value'
  /** `T a<>`: the element at the thread's position */
  | 'stream'
  /** `out T c<>` */
  | 'out'
  /** `T a[]`, `T a[4][4]` */
  | 'gather'
  /** `out T c[]` */
  | 'scatter'
  /** `reduce T r` and `reduce T r<>` */
  | 'reduce';

export interface Formal {
  readonly name: string;
  readonly type: ElementType;
  readonly role: Role;
  /** How many pairs of brackets an array has; 0 for what is none. */
  readonly rank: number;
  /** The sizes of a gather array that goes through a constant buffer. */
  readonly sizes: readonly number[] | undefined;
}

export interface Local {
  readonly name: string;
  /** Unique in its kernel. */
  readonly unique: string;
  readonly type: ElementType;
  readonly isConst: boolean;
}

/** `shared float4 lds[256];` */
export interface SharedArray {
  readonly name: string;
  readonly type: ValueType;
  readonly size: number;
}

export type Typed =
  | {
      readonly kind: 'literal';
      readonly type: ValueType;
      /** Digits as C writes them, in decimal; integers may be negative. */
      readonly text: string;
      /** Written without a suffix, for float or double as its place wants: it is rounded to no type yet. */
      readonly isUnrounded?: boolean | undefined;
    }
  | { readonly kind: 'local'; readonly type: ElementType; readonly local: Local }
  | { readonly kind: 'formal'; readonly type: ElementType; readonly formal: Formal }
  /** indexof (of a formal), instance and instanceInGroup */
  | {
      readonly kind: 'position';
      readonly type: ValueType;
      readonly of: Formal | 'instance' | 'instanceInGroup';
    }
  /** An element of a gather or scatter array; one index a dimension, the slowest first. */
  | {
      readonly kind: 'element';
      readonly type: ElementType;
      readonly array: Formal;
      readonly indices: readonly Typed[];
    }
  /** The same with the dimensions in the components of a vector, the fastest first. */
  | { readonly kind: 'element-at'; readonly type: ElementType; readonly array: Formal; readonly index: Typed }
  | {
      readonly kind: 'shared';
      readonly type: ValueType;
      readonly array: SharedArray;
      readonly index: Typed;
    }
  | { readonly kind: 'swizzle'; readonly type: ValueType; readonly object: Typed; readonly lanes: string }
  | { readonly kind: 'field'; readonly type: ElementType; readonly object: Typed; readonly name: string }
  | {
      readonly kind: 'unary';
      readonly type: ValueType;
      readonly operator: string;
      readonly operand: Typed;
      readonly isPostfix: boolean;
    }
  /** Arithmetic, shifts, bits; both operands have the type of the result, but for the count of a shift. */
  | Operation<'binary'>
  /** Comparisons and `&&`, `||`, `!`: int with 1 where it is true. */
  | Operation<'relation'>
  | { readonly kind: 'not'; readonly type: ValueType; readonly operand: Typed }
  | {
      readonly kind: 'assignment';
      readonly type: ElementType;
      readonly operator: string;
      readonly target: Typed;
      /** Of `+=` and its like it may have another scalar than the target: that is the one which they compute in. */
      readonly value: Typed;
    }
  | {
      readonly kind: 'conditional';
      readonly type: BrookType;
      readonly condition: Typed;
      readonly yes: Typed;
      readonly no: Typed;
    }
  /** `?:` with a vector for a condition: each component is chosen by its own. All have as many; both values are computed. */
  | {
      readonly kind: 'select';
      readonly type: ValueType;
      readonly condition: Typed;
      readonly yes: Typed;
      readonly no: Typed;
    }
  | { readonly kind: 'comma'; readonly type: BrookType; readonly left: Typed; readonly right: Typed }
  | { readonly kind: 'convert'; readonly type: ValueType; readonly operand: Typed }
  | { readonly kind: 'construct'; readonly type: ValueType; readonly parts: readonly Typed[] }
  | {
      readonly kind: 'builtin';
      readonly type: ValueType;
      readonly name: string;
      readonly args: readonly Typed[];
    }
  | {
      readonly kind: 'call';
      readonly type: BrookType;
      readonly kernel: CheckedKernel;
      readonly args: readonly Typed[];
    }
  /** A whole array, as an argument of a call. */
  | { readonly kind: 'array'; readonly type: ElementType; readonly formal: Formal }
  | { readonly kind: 'sync'; readonly type: BrookType };

interface Operation<Kind extends string> {
  readonly kind: Kind;
  readonly type: ValueType;
  readonly operator: string;
  readonly left: Typed;
  readonly right: Typed;
}

export type TypedStatement = StatementParts & {
  /** Where it stands in the file. */
  readonly span?: Span | undefined;
};

type StatementParts =
  | { readonly kind: 'block'; readonly body: readonly TypedStatement[] }
  | { readonly kind: 'variable'; readonly local: Local; readonly value: Typed | undefined }
  | { readonly kind: 'expression'; readonly value: Typed }
  | {
      readonly kind: 'if';
      readonly condition: Typed;
      readonly yes: TypedStatement;
      readonly no: TypedStatement | undefined;
    }
  | {
      readonly kind: 'for';
      readonly first: readonly TypedStatement[];
      readonly condition: Typed | undefined;
      readonly step: Typed | undefined;
      readonly body: TypedStatement;
    }
  | { readonly kind: 'while' | 'do'; readonly condition: Typed; readonly body: TypedStatement }
  | { readonly kind: 'return'; readonly value: Typed | undefined }
  | { readonly kind: 'break' | 'continue' };

/** `map` and `scatter` run over a domain, `reduce` folds, `function` is only called by other kernels. */
export type KernelForm = 'map' | 'scatter' | 'reduce' | 'function';

export interface CheckedKernel {
  readonly name: string;
  readonly form: KernelForm;
  readonly formals: readonly Formal[];
  readonly result: BrookType;
  readonly groupSize: number | undefined;
  readonly shared: SharedArray | undefined;
  readonly body: readonly TypedStatement[];
  /**
   * Of a reduction the one operator with which all of its statements change the variable (`+`, `*`, `|`, `^`, `&`), if it
   * is so: then its identity is known, and the order of elements may change.
   */
  readonly reduceOperator: string | undefined;
}
