/**
 * What the operand stack of stack code holds while a function is selected: values in virtual registers, numbers that wait for
 * their use, sums that wait for what else is added, comparisons that wait for a jump or a select to take their flags.
 */

import type { WasmType } from '../../wasm/module/encoder.ts';
import {
  type GeneralRegister,
  general,
  immediate,
  instruction,
  type MemoryOperand,
  memory,
  type Operand,
  type VectorRegister,
  vector,
} from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';

export type Entry =
  /** `local`: the register is that of a local, which may be written before the entry is used. */
  | { readonly kind: 'register'; readonly type: WasmType; readonly number: number; readonly local: boolean }
  /** An i32 or i64. */
  | { readonly kind: 'number'; readonly type: 'i32' | 'i64'; readonly value: bigint }
  /** Bits of an f32 or f64, bytes of a v128. */
  | { readonly kind: 'bytes'; readonly type: 'f32' | 'f64' | 'v128'; readonly bytes: Uint8Array }
  /** An i32: base + index * scale + offset, modulo 2^32; one of the registers may be missing. */
  | Sum
  /** An i32, 0 or 1: the instruction sets flags that the condition reads. */
  | {
      readonly kind: 'flags';
      readonly type: 'i32';
      readonly mnemonic: string;
      readonly operands: readonly Operand[];
      readonly condition: string;
    };

/** A register in a sum. `local` as above. */
export interface Term {
  readonly number: number;
  readonly local: boolean;
}

/** What one `lea` computes. */
export interface Sum {
  readonly kind: 'sum';
  readonly type: 'i32';
  readonly base?: Term | undefined;
  readonly index?: Term | undefined;
  readonly scale: 1 | 2 | 4 | 8;
  readonly offset: number;
}

const opposites: Readonly<Record<string, string>> = {
  e: 'ne',
  ne: 'e',
  l: 'ge',
  ge: 'l',
  g: 'le',
  le: 'g',
  b: 'ae',
  ae: 'b',
  a: 'be',
  be: 'a',
};

export function opposite(condition: string): string {
  return opposites[condition]!;
}

const bitsOf: Readonly<Record<WasmType, 32 | 64 | 128>> = { i32: 32, i64: 64, f32: 32, f64: 64, v128: 128 };

export function newRegister(fn: MachineFunction, type: WasmType): number {
  return type === 'i32' || type === 'i64'
    ? fn.newGeneral(bitsOf[type] as 32 | 64)
    : fn.newVector(bitsOf[type]);
}

/** Register operand of a value of the type. */
export function registerOf(type: WasmType, number: number): GeneralRegister | VectorRegister {
  return type === 'i32' || type === 'i64' ? general(number, bitsOf[type] as 32 | 64) : vector(number, 128);
}

/** Whether a number can be in an instruction, which extends 32 bits with their sign. */
export function isShort(value: bigint): boolean {
  return value >= -0x8000_0000n && value < 0x8000_0000n;
}

/** Takes and gives values. */
export class ValueStack {
  readonly fn: MachineFunction;
  readonly entries: Entry[] = [];

  constructor(fn: MachineFunction) {
    this.fn = fn;
  }

  push(entry: Entry): void {
    this.entries.push(entry);
  }

  pop(): Entry {
    const entry = this.entries.pop();
    if (!entry) throw new Error(`x64: ${this.fn.name}: stack code takes more than there is`);
    return entry;
  }

  /** A value in a register of its own, which nothing else is in. */
  pushRegister(type: WasmType, number: number): void {
    this.push({ kind: 'register', type, number, local: false });
  }

  pushGeneral(register: GeneralRegister): void {
    this.pushRegister(register.bits === 64 ? 'i64' : 'i32', register.number);
  }

  pushVector(type: 'f32' | 'f64' | 'v128', register: VectorRegister): void {
    this.pushRegister(type, register.number);
  }

  /** A new register of the type, pushed as the result of what is emitted next. */
  result(type: 'i32' | 'i64'): GeneralRegister;
  result(type: 'f32' | 'f64' | 'v128'): VectorRegister;
  result(type: WasmType): GeneralRegister | VectorRegister {
    const number = newRegister(this.fn, type);
    this.pushRegister(type, number);
    return registerOf(type, number);
  }

