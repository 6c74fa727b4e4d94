/**
 * A program that can be said in every language that Millrace compiles: one function of a few numbers, with helpers, variables, branches and
 * loops. Trees of plain objects, so that JavaScript can run them (evaluate.ts), languages can be printed from them (as-c.ts, as-il.ts), and what
 * fails can be made small (reduce.ts).
 *
 * Any tree means one thing. Variables have a value from the start; integers wrap; shifts take five bits of their amount; unsigned numbers are
 * divided by 1 to 16; floats are whole numbers of at most 24 bits, so that no rounding, fusing or reordering changes anything. Loops count.
 */
export type Type = 'int' | 'uint' | 'float';

export type Expression =
  | { readonly kind: 'constant'; readonly type: Type; readonly value: number }
  | { readonly kind: 'variable'; readonly type: Type; readonly name: string }
  | {
      readonly kind: 'binary';
      readonly type: Type;
      readonly op: BinaryOperator;
      readonly a: Expression;
      readonly b: Expression;
    }
  | { readonly kind: 'invert'; readonly type: 'int' | 'uint'; readonly a: Expression }
  | {
      readonly kind: 'select';
      readonly type: Type;
      readonly condition: Condition;
      readonly a: Expression;
      readonly b: Expression;
    }
  /** To an integer type from any; to float the low eight bits. */
  | { readonly kind: 'convert'; readonly type: Type; readonly a: Expression }
  | {
      readonly kind: 'call';
      readonly type: 'int';
      readonly name: string;
      readonly args: readonly Expression[];
    };

/** Floats know the first three, and only unsigned numbers `/` and `%`, which divide by 1 + the low four bits. */
export type BinaryOperator = '+' | '-' | '*' | '&' | '|' | '^' | '<<' | '>>' | '/' | '%';
export type Comparison = '<' | '<=' | '==' | '!=';

export interface Condition {
  readonly op: Comparison;
  /** Of one type. */
  readonly a: Expression;
  readonly b: Expression;
}

export type Statement =
  /** Of a float the low eight bits are kept. */
  | { readonly kind: 'set'; readonly variable: Variable; readonly value: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  /** `counter`, an int of its own, is 0, 1, ... in its body, which cannot set it. */
  | {
      readonly kind: 'loop';
      readonly counter: string;
      readonly times: number;
      readonly body: readonly Statement[];
    }
  /** Ends the loop around it, or its iteration. */
  | { readonly kind: 'leave'; readonly how: 'break' | 'continue'; readonly condition: Condition };

export interface Variable {
  readonly name: string;
  readonly type: Type;
}

export interface Routine {
  readonly name: string;
  /** All of type int. */
  readonly parameters: readonly string[];
  /** They begin as these numbers. */
  readonly variables: readonly (Variable & { readonly value: number })[];
  readonly body: readonly Statement[];
  readonly result: Expression;
}

export interface CommonProgram {
  /** Each may call those before it. */
  readonly helpers: readonly Routine[];
  /** The kernel: its parameters are inputs. */
  readonly main: Routine;
  /** What each work-item gets, by the parameters' places. */
  readonly inputs: readonly Int32Array[];
}

/** The largest magnitude that a float expression can have; floats have at most 2^24 exactly. */
export function boundOf(expression: Expression): number {
  switch (expression.kind) {
    case 'constant':
      return Math.abs(expression.value);
    case 'binary': {
      const [a, b] = [boundOf(expression.a), boundOf(expression.b)];
      return expression.op === '*' ? a * b : a + b;
    }
    case 'select':
      return Math.max(boundOf(expression.a), boundOf(expression.b));
    default:
      return 255;
  }
}
