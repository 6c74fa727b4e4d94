/** The sentences of a document in Markdown, and how many words each has. Code, headings and link targets are none of them. */
export interface Sentence {
  readonly line: number;
  readonly text: string;
  readonly words: number;
}

/** Paragraphs, items of lists and cells of tables, each in one line. */
function paragraphsOf(document: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let open: { line: number; text: string } | undefined;
  let isCode = false;
  const close = (): void => {
    if (open) found.push(open);
    open = undefined;
  };
  for (const [index, line] of document.split('\n').entries()) {
    const number = index + 1;
    if (/^\s*```/.test(line)) {
      isCode = !isCode;
      close();
    } else if (isCode || (!open && /^( {4}|\t)/.test(line))) {
      // Code.
    } else if (/^\s*\|/.test(line)) {
      close();
      for (const cell of line.split(/(?<!\\)\|/)) found.push({ line: number, text: cell.trim() });
    } else if (/^\s*$|^#/.test(line)) {
      close();
    } else {
      if (/^\s*([-*]|\d+\.) /.test(line)) close();
      open = open ? { ...open, text: `${open.text} ${line.trim()}` } : { line: number, text: line.trim() };
    }
  }
  close();
  return found;
}

/** A sentence ends at a full stop, a question mark or an exclamation mark before something that can begin one. */
const end = /(?<=[.?!]["')]?)\s+(?=["'(]?(?:[A-Z`_*[]|\d))/;

export function sentencesOf(document: string): Sentence[] {
  return paragraphsOf(document).flatMap(({ line, text }) =>
    text
      .replace(/\]\([^)]*\)/g, ']')
      .split(end)
      .map((sentence) => {
        // A piece of code is one word.
        const plain = sentence.replace(/`[^`]*`/g, 'code');
        return { line, text: sentence, words: plain.split(/\s+/).filter((word) => /\w/.test(word)).length };
      }),
  );
}
