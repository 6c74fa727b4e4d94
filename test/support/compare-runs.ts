/** For tests that run a kernel in several ways and want the same of all. */
import type { TestArgument } from './run-kernel.ts';

/** The same arguments, with buffers of their own. */
export function copyOf(args: readonly TestArgument[]): TestArgument[] {
  return args.map((argument) => ('buffer' in argument ? { buffer: argument.buffer.slice() } : argument));
}

/**
 * The first difference between what two runs have printed. Each text begins with a word that says whose it is: those of one
 * work-item come in order, those of several in any.
 */
export function differenceOfTexts(
  expected: readonly string[],
  actual: readonly string[],
): string | undefined {
  const [wanted, printed] = [textsOfItems(expected), textsOfItems(actual)];
  for (const item of new Set([...wanted.keys(), ...printed.keys()])) {
    const texts = [wanted, printed].map((of) => of.get(item) ?? []) as [string[], string[]];
    const at = Array.from(
      { length: Math.max(...texts.map(({ length }) => length)) },
      (_, index) => index,
    ).find((index) => texts[0][index] !== texts[1][index]);
    if (at !== undefined)
      return `printed ${JSON.stringify(texts[1][at])} instead of ${JSON.stringify(texts[0][at])}`;
  }
  return undefined;
}

function textsOfItems(texts: readonly string[]): Map<string, string[]> {
  const items = new Map<string, string[]>();
  for (const text of texts) {
    const item = text.slice(0, text.indexOf(' '));
    const own = items.get(item);
    if (own) own.push(text);
    else items.set(item, [text]);
  }
  return items;
}

/** The first difference between two runs' buffers. */
export function difference(
  expected: readonly TestArgument[],
  actual: readonly TestArgument[],
): string | undefined {
  for (const [index, argument] of expected.entries()) {
    const other = actual[index]!;
    if (!('buffer' in argument) || !('buffer' in other)) continue;
    if (Buffer.compare(argument.buffer, other.buffer) === 0) continue;
    const at = argument.buffer.findIndex((byte, offset) => byte !== other.buffer[offset]);
    if (at >= 0) return `argument ${index} differs at byte ${at}`;
  }
  return undefined;
}
