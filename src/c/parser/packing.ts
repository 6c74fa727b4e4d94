/** `#pragma pack`: the most that members of structs are aligned to, as gcc, clang and MSVC have it. */
import type { Span } from '../../source/span.ts';
import type { Checker } from '../check/checker.ts';

/** The state of the pragma at a place of the source. */
export class Packing {
  /** Bytes; 0 where nothing is said. */
  limit = 0;
  readonly #saved: { readonly name: string | undefined; readonly limit: number }[] = [];

  /** @param words those behind `pack` */
  obey(words: readonly string[], span: Span, checker: Checker): void {
    const ignored = (why: string) =>
      checker.warning(span, 'ignored-pragmas', `${why} in '#pragma pack' - ignored`);
    if (words[0] !== '(' || words[words.length - 1] !== ')') {
      ignored("missing '(' or ')'");
      return;
    }
    const parts = words
      .slice(1, -1)
      .join(' ')
      .split(',')
      .map((part) => part.trim());
    if (parts.length === 1 && parts[0] === '') {
      this.limit = 0;
      return;
    }
    const action = parts[0] === 'push' || parts[0] === 'pop' ? parts.shift() : undefined;
    const name = action && /^[A-Za-z_]/.test(parts[0] ?? '') ? parts.shift() : undefined;
    const written = parts.shift();
    const limit = written === undefined ? undefined : limitOf(written);
    if (
      parts.length > 0 ||
      (written !== undefined && limit === undefined) ||
      (!action && limit === undefined)
    ) {
      ignored('expected an alignment of 1, 2, 4, 8 or 16, push or pop');
      return;
    }
    if (action === 'push') this.#saved.push({ name, limit: this.limit });
    if (action === 'pop' && !this.#pop(name)) ignored('nothing to pop');
    if (limit !== undefined) this.limit = limit;
  }

  /** With a name, everything that was saved since then goes. */
  #pop(name: string | undefined): boolean {
    const index =
      name === undefined ? this.#saved.length - 1 : this.#saved.findLastIndex((saved) => saved.name === name);
    const saved = this.#saved[index];
    if (!saved) return false;
    this.#saved.length = index;
    this.limit = saved.limit;
    return true;
  }
}

/** As written, with suffixes and in any base; undefined if it is no alignment. 0 is none, as for gcc. */
function limitOf(text: string): number | undefined {
  const value = Number(text.replace(/[uUlL]+$/, ''));
  return [0, 1, 2, 4, 8, 16].includes(value) ? value : undefined;
}