  /** Moves a value into a register. */
  moveTo(number: number, entry: Entry): void {
    const { fn } = this;
    const to = registerOf(entry.type, number);
    switch (entry.kind) {
      case 'register':
        if (entry.number === number) return;
        fn.emit(to.kind === 'general' ? 'mov' : 'vmovaps', to, registerOf(entry.type, entry.number));
        return;
      case 'number':
        fn.emit('mov', ...numberInto(to as GeneralRegister, entry.value));
        return;
      case 'sum':
        this.#writeSum(to as GeneralRegister, entry);
        return;
      case 'bytes': {
        const { bytes } = entry;
        if (bytes.every((byte) => byte === 0)) fn.emit('vxorps', to, to, to);
        else {
          const name = entry.type === 'f32' ? 'vmovss' : entry.type === 'f64' ? 'vmovsd' : 'vmovups';
          fn.emit(name, to, this.constant(bytes));
        }
        return;
      }
      case 'flags': {
        // The flags are read before anything may change them.
        const low = general(fn.newGeneral(32), 8);
        fn.append(instruction(entry.mnemonic, ...entry.operands));
        fn.emit(`set${entry.condition}`, low);
        fn.emit('movzx', to, low);
      }
    }
  }

  #writeSum(to: GeneralRegister, { base, index, scale, offset }: Sum): void {
    const { fn } = this;
    if (base) {
      const parts = index ? { index: general(index.number, 64), scale } : {};
      fn.emit('lea', to, memory(0, { base: general(base.number, 64), ...parts, offset }));
      return;
    }
    // Without a base there is no short form.
    if (to.number !== index!.number) fn.emit('mov', to, general(index!.number, 32));
    if (scale > 1) fn.emit('shl', to, immediate(Math.log2(scale)));
    if (offset !== 0) fn.emit('lea', to, memory(0, { base: general(to.number, 64), offset }));
  }

  constant(bytes: Uint8Array): MemoryOperand {
    return memory(bytes.length * 8, { constant: this.fn.program.constant(bytes) });
  }

  /** The value in a register that is not written. */
  register(entry: Entry): number {
    if (entry.kind === 'register') return entry.number;
    const number = newRegister(this.fn, entry.type);
    this.moveTo(number, entry);
    return number;
  }

  popGeneral(bits?: 32 | 64): GeneralRegister {
    const entry = this.pop();
    return general(this.register(entry), bits ?? (entry.type === 'i64' ? 64 : 32));
  }

  popVector(): VectorRegister {
    return vector(this.register(this.pop()), 128);
  }

  /** A general register, or a number that an instruction can have. */
  popOperand(): GeneralRegister | ReturnType<typeof immediate> {
    const entry = this.pop();
    if (entry.kind === 'number' && isShort(entry.value)) return immediate(entry.value);
    return registerOf(entry.type, this.register(entry)) as GeneralRegister;
  }

  /** A vector register, or a constant in memory. */
  popVectorOperand(): VectorRegister | MemoryOperand {
    const entry = this.pop();
    if (entry.kind === 'bytes' && entry.bytes.some((byte) => byte !== 0)) return this.constant(entry.bytes);
    return vector(this.register(entry), 128);
  }

  /** A copy in a register that may be written. */
  popCopy(): GeneralRegister | VectorRegister {
    const entry = this.pop();
    const number = newRegister(this.fn, entry.type);
    this.moveTo(number, entry);
    return registerOf(entry.type, number);
  }

  /** Nothing on the stack may change with a local, or wait, any more. `local`: only what is in this register. */
  settle(local?: number): void {
    for (let at = 0; at < this.entries.length; at += 1) {
      const entry = this.entries[at]!;
      const depends =
        entry.kind === 'register'
          ? isOfLocal(entry, local)
          : entry.kind === 'sum'
            ? isOfLocal(entry.base, local) || isOfLocal(entry.index, local)
            : entry.kind === 'flags' &&
              (local === undefined || entry.operands.some((one) => isIn(one, local)));
      if (!depends) continue;
      const number = newRegister(this.fn, entry.type);
      this.moveTo(number, entry);
      this.entries[at] = { kind: 'register', type: entry.type, number, local: false };
    }
  }
}

/** Whether a register is a local's, of this local's if one is given. */
function isOfLocal(term: Term | undefined, local: number | undefined): boolean {
  return term?.local === true && (local === undefined || term.number === local);
}

function isIn(operand: Operand, register: number): boolean {
  return (operand.kind === 'general' || operand.kind === 'vector') && operand.number === register;
}

/** The operands of a `mov` of a number: the shorter form of 32 bits where the upper half is zero. */
function numberInto(to: GeneralRegister, value: bigint): [Operand, Operand] {
  const unsigned = BigInt.asUintN(to.bits, value);
  if (unsigned < 0x1_0000_0000n) return [general(to.number, 32), immediate(unsigned)];
  return [to, immediate(BigInt.asIntN(64, value))];
}
