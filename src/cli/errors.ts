/** The two ways in which a command ends badly by itself; main.ts turns them into messages and exit codes. */

/** A mistake in what was typed; the message is for the person who typed it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was asked rightly and cannot do it: a file that cannot be read or written, no memory. Exit code 1. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
}
