/**
 * Machine code before registers are allocated: instructions of the assembler whose registers may be virtual, in their final order, with
 * labels between them. What each operand is to its instruction (read, written, both) is found from the mnemonic.
 */
import {
  general,
  type Instruction,
  type MemoryOperand,
  memory,
  type Operand,
  type Register,
} from '../assembler/instruction.ts';

/** Registers from this number on are virtual. */
export const firstVirtual = 64;

/** Bases of memory operands that become rsp with an offset once the frame is known: arguments of this function, its spill slots. */
export const incomingBase = general(48, 64);
export const slotBase = general(49, 64);

/** Registers with a purpose: the stack, the context, the memory. */
export const stackRegister = 4;
export const contextRegister = 14;
export const memoryRegister = 15;

/** What is true of an operation besides its instruction. */
export interface OperationFacts {
  /** Loops around it. */
  readonly depth: number;
  /** General registers of the machine that it reads and writes besides its operands. */
  readonly implicitUses: readonly number[];
  readonly implicitDefinitions: readonly number[];
  /** It is a call of a function: no register but those that callees keep has its value behind it. Routines, which keep most, are none. */
  readonly isCall: boolean;
  /** A jump whose target is outside the function. */
  readonly leaves: boolean;
}

export class MachineOperation implements OperationFacts {
  readonly kind = 'operation';
  readonly depth: number;
  readonly implicitUses: readonly number[];
  readonly implicitDefinitions: readonly number[];
  readonly isCall: boolean;
  readonly leaves: boolean;
  #instruction: Instruction;
  #accesses: readonly number[] | undefined;

  constructor(instruction: Instruction, facts: OperationFacts) {
    this.#instruction = instruction;
    this.depth = facts.depth;
    this.implicitUses = facts.implicitUses;
    this.implicitDefinitions = facts.implicitDefinitions;
    this.isCall = facts.isCall;
    this.leaves = facts.leaves;
  }

  get instruction(): Instruction {
    return this.#instruction;
  }

  set instruction(instruction: Instruction) {
    this.#instruction = instruction;
    this.#accesses = undefined;
  }

  /** What {@link accessesOf} says of the instruction, found once: every pass asks. */
  get accesses(): readonly number[] {
    this.#accesses ??= accessesOf(this.#instruction);
    return this.#accesses;
  }

  /** The same with another instruction. */
  with(instruction: Instruction): MachineOperation {
    return new MachineOperation(instruction, this);
  }

  /** The same in so many loops. */
  atDepth(depth: number): MachineOperation {
    return new MachineOperation(this.instruction, { ...this, depth });
  }
}

export type MachineItem = MachineOperation | { readonly kind: 'label'; readonly label: number };

/** A virtual register. */
export interface VirtualRegister {
  readonly kind: 'general' | 'vector';
  /** Bits of the value: a general register of 32 has zeros above them. */
  readonly bits: number;
}

export type Role = 'define' | 'use' | 'modify';

/** A question about mnemonics that is asked of every instruction: each mnemonic is looked at once. */
export function ofMnemonic<T>(find: (mnemonic: string) => T): (mnemonic: string) => T {
  const known = new Map<string, T>();
  return (mnemonic) => {
    // What is found may be undefined, too.
    if (!known.has(mnemonic)) known.set(mnemonic, find(mnemonic));
    return known.get(mnemonic) as T;
  };
}

const modifying =
  /^(add|or|adc|sbb|and|sub|xor|shl|shr|sar|rol|ror|rcl|rcr|inc|dec|neg|not|bswap|cmov.*|bts|btr|btc|shld|shrd|xadd|xchg|cmpxchg|vfn?m(add|sub)\d.*|vpternlog.*)$/;
const reading = /^(cmp|test|bt|vptest|vtestp[sd]|vu?comis[sd]|push|mul|div|idiv|jmp|call|prefetch.*)$/;

const roleOfFirst = ofMnemonic(
  (mnemonic): Role => (reading.test(mnemonic) ? 'use' : modifying.test(mnemonic) ? 'modify' : 'define'),
);

