/** What a user's program can ask of the back end in vain. */
import type { Excess } from '../../../source/build-budget.ts';
import type { Span } from '../../../source/span.ts';

/** The module cannot be written as WebAssembly that engines accept; the message says why, for a build log. */
export class CodegenError extends Error {
  override readonly name = 'CodegenError';
  readonly excesses: readonly Excess[];

  /** @param span of what is too much */
  constructor(message: string, span?: Span) {
    super(message);
    this.excesses = [{ message, span }];
  }
}
