/** Instructions that say what runs next: structures, terminators and calls; see "Module, function, region" in ir.ts. */
import type * as ir from '../ir.ts';
import type { Common } from './common.ts';
import type { WorkItemLoop } from './work-items.ts';

/** Operand: condition. Regions: then, else. Results: what the taken one yields. */
export interface If extends Common {
  readonly op: 'if';
}

/** Operand: integer. Regions: one a case, then the default. Results: what the taken one yields. */
export interface Switch extends Common {
  readonly op: 'switch';
  /** `cases[i]` lists the operand's values that choose `regions[i]`; no value occurs twice. */
  readonly cases: readonly (readonly (number | bigint)[])[];
}

/** Region: body. Results: what a `break` to it or the final `yield` carries. */
export interface Block extends Common {
  readonly op: 'block';
}

/** Operands: initial values. Region: body, with one parameter an operand. Results: what `break` carries. */
export interface Loop extends Common {
  readonly op: 'loop';
  /** From `#pragma unroll` or its attribute: 0 means as far as possible. */
  readonly unroll?: number | undefined;
}

/** Terminator. Operands: the results of the `if`, `switch` or `block` whose region ends here. */
export interface Yield extends Common {
  readonly op: 'yield';
}

/** Terminator. Operands: the results of `target`, which encloses it. */
export interface Break extends Common {
  readonly op: 'break';
  target: Block | Loop;
}

/** Terminator. Operands: new values for the parameters of `target`, which encloses it. */
export interface Continue extends Common {
  readonly op: 'continue';
  target: Loop;
}

/** Terminator. Operand: the function's result, if it has one. */
export interface Return extends Common {
  readonly op: 'return';
}

/** Terminator of a region whose end is never reached. */
export interface Unreachable extends Common {
  readonly op: 'unreachable';
}

/**
 * Operands: the arguments. Results: none or one. Calls never recur, directly or through others, but in programs for the
 * host.
 */
export interface Call extends Common {
  readonly op: 'call';
  callee: ir.Function;
}

/**
 * Result: a private pointer to the function, never null. In modules that are no programs for the host, the function is a
 * kernel for others to launch, and the pointer good for nothing else.
 */
export interface FunctionAddress extends Common {
  readonly op: 'function_address';
  readonly callee: ir.Function;
}

/** Programs for the host. Operands: a pointer to a function, then the arguments. Results: none or one. */
export interface CallIndirect extends Common {
  readonly op: 'call_indirect';
}

/**
 * OpenCL 1.2, 6.12.13. Operands: the values that the format asks for, in order, of any type that can be stored. Result:
 * i32, 0, or -1 if there was no room for the text.
 */
export interface Printf extends Common {
  readonly op: 'printf';
  /** The format's bytes, one a character, without the zero at its end. */
  readonly format: string;
}

export type Terminator = Yield | Break | Continue | Return | Unreachable;
export type Structured = If | Switch | Block | Loop | WorkItemLoop;

export type ControlInstruction = Structured | Terminator | Call | FunctionAddress | CallIndirect | Printf;
