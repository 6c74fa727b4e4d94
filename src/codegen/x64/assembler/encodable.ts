/** Which instructions there are, whatever their registers: for passes that would write another one if it can be encoded. */
import type { EncodingOptions, Immediate, Instruction, Operand } from './instruction.ts';
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

/** Whether an instruction can be encoded, whatever its registers are; these may be virtual. */
export function isEncodable(one: Instruction, { avx512 }: EncodingOptions): boolean {
  const words = one.operands.map((operand) => {
    if (operand.kind === 'immediate') return `i${sizeOf(operand)}`;
    return 'bits' in operand ? `${operand.kind[0]}${operand.bits}` : operand.kind;
  });
  const shape = `${avx512} ${one.mnemonic} ${words.join(' ')}`;
  let found = known.get(shape);
  if (found === undefined) {
    const operands = one.operands.map(
      (operand): Operand =>
        operand.kind === 'general' || operand.kind === 'vector' ? { ...operand, number: 0 } : operand,
    );
    found = formsOfMnemonic(one.mnemonic).some(
      (form) => (avx512 || form.kind !== 'evex') && matches(form, { ...one, operands }),
    );
    known.set(shape, found);
  }
  return found;
}
