/**
 * What is said of a kernel that trapped: the engine's words and, where it reached outside of all memory, which access of the source that was,
 * through which argument. Engines tell at which byte of the module it happened in the trace of the error; the table of accesses
 * (codegen/wasm/memory/access-table.ts) knows the rest. All of it is done after the trap.
 */

import { type AccessTable, accessAt } from '../../codegen/wasm/memory/access-table.ts';
import { sizesAt, type WasmProgram } from '../../codegen/wasm/module/abi.ts';
import { hasSizes } from './launch-encoding.ts';

/** What is kept of a part of a program for such messages. */
export interface AccessNotes {
  readonly table: AccessTable | undefined;
  /** For each kernel where its launch block has the sizes of its arguments; 0 if it has none. */
  readonly sizesAt: readonly number[];
}

export function accessNotes({ accesses, kernels }: WasmProgram): AccessNotes {
  return {
    table: accesses,
    sizesAt: kernels.map((code) => (hasSizes(code) ? sizesAt(code.argumentBytes) : 0)),
  };
}

/** Who knows more: kernels are asked there about each access. The command says it of its own options (cli/check-hint.ts). */
const checker = 'millrace check';

/** The words of V8, SpiderMonkey and JavaScriptCore for an address beyond the memory's end. */
const outOfBounds = /out.of.bounds/i;

/** As V8 and SpiderMonkey write places in WebAssembly; the innermost comes first. */
const modulePlace = /wasm-function\[\d+\]:0x([0-9a-f]+)/;

/**
 * @param notes gives those of the module
 * @param kernel the number of the kernel that the host launched; undefined for one that a kernel did
 * @param block its launch block, in words
 */
export function trapMessage(
  error: unknown,
  notes: () => AccessNotes,
  kernel: number | undefined,
  block: () => Int32Array,
): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof WebAssembly.RuntimeError) || !outOfBounds.test(error.message)) return error.message;
  const at = modulePlace.exec(error.stack ?? '')?.[1];
  const known = at === undefined ? undefined : notes();
  const site = known?.table && accessAt(known.table, Number.parseInt(at!, 16));
  if (!site) return `${error.message} (${checker} says where)`;
  const { what, root, place } = site;
  let through = '';
  if (root?.kind === 'variable') through = ` of variable '${root.name}'`;
  else if (root) {
    const start = kernel === undefined ? 0 : known.sizesAt[kernel]!;
    const bytes = start === 0 ? undefined : block()[(start >> 2) + root.index]! >>> 0;
    const size = bytes === undefined ? '' : bytes === 0 ? ', a null pointer' : `, which has ${bytes} bytes`;
    through = ` through argument ${root.index}, '${root.name}'${size}`;
  }
  const article = /^[aeiou]/.test(what) ? 'an' : 'a';
  return `${error.message}: ${article} ${what}${place ? ` at ${place}` : ''}${through} (${checker} says more)`;
}
