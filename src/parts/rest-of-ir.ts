/** What plain kernels do not need of the IR: filled when Millrace is built, see rest.ts. */

export const functions: readonly unknown[] = [];
