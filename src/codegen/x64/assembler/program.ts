/**
 * A program as a list of instructions with labels and constants. The function selector (select/) writes it; assemble.ts turns it into bytes.
 */
import type { Instruction } from './instruction.ts';

/** An element of a program: an instruction, the place of a label, or a boundary to which the next one is aligned. */
export type ProgramItem =
  | { readonly kind: 'instruction'; readonly instruction: Instruction }
  | { readonly kind: 'label'; readonly label: number }
  | { readonly kind: 'align'; readonly bytes: number };

/** A constant in the pool: its bytes, and the boundary that it begins at. */
export interface Constant {
  readonly bytes: Uint8Array;
  readonly alignment: number;
}

/** What is assembled: items in order, and a pool of constants behind them. */
export class Program {
  readonly items: ProgramItem[] = [];
  readonly constants: Constant[] = [];
  #labels = 0;
  readonly #numbers = new Map<string, number>();

  /** Labels made so far. */
  get labelCount(): number {
    return this.#labels;
  }

  /** A label that `place` will give a place. */
  newLabel(): number {
    return this.#labels++;
  }

  /** The label names the place of what is appended next. */
  place(label: number): void {
    this.items.push({ kind: 'label', label });
  }

  /** What is appended next begins at a multiple of so many bytes (a power of two up to 64) from the program's beginning. */
  align(bytes: number): void {
    this.items.push({ kind: 'align', bytes });
  }

  append(...instructions: Instruction[]): void {
    for (const instruction of instructions) {
      this.items.push({ kind: 'instruction', instruction });
    }
  }

  /** The number of a constant, for `MemoryOperand.constant`. Equal bytes are one constant, at the greatest alignment asked for. */
  constant(bytes: Uint8Array, alignment = bytes.length): number {
    const key = bytes.join(',');
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      if (this.constants[known]!.alignment < alignment) {
        this.constants[known] = { bytes, alignment };
      }
      return known;
    }
    this.constants.push({ bytes, alignment });
    this.#numbers.set(key, this.constants.length - 1);
    return this.constants.length - 1;
  }
}

/** Bytes that run wherever they are put: addresses in them are relative. The constants are part of them. */
export interface MachineCode {
  readonly bytes: Uint8Array;
  /** Where the pool of constants begins; code before it. */
  readonly constantsAt: number;
  /** Where each constant is, by its number. */
  readonly constants: readonly number[];
  /** Where each label is, by its number; -1 for one that was not placed. */
  readonly labels: readonly number[];
  /** Where each item of the program begins, for the listing. */
  readonly places: readonly number[];
}
