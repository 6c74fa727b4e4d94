/** Instructions with memory in the place of a register: for who has a value there and would rather not load it. */
import { isEncodable } from '../assembler/encodable.ts';
import type { EncodingOptions, Immediate, Instruction, MemoryOperand } from '../assembler/instruction.ts';
import { ofMnemonic } from './operation.ts';

/** What is another instruction with memory in the place of a register, or wants it aligned. */
const isPeculiar = ofMnemonic((mnemonic) => /^(bt|vmovap|vmovdqa|vmovnt)/.test(mnemonic));

/**
 * The same instruction with memory in the place of an operand that is a register; undefined if there is none, if it does something else, or if it
 * accesses memory already.
 */
export function memoryForm(
  one: Instruction,
  index: number,
  place: MemoryOperand,
  options: EncodingOptions,
): Instruction | undefined {
  const { mnemonic, operands } = one;
  if (isPeculiar(mnemonic) || operands.some(({ kind }) => kind === 'memory')) return undefined;
  // Of a register one of four elements is taken, and memory is one.
  if (mnemonic === 'vinsertps' && Number((operands[3] as Immediate).value) >= 64) return undefined;
  const made = { ...one, operands: operands.with(index, place) };
  return isEncodable(made, options) ? made : undefined;
}
