/** Whether a cache has the code for a launch, which needs not be compiled then. */
import type { KernelArgument } from '../../runtime/command.ts';
import { knownHandlesOf, wordOf } from './known-arguments.ts';
import type { WasmKernel } from './wasm-program.ts';

/** The code of a part, if it is kept: by what is known of launches, in a word, and by that of another compiler, if it is one's. */
export type IsKept = (part: number, known?: string, other?: string) => Uint8Array | undefined;

export function isKeptFor(
  kernel: WasmKernel,
  values: readonly KernelArgument[],
  local: readonly number[] | null | undefined,
  isKept: IsKept,
): boolean {
  const handles = knownHandlesOf(values);
  const rowLength = kernel.rowLengthFor(local);
  return [undefined, ...(handles ? [handles] : [])].some((known) =>
    [undefined, ...(rowLength ? [rowLength] : [])].some((length) =>
      [false, true].some((rows) => isKept(kernel.partNumber, wordOf(known, rows, length)) !== undefined),
    ),
  );
}
