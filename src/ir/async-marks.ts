/**
 * The library functions by which a program tells of its async copies (OpenCL 1.2, 6.12.10), and of barriers whose flags only a run
 * knows. They do nothing; passes that want to know look at the calls before these are inlined.
 */
export const asyncMarks = {
  /**
   * Where to and where from, as numbers, elements, event; bytes of an element, and from one to the next on either side. Result: the
   * event. The loop that copies follows.
   */
  copy: '__millrace_async_copy',
  /** An event that is waited for, or {@link everyEvent}; the barrier follows. */
  wait: '__millrace_async_wait',
} as const;

/** What is waited for where the program does not say outright which events: all that there are. */
export const everyEvent = -1;

/** The flags of the barrier that follows, which is for all memory to those who do not look at them. */
export const barrierFlagsMark = '__millrace_barrier_flags';
