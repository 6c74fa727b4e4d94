/** Which form of its mnemonic an instruction is. */
import type { Form, OperandType } from './form.ts';
import type { Immediate, Instruction, MemoryOperand, Operand, Register } from './instruction.ts';

/** The number of an immediate with its sign, as one of so many bits. */
export function signedValue({ value }: Immediate, bits: number): bigint {
  return BigInt.asIntN(bits, BigInt(value));
}

/** Whether the instruction can be encoded by this form. */
export function matches(form: Form, instruction: Instruction): boolean {
  const { operands, mask, rounding } = instruction;
  if (operands.length !== form.operands.length) return false;
  for (let index = 0; index < operands.length; index += 1) {
    if (!accepts(form, form.operands[index]!, operands[index]!, rounding !== undefined)) return false;
  }
  if (mask ? form.mask === 'none' : form.mask === 'needed') return false;
  if (instruction.zeroing && !(mask && operands[0]!.kind === 'vector' && form.mask === 'allowed'))
    return false;
  if (rounding) {
    if (form.rounding === 'none' || (rounding !== 'sae' && form.rounding !== 'er')) return false;
    // The same bits would say to round to nearest.
    if (rounding === 'sae' && form.rounding === 'er') return false;
    if (operands.some(({ kind }) => kind === 'memory')) return false;
  }
  if (instruction.lock && !(form.lockable && operands[0]!.kind === 'memory')) return false;
  return true;
}

function accepts(form: Form, type: OperandType, operand: Operand, rounds: boolean): boolean {
  switch (operand.kind) {
    case 'memory':
      return type.memory !== undefined && !rounds && acceptsMemory(form, type, operand);
    case 'immediate':
      return type.immediate !== undefined && acceptsNumber(form, type.immediate, operand);
    case 'label':
      // Its address: of `lea`, whose operand has no size.
      return type.memory === 0 && !type.register;
    default:
      return type.register !== undefined && acceptsRegister(form, type.register, operand);
  }
}

function acceptsRegister(
  form: Form,
  type: NonNullable<OperandType['register']>,
  register: Register,
): boolean {
  const { kind, number } = register;
  if (kind !== type.kind) return false;
  if (kind === 'mask') return number >= 0 && number < 8;
  if (register.bits !== type.bits) return false;
  if (type.number !== undefined) return number === type.number;
  return number >= 0 && number < (kind === 'vector' && form.kind === 'evex' ? 32 : 16);
}

function acceptsMemory(form: Form, type: OperandType, memory: MemoryOperand): boolean {
  const { index, broadcast } = memory;
  if (type.indexBits !== undefined) {
    if (index?.kind !== 'vector' || index.bits !== type.indexBits) return false;
    if (index.number < 0 || index.number > (form.kind === 'evex' ? 31 : 15)) return false;
  } else if (index?.kind === 'vector') {
    return false;
  }
  if (broadcast === undefined) return type.memory === 0 || memory.bits === type.memory;
  return memory.bits === form.broadcast && memory.bits * broadcast === type.memory;
}

function acceptsNumber(
  form: Form,
  { bytes, extended, exactly }: NonNullable<OperandType['immediate']>,
  immediate: Immediate,
): boolean {
  const { value } = immediate;
  if (exactly !== undefined) return Number(value) === exactly;
  const bits = bytes * 8;
  const width = extended ? Math.max(form.bits, bits) : bits;
  // Most are small, and there are many of them.
  const small = Number(value);
  if (Number.isSafeInteger(small)) {
    if (width < 64 && (small < -(2 ** (width - 1)) || small >= 2 ** width)) return false;
    if (!extended) return true;
    const own = width < 64 && small >= 2 ** (width - 1) ? small - 2 ** width : small;
    return own >= -(2 ** (bits - 1)) && own < 2 ** (bits - 1);
  }
  // What cannot be a number of the operand's size is not cut off.
  const whole = BigInt(value);
  if (whole < -(1n << BigInt(width - 1)) || whole >= 1n << BigInt(width)) return false;
  if (!extended) return true;
  const signed = signedValue(immediate, width);
  return signed >= -(1n << BigInt(bits - 1)) && signed < 1n << BigInt(bits - 1);
}
