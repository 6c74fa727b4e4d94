/** What to do about a kernel that reached outside its memory: the checker knows where. */

/** The engine's words for it, with which a failed command's message ends. */
const outOfBounds = 'memory access out of bounds';

/** What follows a failed command's message: a hint at `command`, or nothing if the checker would not know more. */
export function checkHint(message: string, command: string): string {
  return message.endsWith(outOfBounds) ? ` (${command} says where)` : '';
}
