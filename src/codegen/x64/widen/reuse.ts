/**
 * Within a block, numbers are computed once: an operation on general registers whose result some register has already becomes a copy, reads of copies read
 * what was copied, and what nobody reads is left out. Stack code computes the address of each part of a vector anew, as engines find that out
 * by themselves.
 */
import {
  general,
  type Instruction,
  instruction,
  type Operand,
  type VectorRegister,
} from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import {
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  roleOf,
  visitRegisters,
} from '../machine/operation.ts';

const computed = /^(add|sub|imul|and|or|xor|shl|shr|sar|mov|movzx|movsx|movsxd|lea|neg|not)$/;
const readsFlags = /^(set|j|cmov|adc|sbb|rcl|rcr)/;
const endsBlock = /^(j|ret|ud2|call)/;

export function reuseNumbers(fn: MachineFunction): void {
  const block = new Block();
  fn.items.forEach((item, at) => {
    if (item.kind === 'label') block.clear();
    else {
      block.visit(fn, item, fn.items[at + 1]);
      if (item.isCall || endsBlock.test(item.instruction.mnemonic)) block.clear();
    }
  });
  leaveOutUnread(fn);
}

class Block {
  /** The numbers of values, by what they are; and those in registers now. */
  readonly #values = new Map<string, number>();
  readonly #valueOf = new Map<number, number>();
  /** A register for each value, which may have another one meanwhile. */
  readonly #holderOf = new Map<number, number>();
  #next = 0;

  clear(): void {
    this.#values.clear();
    this.#valueOf.clear();
    this.#holderOf.clear();
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
    if (value === undefined) return register;
    const holder = this.#holderOf.get(value);
    if (holder === undefined || this.#valueOf.get(holder) !== value) return register;
    // Reads of a register of 64 bits may want all of them.
    return bitsOf(fn, holder) === bitsOf(fn, register) ? holder : register;
  }

  visit(fn: MachineFunction, item: MachineOperation, next: MachineItem | undefined): void {
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
    const key = this.#keyOf(one.operands, one.mnemonic);
    const [to] = one.operands;
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
      const isRead = next?.kind === 'operation' && readsFlags.test(next.instruction.mnemonic);
      if (
        isHeld &&
        one.mnemonic !== 'mov' &&
        !isRead &&
        bitsOf(fn, holder) === bitsOf(fn, to.number) &&
        to.bits === bitsOf(fn, to.number)
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
    visitRegisters(item.instruction, (kind, number, role) => {
      if ((kind === 'general' || number >= firstVirtual) && role !== 'use') this.#valueOf.delete(number);
    });
    for (const number of item.implicitDefinitions) this.#valueOf.delete(number);
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
    const isRead = (index: number): boolean => roleOf(item.instruction, index) === 'use';
    item.instruction = {
      ...item.instruction,
      operands: operands.map((operand, index): Operand => {
        if (operand.kind === 'general' && operand.number >= firstVirtual && isRead(index)) {
          return { ...operand, number: this.#oldest(fn, operand.number) };
        }
        if (operand.kind === 'vector' && operand.number >= firstVirtual && isRead(index)) {
          return { ...operand, number: this.#oldest(fn, operand.number) };
        }
        if (operand.kind !== 'memory') return operand;
        const { base, index: scaled } = operand;
        return {
          ...operand,
          ...(base && base.number >= firstVirtual
            ? { base: { ...base, number: this.#oldest(fn, base.number) } }
            : {}),
          ...(scaled && scaled.kind === 'general' && scaled.number >= firstVirtual
            ? { index: { ...scaled, number: this.#oldest(fn, scaled.number) } }
            : {}),
        };
      }),
    };
  }

  /** What an operation computes; undefined if it is none that is known, or not on virtual registers alone. */
  #keyOf(operands: readonly Operand[], mnemonic: string): string | undefined {
    // Of one operand there is a form of imul that writes others.
    if (!computed.test(mnemonic) || (mnemonic === 'imul' && operands.length === 1)) return undefined;
    const [to] = operands;
    if (to?.kind !== 'general' || to.number < firstVirtual) return undefined;
    // Parts of registers stay as they are.
    if (to.bits < 32) return undefined;
    const words: (string | number)[] = [mnemonic, to.bits];
    const role = roleOf({ mnemonic, operands }, 0);
    if (role === 'modify') words.push(`r${this.#value(to.number)}`);
    for (const operand of operands.slice(1)) {
      if (operand.kind === 'immediate') words.push(`i${operand.value}`);
      else if (operand.kind === 'general' && operand.number >= firstVirtual) {
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

const removable = /^(add|sub|imul|and|or|xor|shl|shr|sar|mov|movzx|movsx|movsxd|lea|neg|not)$|^vmovaps$/;

/** Leaves out what computes a virtual register that is read nowhere but to compute itself. */
function leaveOutUnread(fn: MachineFunction): void {
  for (;;) {
    const read = new Set<number>();
    for (const item of fn.items) {
      if (item.kind === 'label') continue;
      const [to] = item.instruction.operands;
      visitRegisters(item.instruction, (_, number, role) => {
        const isOwn =
          role === 'modify' &&
          to?.kind !== 'memory' &&
          (to as { number?: number } | undefined)?.number === number;
        if (role !== 'define' && !(isOwn && removable.test(item.instruction.mnemonic))) read.add(number);
      });
    }
    const kept = fn.items.filter((item, at) => {
      if (item.kind === 'label' || item.isCall || !removable.test(item.instruction.mnemonic)) return true;
      const [to, from] = item.instruction.operands;
      if (from?.kind === 'memory' && item.instruction.mnemonic !== 'lea') return true;
      if (to?.kind !== 'general' && to?.kind !== 'vector') return true;
      const next = fn.items[at + 1];
      if (next?.kind === 'operation' && readsFlags.test(next.instruction.mnemonic)) return true;
      return to.number < firstVirtual || read.has(to.number);
    });
    if (kept.length === fn.items.length) return;
    fn.items.length = 0;
    fn.items.push(...kept);
  }
}
