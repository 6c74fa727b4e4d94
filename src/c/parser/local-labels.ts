/** `__label__ name;` (GNU): labels of one block, so that a macro with a label in it may be used twice in a function. */
import type { Parser } from './parser.ts';

// local-labels = ("__label__" identifier ("," identifier)* ";")*
/** At the beginning of a block, which ends with {@link closeLabels}. */
export function parseLocalLabels(parser: Parser): void {
  const { checker } = parser;
  while (parser.keyword()?.kind === 'local-label') {
    parser.next();
    do {
      const { token } = parser;
      if (!parser.isIdentifier()) {
        parser.syntaxError(token, 'expected identifier');
        return;
      }
      parser.next();
      const labels = checker.function?.localLabels;
      if (!checker.function || !labels) continue;
      checker.function.localLabelCount += 1;
      labels.push({ name: token.text, label: `${token.text}.${checker.function.localLabelCount}` });
    } while (parser.accept(','));
    parser.expect(';', 'after label declaration');
  }
}

/** Forgets the labels of a block; `before` is how many there were when it began. */
export function closeLabels(parser: Parser, before: number | undefined): void {
  const labels = parser.checker.function?.localLabels;
  if (labels && before !== undefined) labels.length = before;
}

/** The label that a name means here: one of its own for each block that declares it. */
export function labelMeant(parser: Parser, name: string): string {
  return parser.checker.function?.localLabels.findLast((local) => local.name === name)?.label ?? name;
}
