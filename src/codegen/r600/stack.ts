/**
 * The stack of control flow: a loop takes an entry, a branch a quarter of one for its threads' mask (R600 and R700 instruction set
 * manuals, stack allocation). A program says how many entries it needs at most.
 */
import type { Program } from './program.ts';

const quartersPerEntry = 4;

export function stackEntries({ controlFlow }: Program): number {
  let [now, most] = [0, 0];
  const change = (quarters: number): void => {
    now = Math.max(0, now + quarters);
    most = Math.max(most, now);
  };
  for (const one of controlFlow) {
    if (one.kind === 'alu' && one.name === 'ALU_PUSH_BEFORE') change(1);
    else if (one.kind === 'alu' && one.name === 'ALU_POP_AFTER') change(-1);
    else if (one.kind === 'branch' && one.name === 'POP') change(-1);
    else if (one.kind === 'branch' && one.name === 'LOOP_DX10') change(quartersPerEntry);
    else if (one.kind === 'branch' && one.name === 'ENDLOOP') change(-quartersPerEntry);
  }
  return Math.ceil(most / quartersPerEntry);
}
