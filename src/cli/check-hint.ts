/** A kernel that reached outside its memory: the device names the checker, which knows more, as the command calls it. */

/** A failed command's message for a program that is checked by `words` instead: an option of the command that runs it. */
export function withCheckHint(message: string, words: string): string {
  return message.replace(/\(millrace check (says \w+)\)$/, `(${words} $1)`);
}
