/** Writes an allocated function into the program: its frame is known now. */

import type { Allocation } from '../allocate/allocate.ts';
import {
  general,
  type Instruction,
  immediate,
  instruction,
  type MemoryOperand,
  type Operand,
} from '../assembler/instruction.ts';
import type { Program } from '../assembler/program.ts';
import type { MachineFunction } from './function.ts';
import { incomingBase, slotBase, stackRegister } from './operation.ts';

const stack = general(stackRegister, 64);

/**
 * The frame, from the stack pointer up: arguments of calls; spill slots; registers that are kept; the return address; this function's
 * arguments, where its results go, too.
 * @param keeps whether callers rely on registers
 * @returns the bytes of the stack that it takes, with its return address
 */
export function finish(
  program: Program,
  fn: MachineFunction,
  { slotBytes, kept }: Allocation,
  places: { readonly start: number; readonly end: number; readonly keeps: boolean },
): number {
  const pushed = places.keeps ? kept : [];
  const slotsAt = Math.ceil(fn.outgoingBytes / 16) * 16;
  // With the return address and what is pushed, a multiple of 16.
  let bytes = Math.ceil((slotsAt + slotBytes) / 8) * 8;
  if ((bytes + 8 + 8 * pushed.length) % 16 !== 0) bytes += 8;
  const incomingAt = bytes + 8 * pushed.length + 8;

  const startOf = (operand: Operand): number | undefined => {
    if (operand.kind !== 'memory') return undefined;
    const number = operand.base?.number;
    return number === incomingBase.number ? incomingAt : number === slotBase.number ? slotsAt : undefined;
  };
  const placed = (one: Instruction): Instruction => {
    const at = one.operands.findIndex((operand) => startOf(operand) !== undefined);
    if (at < 0) return one;
    const operand = one.operands[at] as MemoryOperand;
    const offset = startOf(operand)! + (operand.offset ?? 0);
    return { ...one, operands: one.operands.with(at, { ...operand, base: stack, offset }) };
  };
  program.align(16);
  program.place(places.start);
  for (const number of pushed) program.append(instruction('push', general(number, 64)));
  if (bytes > 0) program.append(instruction('sub', stack, immediate(bytes)));
  for (const item of fn.items) {
    if (item.kind === 'label') program.place(item.label);
    else program.append(placed(item.instruction));
  }
  if (bytes > 0) program.append(instruction('add', stack, immediate(bytes)));
  for (const number of pushed.toReversed()) program.append(instruction('pop', general(number, 64)));
  program.append(instruction('ret'));
  return incomingAt;
}
