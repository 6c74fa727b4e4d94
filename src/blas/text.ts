/** Pieces of kernels' texts. */

/** A kernel with its parameters. */
export const kernelText = (
  prologue: string,
  name: string,
  parameters: readonly string[],
  body: string,
): string => `${prologue}kernel void ${name}(${parameters.join(', ')}) {\n${body}}\n`;

export const roundUp = (count: number, to: number): number => Math.ceil(count / to) * to;

/** `text` for each of the numbers from 0 on. */
export const each = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
