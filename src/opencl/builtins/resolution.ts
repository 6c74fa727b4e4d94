/** What a call of a built-in function comes to. */
import type { Builtin } from '../../c/ast.ts';
import type { QualifiedType } from '../../c/types.ts';

/** A built-in function of OpenCL C as a call in the syntax tree carries it. */
export interface OpenCLBuiltin extends Builtin {
  /** Set for `convert_*`: how out-of-range values and rounding are treated. */
  readonly conversion?: Conversion | undefined;
}

/** What the name of a `convert_` function says (OpenCL 1.2, 6.2.3). */
export interface Conversion {
  readonly saturate: boolean;
  readonly rounding: 'rte' | 'rtz' | 'rtp' | 'rtn' | undefined;
}

export type Resolution =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'found';
      readonly builtin: OpenCLBuiltin;
      readonly parameters: readonly QualifiedType[];
      readonly result: QualifiedType;
    }
  | { readonly kind: 'no-match' | 'ambiguous'; readonly candidates: readonly string[] };
