/** Bounds on what messages repeat of a program, which may hold names and lines of a million characters. */

/** longer than any name that a person writes */
const longestName = 200;
/** how much is kept of a longer one */
const keptOfName = 60;
const longestMessage = 2000;
const ellipsis = '...';

/** A message with its long names and itself cut. */
export function shortened(message: string): string {
  if (message.length <= longestName) return message;
  const names = message.replace(longNames, (name) => `${name.slice(0, keptOfName)}${ellipsis}`);
  return names.length <= longestMessage ? names : `${names.slice(0, longestMessage)}${ellipsis}`;
}

const longNames = new RegExp(`[^\\s',;()]{${longestName},}`, 'g');

/** A part of a long line around [from, to), or around the beginning of that, and how far it was moved to the left. */
export function windowAround(
  text: string,
  from: number,
  to: number,
  width: number,
): { readonly text: string; readonly shift: number } {
  if (text.length <= width) return { text, shift: 0 };
  const wanted = Math.min(to, from + width / 2);
  const middle = Math.floor((from + wanted) / 2);
  const start = Math.max(0, Math.min(middle - width / 2, text.length - width));
  const end = Math.min(text.length, start + width);
  let part = text.slice(start, end);
  if (start > 0) part = ellipsis + part.slice(ellipsis.length);
  if (end < text.length) part = part.slice(0, part.length - ellipsis.length) + ellipsis;
  return { text: part, shift: start };
}
