/**
 * The macros of a translation unit: those that every one has, which are shared and never copied, and over them what it defines and
 * undefines itself. Most kernels are short, and copying some hundred predefined macros took a third of the time of their builds.
 */
import type { Macro } from './macro.ts';

export class MacroTable {
  #shared: ReadonlyMap<string, Macro> = new Map();
  /** Its own; `undefined` hides a shared one that was undefined. */
  readonly #own = new Map<string, Macro | undefined>();

  /** Puts shared macros under those of its own. */
  share(macros: ReadonlyMap<string, Macro>): void {
    this.#shared = macros;
  }

  get(name: string): Macro | undefined {
    const own = this.#own.get(name);
    if (own !== undefined) return own;
    const shared = this.#shared.get(name);
    return shared === undefined || this.#own.has(name) ? undefined : shared;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, macro: Macro): void {
    this.#own.set(name, macro);
  }

  delete(name: string): void {
    if (this.#shared.has(name)) this.#own.set(name, undefined);
    else this.#own.delete(name);
  }

  /** All that are defined. */
  visible(): Map<string, Macro> {
    const all = new Map(this.#shared);
    for (const [name, macro] of this.#own) {
      if (macro === undefined) all.delete(name);
      else all.set(name, macro);
    }
    return all;
  }
}
