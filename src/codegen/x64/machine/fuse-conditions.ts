/**
 * Takes conditions from the flags that logic leaves, where stack code makes a number of them first and tests it:
 *
 *     setge b1                 setge b1
 *     movzx v1, b1             sete  b2                 and  v1, 4             test v1, 4
 *     sete  b2                 or    b1, b2             test v1, v1            jne  L1
 *     movzx v2, b2             je    L1                 jne  L1
 *     or    v1, v2       =>                                              =>
 *     test  v1, v1
 *     je    L1
 *
 * A processor that guessed wrong goes on when the jump is known, so each instruction before it counts. It comes before copies are followed
 * (copy-propagation.ts): what is only tested is not written, and needs no copy.
 */
import { type GeneralRegister, general, type Operand } from '../assembler/instruction.ts';
import { countAccesses } from './access-counts.ts';
import { flagReaders, flagSetter } from './flags.ts';
import type { MachineFunction } from './function.ts';
import {
  endsBlock,
  firstVirtual,
  isSameRegister,
  type MachineItem,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  writes,
} from './operation.ts';

/** Leaves the flags that a test of its result would leave. */
const isLogic = ofMnemonic((mnemonic) => /^(and|or|xor)$/.test(mnemonic));
/** Leaves those of them that say whether the result is zero. */
const isSum = ofMnemonic((mnemonic) => /^(add|sub)$/.test(mnemonic));
/** Asks for nothing else. */
const asksForZero = ofMnemonic((mnemonic) => /^(j|set|cmov)n?e$/.test(mnemonic));

export function fuseConditions(fn: MachineFunction): void {
  const fusing = new Fusing(fn);
  fn.items.forEach((item, at) => {
    if (item.kind === 'operation' && item.instruction.mnemonic === 'test') fusing.visit(item, at);
  });
  if (fusing.isLeftOut.includes(1)) fn.items = fn.items.filter((_, at) => fusing.isLeftOut[at] === 0);
}

class Fusing {
  readonly isLeftOut: Uint8Array;
  readonly #items: readonly MachineItem[];
  /** By number: how many operands read and write a register. */
  readonly #readers: Int32Array;
  readonly #writers: Int32Array;

  constructor(fn: MachineFunction) {
    this.#items = fn.items;
    this.isLeftOut = new Uint8Array(fn.items.length);
    ({ readers: this.#readers, writers: this.#writers } = countAccesses(fn));
  }

  /** Takes a test of one register out, if what made its value has left the same in the flags. */
  visit({ instruction: { operands } }: MachineOperation, at: number): void {
    const [tested, other] = operands as [Operand, Operand];
    if (!isVirtual(tested) || !isSameRegister(tested, other)) return;
    const place = flagSetter(this.#items, at);
    const maker = place === undefined ? undefined : this.#items[place];
    if (maker?.kind !== 'operation') return;
    const { mnemonic, operands: made } = maker.instruction;
    if (!isSameRegister(made[0]!, tested) || this.#isWritten(tested.number, place! + 1, at)) return;
    const readers = flagReaders(this.#items, at);
    const isZeroAsked = readers.every((reader) => asksForZero(this.#mnemonicAt(reader)));
    if (!isLogic(mnemonic) && !(isSum(mnemonic) && isZeroAsked)) return;
    this.isLeftOut[at] = 1;
    this.#readers[tested.number]! -= 2;
    // Nothing but what makes it reads it: the number itself is not wanted.
    const { number } = tested;
    if (this.#readers[number] !== this.#writers[number]! - 1 || !isZeroAsked) return;
    const edits: (() => void)[] = [];
    if (this.#asByte(number, at, edits) !== undefined) for (const edit of edits) edit();
    else if (mnemonic === 'and') maker.instruction = { ...maker.instruction, mnemonic: 'test' };
  }

  #mnemonicAt(at: number): string {
    return (this.#items[at] as MachineOperation).instruction.mnemonic;
  }

  #isWritten(number: number, from: number, end: number): boolean {
    const place = this.#writerBefore(number, end);
    return place !== undefined && place >= from;
  }

  /** The place of what last writes a register before a place of the same block. */
  #writerBefore(number: number, before: number): number | undefined {
    for (let at = before - 1; at >= 0; at -= 1) {
      const item = this.#items[at]!;
      if (item.kind === 'label' || endsBlock(item.instruction.mnemonic)) return undefined;
      if (item.accesses.some((access) => access >> numberShift === number && (access & writes) !== 0))
        return at;
    }
    return undefined;
  }

  /**
   * The register in whose lowest byte what a register is before a place can be, if that is a condition, or several that are put together, and
   * nobody else wants it.
   * @param edits is given what changes the code so
   */
  #asByte(number: number, before: number, edits: (() => void)[]): number | undefined {
    const at = this.#writerBefore(number, before);
    if (at === undefined) return undefined;
    const item = this.#items[at] as MachineOperation;
    const { mnemonic, operands } = item.instruction;
    const [, from] = operands;
    if (from === undefined || !isVirtual(from)) return undefined;
    const leaveOut = (): void => {
      this.isLeftOut[at] = 1;
    };
    switch (mnemonic) {
      case 'movzx': {
        const isOnly = this.#writers[from.number] === 1 && this.#readers[from.number] === 1;
        const set = isOnly ? this.#writerBefore(from.number, at) : undefined;
        if (set === undefined || !this.#mnemonicAt(set).startsWith('set')) return undefined;
        edits.push(leaveOut);
        return from.number;
      }
      case 'mov':
        edits.push(leaveOut);
        return this.#onlyAsByte(from.number, at, edits);
      case 'or':
      case 'and': {
        const one = this.#asByte(number, at, edits);
        const other = one === undefined ? undefined : this.#onlyAsByte(from.number, at, edits);
        if (one === undefined || other === undefined) return undefined;
        edits.push(() => {
          item.instruction = { ...item.instruction, operands: [general(one, 8), general(other, 8)] };
        });
        return one;
      }
      default:
        return undefined;
    }
  }

  /** The same of what one operation reads, besides those that make it. */
  #onlyAsByte(number: number, before: number, edits: (() => void)[]): number | undefined {
    if (this.#readers[number] !== this.#writers[number]) return undefined;
    return this.#asByte(number, before, edits);
  }
}

function isVirtual(operand: Operand): operand is GeneralRegister {
  return operand.kind === 'general' && operand.number >= firstVirtual;
}
