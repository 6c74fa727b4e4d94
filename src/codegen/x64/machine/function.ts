/** A function in machine code whose registers are not allocated yet, and what selection writes it with. */
import {
  type GeneralBits,
  type GeneralRegister,
  general,
  type Instruction,
  instruction,
  label,
  type Operand,
  type VectorBits,
  type VectorRegister,
  vector,
} from '../assembler/instruction.ts';
import type { Program } from '../assembler/program.ts';
import { firstVirtual, type MachineItem, MachineOperation, type VirtualRegister } from './operation.ts';

interface Further {
  readonly uses?: readonly number[];
  readonly definitions?: readonly number[];
  readonly isCall?: boolean;
  readonly leaves?: boolean;
}

const none: readonly number[] = [];

export class MachineFunction {
  readonly name: string;
  readonly program: Program;
  items: MachineItem[] = [];
  /** By number less {@link firstVirtual}. */
  readonly registers: VirtualRegister[] = [];
  /** Bytes at the stack's end for arguments of calls and what these give. */
  outgoingBytes = 0;
  /** Loops around what is written next. */
  depth = 0;
  /** The line of the source that it comes from. */
  line: number | undefined;

  constructor(name: string, program: Program) {
    this.name = name;
    this.program = program;
  }

  #new(kind: 'general' | 'vector', bits: number): number {
    this.registers.push({ kind, bits });
    return firstVirtual + this.registers.length - 1;
  }

  newGeneral(bits: 32 | 64): number {
    return this.#new('general', bits);
  }

  newVector(bits: 32 | 64 | 128 | 256 | 512 = 128): number {
    return this.#new('vector', bits);
  }

  /** A new register for values of the same kind as another one's. */
  another(index: number): number {
    const { kind, bits } = this.registers[index]!;
    return this.#new(kind, bits);
  }

  /** A new general register as an operand. */
  general(bits: 32 | 64): GeneralRegister {
    return general(this.newGeneral(bits), bits);
  }

  vector(bits: VectorBits = 128): VectorRegister {
    return vector(this.newVector(bits), bits);
  }

  append(one: Instruction, further: Further = {}): void {
    const { line } = this;
    const placed = line === undefined || one.line === line ? one : { ...one, line };
    this.items.push(
      new MachineOperation(placed, {
        depth: this.depth,
        implicitUses: further.uses ?? none,
        implicitDefinitions: further.definitions ?? none,
        isCall: further.isCall ?? false,
        leaves: further.leaves ?? false,
      }),
    );
  }

  emit(mnemonic: string, ...operands: Operand[]): void {
    const { line } = this;
    this.append(line === undefined ? { mnemonic, operands } : { mnemonic, operands, line });
  }

  newLabel(): number {
    return this.program.newLabel();
  }

  place(at: number): void {
    this.items.push({ kind: 'label', label: at });
  }

  jump(mnemonic: string, to: number, leaves = false): void {
    this.append(instruction(mnemonic, label(to)), { leaves });
  }
}

/** The same register at another size. */
export function sized(register: GeneralRegister, bits: GeneralBits): GeneralRegister {
  return register.bits === bits ? register : general(register.number, bits);
}