/** What an operand is to its instruction. Of memory it is what becomes of its content; registers of its address are read. */
export function roleOf({ mnemonic, operands }: Instruction, index: number): Role {
  if (index > 0) return index === 1 && (mnemonic === 'xchg' || mnemonic === 'xadd') ? 'modify' : 'use';
  if (mnemonic === 'imul') return operands.length === 3 ? 'define' : operands.length === 2 ? 'modify' : 'use';
  return roleOfFirst(mnemonic);
}

const isConstantIdiom = ofMnemonic((mnemonic) => /^(xor|vxorp[sd]|vpxor[dq]?|vpcmpeq[bwdq])$/.test(mnemonic));

/** The register that is all zeros or all ones afterwards, whatever was in it, as it meets itself. */
export function setsConstant({
  mnemonic,
  operands,
}: Instruction): Exclude<Register, { kind: 'mask' }> | undefined {
  if (mnemonic !== 'vpternlogd' && !isConstantIdiom(mnemonic)) return undefined;
  const [first, , , logic] = operands;
  // Logic that gives ones for all bits of three operands.
  const isAllOnes = logic?.kind === 'immediate' && Number(logic.value) === 0xff;
  if (mnemonic === 'vpternlogd' && !isAllOnes) return undefined;
  if (first?.kind !== 'general' && first?.kind !== 'vector') return undefined;
  const isFirst = (one: Operand): boolean => one.kind === first.kind && one.number === first.number;
  return operands.every((one) => one === logic || isFirst(one)) ? first : undefined;
}

/** In the two lowest bits of an access: what becomes of the register. A modification is both. */
export const reads = 1;
export const writes = 2;
/** In an access: the register is a vector register. */
export const isOfVector = 4;
/** The number of an access's register is above these bits. */
export const numberShift = 3;

const accessBits: Readonly<Record<Role, number>> = { use: reads, define: writes, modify: reads | writes };

/** The registers of an instruction, each as a number: {@link reads}, {@link writes}, {@link isOfVector}, the register's number. */
export function accessesOf(instruction: Instruction): number[] {
  const { operands } = instruction;
  const sets = setsConstant(instruction);
  if (sets) return [(sets.number << numberShift) | (sets.kind === 'vector' ? isOfVector : 0) | writes];
  const found: number[] = [];
  for (let index = 0; index < operands.length; index += 1) {
    const operand = operands[index]!;
    if (operand.kind === 'general') {
      found.push((operand.number << numberShift) | accessBits[roleOf(instruction, index)]);
    } else if (operand.kind === 'vector') {
      found.push((operand.number << numberShift) | isOfVector | accessBits[roleOf(instruction, index)]);
    } else if (operand.kind === 'memory') {
      const { base, index: scaled } = operand;
      if (base) found.push((base.number << numberShift) | reads);
      if (scaled) {
        found.push((scaled.number << numberShift) | (scaled.kind === 'vector' ? isOfVector : 0) | reads);
      }
    }
  }
  return found;
}

/** Whether nothing behind it in the same block is done: a jump, taken or not, or an end. */
export const endsBlock = ofMnemonic((mnemonic) => /^(j.*|ret|ud2)$/.test(mnemonic));

/** Whether it is a vector instruction that does nothing but give its first operand: none fails, and those that set flags write none. */
export const onlyGivesVector = ofMnemonic((mnemonic) => /^v(?!p?gather|zeroupper)/.test(mnemonic));

/** Whether it is a move from register to register and nothing else. */
export function isCopy({ mnemonic, operands }: Instruction): boolean {
  if (operands.length !== 2) return false;
  const { kind } = operands[0]!;
  if (operands[1]!.kind !== kind) return false;
  return mnemonic === 'mov' ? kind === 'general' : mnemonic === 'vmovaps' && kind === 'vector';
}

/** Whether two operands are the same general register, seen at the same width. */
export function isSameRegister(one: Operand, other: Operand): boolean {
  if (one.kind !== 'general' || other.kind !== 'general') return false;
  return one.number === other.number && one.bits === other.bits;
}

/** A spill slot. */
export function slot(bits: number, offset: number): MemoryOperand {
  return memory(bits, { base: slotBase, offset });
}
