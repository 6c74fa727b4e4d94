/** What a program has written, of which a page keeps the end: programs that never stop writing must not fill its memory. */

/** Characters that are kept. */
const mostOutput = 1 << 18;

export class KeptOutput {
  /** Pieces are joined when somebody looks, or when there are twice as many characters as are kept. */
  #pieces: string[] = [];
  #length = 0;
  /** Lines that are no longer there. */
  #left = 0;

  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > 2 * mostOutput) this.#cut();
  }

  /** The end of it, whole lines where lines are not longer than that, and how many lines before it are gone. */
  look(): { readonly text: string; readonly linesLeftOut: number } {
    this.#cut();
    return { text: this.#pieces[0] ?? '', linesLeftOut: this.#left };
  }

  #cut(): void {
    const whole = this.#pieces.join('');
    let from = Math.max(0, whole.length - mostOutput);
    if (from > 0) {
      const line = whole.indexOf('\n', from);
      if (line >= 0 && line + 1 < whole.length) from = line + 1;
      for (let at = whole.indexOf('\n'); at >= 0 && at < from; at = whole.indexOf('\n', at + 1))
        this.#left += 1;
    }
    const text = whole.slice(from);
    this.#pieces = [text];
    this.#length = text.length;
  }
}
