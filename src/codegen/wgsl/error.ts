import type { Span } from '../../source/span.ts';

/** A kernel asks for what WGSL, or this back end, has no form for. */
export class WgslError extends Error {
  /** Where in the source, if that is known. */
  readonly span: Span | undefined;

  constructor(message: string, span?: Span | undefined) {
    super(message);
    this.name = 'WgslError';
    this.span = span;
  }
}
