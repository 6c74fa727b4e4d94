/** What plain kernels do not need of the passes and the code generator: filled when Millrace is built, see rest.ts. */

export const functions: readonly unknown[] = [];
