/** Loads and stores of whole registers, virtual ones or the machine's. */
import {
  general,
  type Instruction,
  instruction,
  type MemoryOperand,
  type Register,
  vector,
} from '../assembler/instruction.ts';

/** @param bits of the value: 32 or 64, of vectors also 128 and more */
export function loadFrom(
  place: MemoryOperand,
  kind: 'general' | 'vector',
  bits: number,
  number: number,
): Instruction {
  return instruction(mnemonicOf(kind, bits), registerOf(kind, bits, number), place);
}

/** @param bits of the value: 32 or 64, of vectors also 128 and more */
export function storeTo(
  place: MemoryOperand,
  kind: 'general' | 'vector',
  bits: number,
  number: number,
): Instruction {
  return instruction(mnemonicOf(kind, bits), place, registerOf(kind, bits, number));
}

function mnemonicOf(kind: 'general' | 'vector', bits: number): string {
  if (kind === 'general') return 'mov';
  return bits === 32 ? 'vmovss' : bits === 64 ? 'vmovsd' : 'vmovups';
}

function registerOf(kind: 'general' | 'vector', bits: number, number: number): Register {
  return kind === 'general' ? general(number, bits as 32 | 64) : vector(number, Math.max(bits, 128) as 128);
}
