/**
 * Value numbering: until control may come from elsewhere, values are computed once: an operation on registers whose result some register has already becomes a copy, and
 * reads of copies read what was copied. Behind a jump that is not taken all of this still holds. Stack code computes the address of each part of a vector
 * anew, and each comparison for whoever asks, as engines find that out by themselves.
 */
import {
  general,
  type Instruction,
  instruction,
  type Operand,
  type VectorRegister,
} from '../assembler/instruction.ts';
import { givesFlags } from './flags.ts';
import type { MachineFunction } from './function.ts';
import {
  firstVirtual,
  isOfVector,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  onlyGivesVector,
  roleOf,
  setsConstant,
  writes,
} from './operation.ts';

const isComputed = ofMnemonic((mnemonic) =>
  /^(add|sub|imul|and|or|xor|shl|shr|sar|mov|movzx|movsx|movsxd|lea|neg|not|vmov[dq]|vmovmskp[sd]|vpmovmskb|vpextr[bwdq])$/.test(
    mnemonic,
  ),
);

const constantWord = 'constant';

export function localValueNumbering(fn: MachineFunction): void {
  const block = new ExtendedBlock();
  fn.items.forEach((item, at) => {
    if (item.kind === 'label') block.clear();
    else block.visit(fn, item, at);
  });
}

/** What is known in an extended basic block. */
class ExtendedBlock {
  /** The numbers of values, by what they are; and those in registers now. */
  readonly #values = new Map<string, number>();
  readonly #valueOf = new Map<number, number>();
  /** A register for each value, which may have another one meanwhile. */
  readonly #holderOf = new Map<number, number>();
  /** Constants: making one again costs no more than a register for it. */
  readonly #constants = new Set<number>();
  #next = 0;

  clear(): void {
    this.#values.clear();
    this.#valueOf.clear();
    this.#holderOf.clear();
    this.#constants.clear();
  }

