/**
 * Vector registers from 16 on: only the encodings of AVX-512 reach them, and not every instruction has one. Comparisons that give a vector, blends by a
 * vector and tests have none, so what they read and write must be among the first sixteen. Some others have one under another name.
 */
import { evexName } from '../assembler/evex-names.ts';
import type { Instruction } from '../assembler/instruction.ts';
import { matches } from '../assembler/match.ts';
import { formsOfMnemonic } from '../assembler/tables/index.ts';
import type { MachineFunction } from '../machine/function.ts';
import { firstVirtual, isOfVector, numberShift } from '../machine/operation.ts';
import { renamed } from '../machine/rename.ts';

/** The first of them. */
export const firstUpper = 16;
const lastUpper = 31;

/** The instruction as it is encoded, whose registers are the machine's. */
export function forUpperRegisters(one: Instruction): Instruction {
  const mnemonic = evexName(one.mnemonic);
  if (mnemonic === one.mnemonic) return one;
  const isUpper = one.operands.some((operand) => operand.kind === 'vector' && operand.number >= firstUpper);
  return isUpper ? { ...one, mnemonic } : one;
}

/** By index: which virtual registers must be among the first sixteen. */
export function findLowOnly(fn: MachineFunction): Uint8Array {
  const isLow = new Uint8Array(fn.registers.length);
  const known = new Map<string, boolean>();
  for (const item of fn.items) {
    if (item.kind === 'label') continue;
    const { instruction, accesses } = item;
    if (!accesses.some((access) => (access & isOfVector) !== 0)) continue;
    const key = shapeOf(instruction);
    let reaches = known.get(key);
    if (reaches === undefined) {
      reaches = reachesUpper(instruction);
      known.set(key, reaches);
    }
    if (reaches) continue;
    for (const access of accesses) {
      const index = (access >> numberShift) - firstVirtual;
      if ((access & isOfVector) !== 0 && index >= 0) isLow[index] = 1;
    }
  }
  return isLow;
}

/** What decides whether there is an encoding: two of the same shape have the same. */
function shapeOf({ mnemonic, operands }: Instruction): string {
  const words = operands.map((operand) => {
    if (operand.kind === 'memory')
      return `m${operand.bits}.${operand.broadcast ?? ''}.${operand.index?.kind === 'vector'}`;
    return 'bits' in operand ? `${operand.kind[0]}${operand.bits}` : operand.kind[0];
  });
  return `${mnemonic} ${words.join(' ')}`;
}

function reachesUpper(one: Instruction): boolean {
  const { operands } = one;
  const mnemonic = evexName(one.mnemonic);
  const upper = {
    ...renamed({ ...one, mnemonic }, (number, at) =>
      number < firstVirtual ? number : operands[at]!.kind === 'vector' ? lastUpper : 0,
    ),
  };
  return formsOfMnemonic(mnemonic).some((form) => form.kind === 'evex' && matches(form, upper));
}
