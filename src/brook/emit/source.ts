/** The OpenCL C text of one program while it is put together: each function and type once, before what needs it. */
import type { Typed } from '../check/tree.ts';
import type { Limit } from './inside.ts';

export class Source {
  /** Subscripts that are inside of their arrays: see inside.ts. */
  readonly inside: ReadonlyMap<Typed, Limit>;
  readonly #parts = new Map<string, string>();

  constructor(inside: ReadonlyMap<Typed, Limit> = new Map()) {
    this.inside = inside;
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  /** Adds a function or type unless it is there. */
  need(name: string, text: string): void {
    if (!this.#parts.has(name)) this.#parts.set(name, text);
  }

  get text(): string {
    return `${[...this.#parts.values()].join('\n\n')}\n`;
  }
}
