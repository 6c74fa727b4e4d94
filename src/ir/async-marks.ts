/**
 * The library functions by which a program tells of its async copies (OpenCL 1.2, 6.12.10). They do nothing; passes that want to
 * know look at the calls before these are inlined.
 */
export const asyncMarks = {
  /** Where to and where from, as numbers, elements, event. Result: the event. The loop that copies follows. */
  copy: '__millrace_async_copy',
  /** An event that is waited for; the barrier follows. */
  wait: '__millrace_async_wait',
} as const;
