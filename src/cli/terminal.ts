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

/**
 * Ends the process, whatever still keeps it alive, when all that it has written is out: a pipe whose reader is slow may be full, and
 * `process.exit` alone loses what waits for it.
 */
export async function exitWhenWritten(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    // A file that is full refuses even an empty text.
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit();
}
