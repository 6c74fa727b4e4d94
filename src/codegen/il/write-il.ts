/**
 * IR to AMD IL: a kernel in work-item form becomes a compute program (`il_cs_2_0`), whatever language it came from. docs/il.md tells how buffers,
 * arguments and the launch reach it ({@link IlProgram}). What IL has no words for is an {@link IlWriteError} with its place.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { KernelWriter } from './kernel-writer.ts';
import { IlWriteError } from './places.ts';

export { IlWriteError } from './places.ts';

/** How an argument of the kernel reaches the program. */
export type IlArgument =
  /** A buffer: the uav of this number. */
  | { readonly kind: 'uav'; readonly id: number }
  /** A number, vector or struct: its bytes from this element of cb1 on. */
  | { readonly kind: 'constants'; readonly element: number; readonly bytes: number }
  /** Group memory of the host's choice: so many bytes were kept for it. */
  | { readonly kind: 'local'; readonly bytes: number };

export interface IlProgram {
  readonly text: string;
  /** One for each parameter of the kernel. */
  readonly arguments: readonly IlArgument[];
  /** Elements of cb1; 0 if the program has none. */
  readonly constants: number;
  readonly groupSize: readonly [number, number, number];
}

export interface IlOptions {
  /** Work-items of a group where the kernel does not say it; default 64 in a row. */
  readonly groupSize?: readonly [number, number, number] | undefined;
  /** Bytes for each parameter that is a pointer to local memory; default 4096. */
  readonly localBytes?: number | undefined;
}

/**
 * Writes a kernel, all of whose calls have been inlined.
 * @throws IlWriteError
 */
export function writeIl(kernel: ir.Function, options: IlOptions = {}): IlProgram {
  let place: ir.Instruction['span'];
  walkFunction(kernel, (instruction) => {
    place ??= instruction.span;
    refuseTypes(instruction);
  });
  try {
    return new KernelWriter(kernel, options).write();
  } catch (error) {
    // what concerns the kernel as a whole is told at its beginning
    if (error instanceof IlWriteError && !error.span)
      throw new IlWriteError(error.message, kernel.span ?? place);
    throw error;
  }
}

function refuseTypes({ results, operands, span }: ir.Instruction): void {
  for (const { type } of [...results, ...operands]) {
    if (isHalf(type)) throw new IlWriteError('IL does not compute with halves', span);
  }
}

function isHalf(type: Type): boolean {
  const element = elementOf(type);
  return element.kind === 'float' && element.bits === 16;
}
