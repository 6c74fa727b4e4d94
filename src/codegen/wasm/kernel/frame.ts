/**
 * Where variables lie in a thread's area (see `abi.ts`). Calls never recur, so every function's variables have a fixed
 * place: those of helper functions come first and are shared by all kernels of the module, then the
 * kernel's own, then its context arrays, one cell a work-item.
 */
import type * as ir from '../../../ir/ir.ts';
import { sizeOf, type Type } from '../../../ir/types.ts';
import { defaultMaskBits } from './value-layout.ts';

/**
 * One context array: its first byte is at fixedBytes + offset * items, its cells are `stride` bytes apart; what lies by
 * elements has cells of one element, and work-item loops of them for each.
 */
export interface ContextArray {
  readonly offset: number;
  readonly stride: number;
}

export interface Frame {
  /** Byte offsets of variables in the area. */
  readonly variables: ReadonlyMap<ir.Instruction, number>;
  /** Of context arrays and of `perItem` variables. */
  readonly arrays: ReadonlyMap<ir.Instruction, ContextArray>;
  /** Where this function's variables end, and before that its private ones. */
  readonly end: number;
  readonly privateEnd: number;
  readonly localBytes: number;
  readonly privateBytes: number;
  readonly perItemBytes: number;
  /** Sixteen bytes that are written and never read; see `instruction-order.ts` and `masked-stores.ts`. */
  readonly scratch?: number;
}

/** Places a function's variables from `start` on. */
export function layOutFrame(instructions: Iterable<ir.Instruction>, start: number): Frame {
  const variables = new Map<ir.Instruction, number>();
  const cells: { instruction: ir.ContextArray | ir.Variable; size: number; align: number }[] = [];
  let end = start;
  let localBytes = 0;
  let privateBytes = 0;
  const locals: ir.Variable[] = [];
  const place = (variable: ir.Variable): void => {
    const at = roundUp(end, variable.align);
    variables.set(variable, at);
    end = at + variable.size;
  };
  for (const instruction of instructions) {
    if (instruction.op === 'context_array' && instruction.combine) continue;
    if (instruction.op === 'context_array') {
      const size = cellSize(instruction.type);
      cells.push({ instruction, size, align: size & -size });
    } else if (instruction.op === 'variable') {
      if (instruction.space === 'local') localBytes += instruction.size;
      else privateBytes += instruction.size;
      if (instruction.perItem) cells.push({ instruction, size: instruction.size, align: instruction.align });
      else if (instruction.space === 'local') locals.push(instruction);
      else place(instruction);
    }
  }
  // Where an address lies says what it leads to (address-spaces.ts).
  const privateEnd = end;
  for (const variable of locals) place(variable);
  // Descending alignment keeps every array aligned for any number of work-items.
  cells.sort((a, b) => b.align - a.align);
  const arrays = new Map<ir.Instruction, ContextArray>();
  let perItemBytes = 0;
  for (const { instruction, size, align } of cells) {
    const bytes = roundUp(size, align);
    const elementSize = instruction.op === 'variable' ? instruction.elementSize : undefined;
    arrays.set(instruction, { offset: perItemBytes, stride: elementSize ?? bytes });
    perItemBytes += bytes;
  }
  return { variables, arrays, end, privateEnd, localBytes, privateBytes, perItemBytes };
}

/** Bytes of a context array's cell; a mask is kept with its lanes at the default width. */
function cellSize(type: Type): number {
  if (type.kind === 'vector' && type.element.kind === 'bool') return (type.lanes * defaultMaskBits) / 8;
  return sizeOf(type);
}

export function roundUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}
