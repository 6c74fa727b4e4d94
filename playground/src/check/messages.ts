/** What the page and the checker's worker say to each other. */
import type { Document } from '../document.ts';

export interface CheckRequest {
  readonly document: Document;
  /** What a person gave, by name. */
  readonly files: ReadonlyMap<string, Blob>;
}

/** One thing that the launch did wrong. */
export interface Finding {
  readonly kind: string;
  /** The line in the source, 1-based; undefined if it has none. */
  readonly line: number | undefined;
  /** As `millrace check` prints it. */
  readonly text: string;
}

export type CheckReply =
  | { readonly findings: readonly Finding[]; readonly milliseconds: number }
  | { readonly failure: string };
