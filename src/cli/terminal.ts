/**
 * The terminal as the commands see it: colours for each of the two streams, its width. Colour goes to terminals only;
 * NO_COLOR turns it off, FORCE_COLOR on (https://no-color.org).
 */
import pc from 'picocolors';

function wantsColour(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}

/** Whether messages are coloured. */
export const colourMessages = wantsColour(process.stderr);
/** Colours for standard output. */
export const output = pc.createColors(wantsColour(process.stdout));
/** Colours for standard error. */
export const messages = pc.createColors(colourMessages);

/** Columns of the terminal; 80 where the output is none. */
export function terminalWidth(): number {
  return Math.max(process.stdout.columns ?? 80, 20);
}
