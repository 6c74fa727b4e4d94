/** What a check gives. */

/** One thing that the launch, or the program itself, did wrong. */
export interface Finding {
  readonly kind: string;
  /** The line in the source, 1-based; undefined if it has none. */
  readonly line: number | undefined;
  /** As `millrace check` prints it. */
  readonly text: string;
}

export type CheckReply =
  | {
      readonly findings: readonly Finding[];
      /** How, in a sentence, if there is anything to say of it. */
      readonly ended: string;
      /** What kernels or the program printed. */
      readonly printed: string;
    }
  | { readonly failure: string };
