/**
 * Machine code before registers are allocated: instructions of the assembler whose registers may be virtual, in their final order, with
 * labels between them. What each operand is to its instruction (read, written, both) is found from the mnemonic.
 */
import {
  general,
  type Instruction,
  type MemoryOperand,
  memory,
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

export interface MachineOperation {
  kind: 'operation';
  instruction: Instruction;
  /** Loops around it. */
  readonly depth: number;
  /** General registers of the machine that it reads and writes besides its operands. */
  readonly implicitUses: readonly number[];
  readonly implicitDefinitions: readonly number[];
  /** It is a call: no register but those that callees keep has its value behind it. */
  readonly isCall: boolean;
  /** A jump whose target is outside the function. */
  readonly leaves: boolean;
}

export type MachineItem = MachineOperation | { readonly kind: 'label'; readonly label: number };

/** A virtual register. */
export interface VirtualRegister {
  readonly kind: 'general' | 'vector';
  /** Bits of the value: a general register of 32 has zeros above them. */
  readonly bits: number;
}

export type Role = 'define' | 'use' | 'modify';

const modifying =
  /^(add|or|adc|sbb|and|sub|xor|shl|shr|sar|rol|ror|rcl|rcr|inc|dec|neg|not|bswap|cmov.*|bts|btr|btc|shld|shrd|xadd|xchg|vfn?m(add|sub)\d.*|vpternlog.*)$/;
const reading =
  /^(cmp|test|bt|vptest|vtestp[sd]|vu?comis[sd]|push|mul|div|idiv|jmp|call|cmpxchg|prefetch.*)$/;

/** What an operand is to its instruction. Of memory it is what becomes of its content; registers of its address are read. */
export function roleOf({ mnemonic, operands }: Instruction, index: number): Role {
  if (index > 0) return (mnemonic === 'xchg' || mnemonic === 'xadd') && index === 1 ? 'modify' : 'use';
  if (mnemonic === 'imul') return operands.length === 3 ? 'define' : operands.length === 2 ? 'modify' : 'use';
  if (reading.test(mnemonic)) return mnemonic === 'cmpxchg' ? 'modify' : 'use';
  return modifying.test(mnemonic) ? 'modify' : 'define';
}

const constantIdioms = /^(xor|vxorp[sd]|vpxor[dq]?|vpcmpeq[bwdq])$/;

/** The register that is all zeros or all ones afterwards, whatever was in it, as it meets itself. */
function setsConstant({ mnemonic, operands }: Instruction): Exclude<Register, { kind: 'mask' }> | undefined {
  if (!constantIdioms.test(mnemonic)) return undefined;
  const [first] = operands;
  if (first?.kind !== 'general' && first?.kind !== 'vector') return undefined;
  return operands.every((one) => one.kind === first.kind && one.number === first.number) ? first : undefined;
}

/** Calls `visit` for each register of an operation, reads before writes. */
export function visitRegisters(
  instruction: Instruction,
  visit: (kind: 'general' | 'vector', number: number, role: Role) => void,
): void {
  const { operands } = instruction;
  const sets = setsConstant(instruction);
  if (sets) {
    visit(sets.kind, sets.number, 'define');
    return;
  }
  for (let index = 0; index < operands.length; index += 1) {
    const operand = operands[index]!;
    if (operand.kind === 'general' || operand.kind === 'vector') {
      visit(operand.kind, operand.number, roleOf(instruction, index));
    } else if (operand.kind === 'memory') {
      if (operand.base) visit('general', operand.base.number, 'use');
      if (operand.index) visit(operand.index.kind, operand.index.number, 'use');
    }
  }
}

/** Whether it is a move from register to register and nothing else. */
export function isCopy({ mnemonic, operands }: Instruction): boolean {
  const [to, from] = operands;
  if (operands.length !== 2 || to!.kind !== from!.kind) return false;
  return mnemonic === 'mov' ? to!.kind === 'general' : mnemonic === 'vmovaps' && to!.kind === 'vector';
}

/** A spill slot. */
export function slot(bits: number, offset: number): MemoryOperand {
  return memory(bits, { base: slotBase, offset });
}
