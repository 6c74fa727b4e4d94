/**
 * What an engine throws where it has no more of something. Compilers follow nested programs by recursion. There are limits on nesting, but how much of the stack is left nobody knows
 * beforehand: a program that takes all of it is too deeply nested, and no fault of the compiler.
 */

/** Whether an error says that no stack is left: a RangeError, or in SpiderMonkey an InternalError. */
export function isStackFull(error: unknown): boolean {
  return error instanceof Error && /maximum call stack|too much recursion/i.test(error.message);
}

/** Whether an error says that there was no memory for an array. */
export function isMemoryFull(error: unknown): boolean {
  return error instanceof RangeError && /alloc|out of memory/i.test(error.message);
}