  #value(register: number): number {
    let found = this.#valueOf.get(register);
    if (found === undefined) {
      found = this.#next++;
      this.#valueOf.set(register, found);
      this.#holderOf.set(found, register);
    }
    return found;
  }

  /** The first register that has the value of this one. */
  #oldest(fn: MachineFunction, register: number): number {
    const value = this.#valueOf.get(register);
    if (value === undefined || this.#constants.has(value)) return register;
    const holder = this.#holderOf.get(value);
    if (holder === undefined || this.#valueOf.get(holder) !== value) return register;
    // Reads of a register of 64 bits may want all of them.
    return bitsOf(fn, holder) === bitsOf(fn, register) ? holder : register;
  }

  visit(fn: MachineFunction, item: MachineOperation, at: number): void {
    this.#readCopied(fn, item);
    const one = item.instruction;
    if (isVectorCopy(fn, one)) {
      const [to, from] = one.operands as readonly VectorRegister[];
      const value = this.#value(from!.number);
      this.#valueOf.set(to!.number, value);
      const holder = this.#holderOf.get(value)!;
      if (this.#valueOf.get(holder) !== value) this.#holderOf.set(value, to!.number);
      return;
    }
    const [to] = one.operands;
    if (to?.kind === 'vector') {
      const vectorKey = this.#vectorKeyOf(one, to);
      if (vectorKey !== undefined) {
        this.#visitVector(fn, item, vectorKey, to);
        return;
      }
    }
    const key = this.#keyOf(one.operands, one.mnemonic);
    if (key !== undefined && to?.kind === 'general') {
      let value = this.#values.get(key);
      if (value === undefined) {
        // A copy has the value of what is copied.
        value = isWholeCopy(fn, one)
          ? this.#value((one.operands[1] as { number: number }).number)
          : this.#next++;
        this.#values.set(key, value);
      }
      const holder = this.#holderOf.get(value);
      const isHeld = holder !== undefined && this.#valueOf.get(holder) === value && holder !== to.number;
      if (
        isHeld &&
        one.mnemonic !== 'mov' &&
        bitsOf(fn, holder) === bitsOf(fn, to.number) &&
        to.bits === bitsOf(fn, to.number) &&
        !givesFlags(fn.items, at)
      ) {
        item.instruction = {
          ...instruction('mov', to, general(holder, to.bits)),
          ...(one.line === undefined ? {} : { line: one.line }),
        };
      }
      this.#valueOf.set(to.number, value);
      if (!isHeld) this.#holderOf.set(value, to.number);
      return;
    }
    for (const access of item.accesses) {
      const number = access >> numberShift;
      if ((access & writes) === 0 || ((access & isOfVector) !== 0 && number < firstVirtual)) continue;
      this.#valueOf.delete(number);
    }
    for (const number of item.implicitDefinitions) this.#valueOf.delete(number);
  }

  /** An operation that does nothing but compute a vector register. */
  #visitVector(fn: MachineFunction, item: MachineOperation, key: string, to: VectorRegister): void {
    let value = this.#values.get(key);
    if (value === undefined) {
      value = this.#next++;
      this.#values.set(key, value);
      if (key.startsWith(constantWord)) this.#constants.add(value);
    }
    const holder = this.#holderOf.get(value);
    const isHeld = holder !== undefined && this.#valueOf.get(holder) === value && holder !== to.number;
    if (isHeld && !this.#constants.has(value) && bitsOf(fn, holder) === bitsOf(fn, to.number)) {
      const { line } = item.instruction;
      const copy = instruction('vmovaps', to, { ...to, number: holder });
      item.instruction = line === undefined ? copy : { ...copy, line };
    }
    this.#valueOf.set(to.number, value);
    if (!isHeld) this.#holderOf.set(value, to.number);
  }

  /** Lets an operation read what a register was copied from. */
  #readCopied(fn: MachineFunction, item: MachineOperation): void {
    const { operands } = item.instruction;
    const [first] = operands;
    // What makes a constant of itself reads nothing.
    if (
      first?.kind === 'vector' &&
      operands.every((one) => one.kind === 'vector' && one.number === first.number)
    )
      return;
    let copied: Operand[] | undefined;
    for (let index = 0; index < operands.length; index += 1) {
      const before = operands[index]!;
      const after = this.#copiedFrom(fn, item.instruction, before, index);
      if (after === before) continue;
      copied ??= [...operands];
      copied[index] = after;
    }
    if (copied) item.instruction = { ...item.instruction, operands: copied };
  }

  #copiedFrom(fn: MachineFunction, one: Instruction, operand: Operand, index: number): Operand {
    if (operand.kind === 'general' || operand.kind === 'vector') {
      if (operand.number < firstVirtual || roleOf(one, index) !== 'use') return operand;
      const number = this.#oldest(fn, operand.number);
      return number === operand.number ? operand : { ...operand, number };
    }
    if (operand.kind !== 'memory') return operand;
    const { base, index: scaled } = operand;
    const baseNumber = base && base.number >= firstVirtual ? this.#oldest(fn, base.number) : base?.number;
    const scaledNumber =
      scaled && scaled.kind === 'general' && scaled.number >= firstVirtual
        ? this.#oldest(fn, scaled.number)
        : scaled?.number;
    if (baseNumber === base?.number && scaledNumber === scaled?.number) return operand;
    return {
      ...operand,
      ...(base && { base: { ...base, number: baseNumber! } }),
      ...(scaled && { index: { ...scaled, number: scaledNumber! } }),
    };
  }

  /** What an operation computes in a vector register; undefined if it is none that is known. What is a constant begins with {@link constantWord}. */
  #vectorKeyOf(one: Instruction, to: VectorRegister): string | undefined {
    const { mnemonic, operands, mask, rounding } = one;
    if (!onlyGivesVector(mnemonic) || mask || rounding || to.number < firstVirtual) return undefined;
    const role = roleOf(one, 0);
    if (role === 'use') return undefined;
    if (setsConstant(one)) return `${constantWord} ${mnemonic} ${to.bits}`;
    const words: (string | number)[] = [mnemonic, to.bits];
    if (role === 'modify') words.push(`r${this.#value(to.number)}`);
    let isOfRegisters = role === 'modify';
    for (const operand of operands.slice(1)) {
      if (operand.kind === 'immediate') words.push(`i${operand.value}`);
      else if (operand.kind === 'memory' && operand.constant !== undefined)
        words.push(`c${operand.constant}.${operand.offset ?? 0}.${operand.bits}`);
      else if (operand.kind === 'vector' || operand.kind === 'general') {
        if (operand.number < firstVirtual || operand.number === to.number) return undefined;
        words.push(`${operand.kind[0]}${this.#value(operand.number)}.${operand.bits}`);
        isOfRegisters = true;
      } else return undefined;
    }
    return isOfRegisters ? words.join(' ') : `${constantWord} ${words.join(' ')}`;
  }

  /** What an operation computes; undefined if it is none that is known, or not on virtual registers alone. */
  #keyOf(operands: readonly Operand[], mnemonic: string): string | undefined {
    // Of one operand there is a form of imul that writes others.
    if (!isComputed(mnemonic) || (mnemonic === 'imul' && operands.length === 1)) return undefined;
    const [to] = operands;
    if (to?.kind !== 'general' || to.number < firstVirtual) return undefined;
    // Parts of registers stay as they are.
    if (to.bits < 32) return undefined;
    const words: (string | number)[] = [mnemonic, to.bits];
    const role = roleOf({ mnemonic, operands }, 0);
    if (role === 'modify') words.push(`r${this.#value(to.number)}`);
    for (const operand of operands.slice(1)) {
      if (operand.kind === 'immediate') words.push(`i${operand.value}`);
      else if ((operand.kind === 'general' || operand.kind === 'vector') && operand.number >= firstVirtual) {
        words.push(`r${this.#value(operand.number)}.${operand.bits}`);
      } else if (operand.kind === 'memory' && mnemonic === 'lea' && operand.constant === undefined) {
        const { base, index, scale = 1, offset = 0 } = operand;
        for (const part of [base, index]) {
          if (part && (part.kind !== 'general' || part.number < firstVirtual)) return undefined;
        }
        words.push(
          base ? `b${this.#value(base.number)}` : '',
          index ? `x${this.#value(index.number)}*${scale}` : '',
          offset,
        );
      } else return undefined;
    }
    return words.join(' ');
  }
}

function isVectorCopy(fn: MachineFunction, { mnemonic, operands: [to, from] }: Instruction): boolean {
  if (mnemonic !== 'vmovaps' || to?.kind !== 'vector' || from?.kind !== 'vector') return false;
  if (to.number < firstVirtual || from.number < firstVirtual || to.number === from.number) return false;
  return bitsOf(fn, to.number) === bitsOf(fn, from.number);
}

/** A copy of a register as a whole to one of its size. */
function isWholeCopy(fn: MachineFunction, { mnemonic, operands: [to, from] }: Instruction): boolean {
  if (mnemonic !== 'mov' || to?.kind !== 'general' || from?.kind !== 'general') return false;
  return to.bits === bitsOf(fn, to.number) && from.bits === bitsOf(fn, from.number) && to.bits === from.bits;
}

function bitsOf(fn: MachineFunction, number: number): number {
  return number >= firstVirtual ? fn.registers[number - firstVirtual]!.bits : 0;
}
