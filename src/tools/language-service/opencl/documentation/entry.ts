/** What is said of a family of built-in functions. */
export interface Documented {
  /** What the parameters are called, for all forms of the function; a form with fewer takes the first. */
  readonly parameters: readonly string[];
  /** One or two sentences, in Markdown. */
  readonly text: string;
  /** A build option, extension or feature that it needs beside a version of the language. */
  readonly needs?: string;
}

/** A line of a table: names that share a text, parameters, the text, what it needs. `$` in a text is the function's own name. */
export type Line = readonly [names: string, parameters: string, text: string, needs?: string | undefined];

/** Reads lines into a map. */
export function documented(lines: readonly Line[]): Map<string, Documented> {
  const entries = new Map<string, Documented>();
  for (const [names, parameters, text, needs] of lines) {
    for (const name of names.split(' ')) {
      entries.set(name, {
        parameters: parameters === '' ? [] : parameters.split(' '),
        text: text.replaceAll('$', name),
        ...(needs === undefined ? {} : { needs }),
      });
    }
  }
  return entries;
}
