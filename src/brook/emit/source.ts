/** The OpenCL C text of one program while it is put together: each function and type once, before what needs it. */
import { outermostUse, type Span } from '../../source/span.ts';
import type { Typed } from '../check/tree.ts';
import type { Limit } from './inside.ts';

export class Source {
  /** Subscripts that are inside of their arrays: see inside.ts. */
  readonly inside: ReadonlyMap<Typed, Limit>;
  readonly #hasLines: boolean;
  readonly #parts = new Map<string, string>();

  /** @param hasLines statements say which line of the .br file they come from, by #line */
  constructor(inside: ReadonlyMap<Typed, Limit> = new Map(), hasLines = false) {
    this.inside = inside;
    this.#hasLines = hasLines;
  }

  /** A directive that gives the next line the place of a statement, or, without one, a place in no file. */
  lineOf(span: Span | undefined): string {
    if (!this.#hasLines) return '';
    if (!span) return '#line 1 "<brook>"\n';
    const { file, start } = outermostUse(span);
    const { name, line } = file.presumed(start);
    return `#line ${line} "${name.replace(/[\\"]/g, '\\$&')}"\n`;
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  /** Adds a function or type unless it is there. */
  need(name: string, text: string): void {
    if (!this.#parts.has(name)) this.#parts.set(name, `${this.lineOf(undefined)}${text}`);
  }

  get text(): string {
    return `${[...this.#parts.values()].join('\n\n')}\n`;
  }
}
