/** What plain kernels do not need of the front end: filled when Millrace is built, see rest.ts. */

export const functions: readonly unknown[] = [];
