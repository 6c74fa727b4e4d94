/** Why a program was stopped, in words: what engines throw through WebAssembly, as a programmer in C would say it. */

export interface Stopped {
  readonly reason: string;
  /** Where in the program it happened, innermost first: lines such as `    at main (wasm://...)`. */
  readonly frames: readonly string[];
}

/** As shells have it for a program that aborts. */
export const abortCode = 134;

/**
 * What stopped a program that threw `error`; undefined if that is none of the ways in which programs are stopped. Engines keep
 * ten frames unless `Error.stackTraceLimit` says more.
 */
export function stoppedBy(error: unknown): Stopped | undefined {
  const frames = framesOf(error);
  const reason = reasonOf(error, frames);
  return reason === undefined ? undefined : { reason, frames: shortened(frames) };
}

/** The way to the error, without what is ours. */
function framesOf(error: unknown): string[] {
  const { stack = '' } = error instanceof Error ? error : {};
  return stack.split('\n').filter((line) => line.includes('wasm:'));
}

function reasonOf(error: unknown, frames: readonly string[]): string | undefined {
  const stackIsFull = 'the stack is full (calls without end, or variables that are too large)';
  if (error instanceof RangeError && frames.length > 0) return stackIsFull;
  if (!(error instanceof WebAssembly.RuntimeError)) return undefined;
  if (frames[0]?.includes('stack_overflow')) return stackIsFull;
  if (frames[0]?.includes('__null_pointer')) return 'it used a null pointer, or one close to it';
  if (frames[0]?.includes(' abort ')) return 'it aborted';
  switch (error.message) {
    case 'memory access out of bounds':
      return 'it used a pointer to where there is no memory';
    case 'table index is out of bounds':
    case 'null function or function signature mismatch':
      return 'it called through a pointer that leads to no such function';
    default:
      return error.message;
  }
}

/** Of very many frames the first and the last. */
function shortened(frames: readonly string[]): readonly string[] {
  if (frames.length <= 20) return frames;
  return [...frames.slice(0, 10), `    ... ${frames.length - 15} more ...`, ...frames.slice(-5)];
}
