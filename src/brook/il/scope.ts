/** What a kernel's function has around it while it is written. */
import type { CheckedKernel, Formal, Local, Typed } from '../check/tree.ts';
import type { Code, Operand } from './code.ts';

/** What stands for a parameter inside a function. */
export type Binding =
  /** its value, in the first components of registers, one a leaf */
  | { readonly kind: 'value'; readonly registers: readonly string[] }
  /** the resources that a gather array is, one a leaf */
  | { readonly kind: 'gather'; readonly resources: readonly number[]; readonly sizes: string | undefined }
  /** the global buffer as an array */
  | { readonly kind: 'scatter'; readonly sizes: string };

export interface Scope {
  readonly code: Code;
  /** Where the thread is: int4. */
  readonly at: string;
  readonly bindings: ReadonlyMap<Formal, Binding>;
  readonly locals: Map<Local, readonly string[]>;
  /** The array that a group of threads shares. */
  readonly group: Group | undefined;
  /** Calls a kernel with these arguments; what it returns, one operand a leaf. */
  call(kernel: CheckedKernel, args: readonly Typed[], scope: Scope): readonly Operand[];
}

export interface Group {
  /** Elements of the shared array that each thread writes. */
  readonly share: number;
}
