/** The preprocessor's lines among the tokens of a text as it is written. */
import type { Token } from '../../../c/token.ts';

export interface Directive {
  /** `define`, `include`, ...; empty for a lone `#` */
  readonly name: string;
  /** The index of `#`. */
  readonly first: number;
  /** The index of the token behind the line. */
  readonly end: number;
}

/** All directives, in order. */
export function directivesIn(tokens: readonly Token[]): Directive[] {
  const directives: Directive[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if (!token.lineStart || token.text !== '#' || token.kind !== 'punctuator') continue;
    let end = index + 1;
    while (end < tokens.length && !tokens[end]!.lineStart) end += 1;
    const name = end > index + 1 ? tokens[index + 1]! : undefined;
    directives.push({ name: name?.kind === 'identifier' ? name.text : '', first: index, end });
    index = end - 1;
  }
  return directives;
}
