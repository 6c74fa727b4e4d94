import type { Span } from '../../source/span.ts';

/** What the R600 family has no instructions or no room for: the module is right, but such a chip cannot run it. */
export class R600Error extends Error {
  override readonly name = 'R600Error';
  /** Where in the source, if that is known. */
  readonly span: Span | undefined;

  /** There are too few registers: another order of the program may need less. */
  readonly isShortage: boolean;

  constructor(message: string, span?: Span, isShortage = false) {
    super(message);
    this.span = span;
    this.isShortage = isShortage;
  }
}
