/** Which instructions there are, whatever their registers: for passes that would write another one if it can be encoded. */
import type {
  EncodingOptions,
  GeneralRegister,
  Immediate,
  Instruction,
  Operand,
  VectorRegister,
} from './instruction.ts';
import { matches } from './match.ts';
import { formsOfMnemonic } from './tables/index.ts';

/** By what instructions look like. */
const known = new Map<string, boolean>();

/** How many bytes a number takes, as encodings tell numbers apart. */
function sizeOf({ value }: Immediate): string {
  const number = Number(value);
  const bytes = [1, 2, 4].find((count) => number >= -(2 ** (8 * count - 1)) && number < 2 ** (8 * count));
  return bytes === undefined ? '8' : `${bytes}${number >= 2 ** (8 * bytes - 1) ? 'u' : ''}`;
}

/** Registers of the machine have numbers below. */
const machineRegisters = 32;

/** Whether an instruction can be encoded, whatever its virtual registers become. */
export function isEncodable(one: Instruction, { avx512 }: EncodingOptions): boolean {
  let shape = `${avx512} ${one.mnemonic}${one.mask ? ' masked' : ''}${one.rounding ?? ''}`;
  for (const operand of one.operands) shape += ` ${wordFor(operand)}`;
  let found = known.get(shape);
  if (found === undefined) {
    const operands = one.operands.map((operand): Operand => {
      const isRegister = operand.kind === 'general' || operand.kind === 'vector';
      return isRegister && isVirtual(operand) ? { ...operand, number: 0 } : operand;
    });
    found = formsOfMnemonic(one.mnemonic).some(
      (form) => (avx512 || form.kind !== 'evex') && matches(form, { ...one, operands }),
    );
    known.set(shape, found);
  }
  return found;
}

function isVirtual({ number }: GeneralRegister | VectorRegister): boolean {
  return number >= machineRegisters;
}

/** The same for two operands that the same forms take. */
function wordFor(operand: Operand): string {
  switch (operand.kind) {
    case 'immediate':
      return `i${sizeOf(operand)}`;
    case 'memory':
      return `m${operand.bits}.${operand.broadcast ?? ''}.${operand.index?.kind === 'vector'}`;
    case 'general':
    case 'vector':
      // Some forms have a register of their own, as shifts by a register do.
      return `${operand.kind[0]}${operand.bits}${isVirtual(operand) ? '' : `.${operand.number}`}`;
    default:
      return operand.kind;
  }
}
