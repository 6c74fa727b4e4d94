/** How values in the frame have registers within blocks: on code written here, run step by step. */
import { describe, expect, it } from 'vitest';
import { findLiveness } from '../../../../src/codegen/x64/allocate/liveness.ts';
import { type Frame, spill } from '../../../../src/codegen/x64/allocate/spill.ts';
import {
  type GeneralRegister,
  immediate,
  type Operand,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { firstVirtual } from '../../../../src/codegen/x64/machine/operation.ts';

/** Puts registers into the frame. Gives the function, and how many of its instructions touch the frame. */
function spilled(fn: MachineFunction, ...registers: readonly GeneralRegister[]): number {
  const { ranges } = findLiveness(fn);
  const frame: Frame = { bytes: 0, locals: new Map() };
  spill(
    fn,
    registers.map(({ number }) => number - firstVirtual),
    (index) => index,
    ranges,
    frame,
    true,
  );
  return fn.items.filter(
    (item) => item.kind === 'operation' && item.instruction.operands.some(({ kind }) => kind === 'memory'),
  ).length;
}

/** What is in a register at the end. Jumps are taken as long as there are any in `taken`; a call gives all registers another value. */
function run(fn: MachineFunction, result: GeneralRegister, taken: readonly boolean[] = []): number {
  const places = new Map<string, number>();
  const keyOf = (one: Operand): string =>
    one.kind === 'memory' ? `slot ${one.offset ?? 0}` : `register ${(one as GeneralRegister).number}`;
  const contentOf = (one: Operand): number =>
    one.kind === 'immediate' ? Number(one.value) : (places.get(keyOf(one)) ?? 0);
  let jumps = 0;
  for (let at = 0; at < fn.items.length; at += 1) {
    const item = fn.items[at]!;
    if (item.kind === 'label') continue;
    if (item.isCall) {
      for (const key of places.keys()) if (key.startsWith('register')) places.set(key, -1000);
      continue;
    }
    const { mnemonic, operands } = item.instruction;
    const [to, from] = operands as [Operand, Operand];
    if (to.kind === 'label') {
      if (taken[jumps++]) at = fn.items.findIndex((one) => one.kind === 'label' && one.label === to.label);
    } else if (mnemonic === 'mov') places.set(keyOf(to), contentOf(from));
    else if (mnemonic === 'add') places.set(keyOf(to), contentOf(to) + contentOf(from));
    else throw new Error(mnemonic);
  }
  return places.get(keyOf(result))!;
}

describe('a value in the frame', () => {
  it('is in a register between its uses in a block, and not stored if nobody else reads it', () => {
    const fn = new MachineFunction('f', new Program());
    const [value, result] = [fn.general(32), fn.general(32)];
    fn.emit('mov', value, immediate(3));
    fn.emit('add', value, immediate(4));
    fn.emit('add', value, value);
    fn.emit('mov', result, value);
    expect(spilled(fn, value)).toBe(0);
    expect(run(fn, result)).toBe(14);
  });

  it.each([[true], [false]])('goes on to other blocks, jump taken: %s', (isTaken) => {
    const fn = new MachineFunction('f', new Program());
    const [value, result] = [fn.general(32), fn.general(32)];
    const end = fn.newLabel();
    fn.emit('mov', value, immediate(3));
    fn.emit('add', value, immediate(4));
    fn.jump('je', end);
    fn.emit('add', value, immediate(10));
    fn.emit('add', value, immediate(20));
    fn.place(end);
    fn.emit('mov', result, value);
    fn.emit('add', result, value);
    // A store in the first block, both in the second, a load in the third.
    expect(spilled(fn, value)).toBe(4);
    expect(run(fn, result, [isTaken])).toBe(isTaken ? 14 : 74);
  });

  it('is in the frame where a call is', () => {
    const fn = new MachineFunction('f', new Program());
    const [value, result] = [fn.general(32), fn.general(32)];
    fn.emit('mov', value, immediate(3));
    fn.emit('add', value, immediate(4));
    fn.append({ mnemonic: 'call', operands: [] }, { isCall: true });
    fn.emit('mov', result, value);
    fn.emit('add', result, value);
    expect(spilled(fn, value)).toBe(2);
    expect(run(fn, result)).toBe(14);
  });

  it('that is used once in a block is read where it is', () => {
    const fn = new MachineFunction('f', new Program());
    const [value, result] = [fn.general(32), fn.general(32)];
    const next = fn.newLabel();
    fn.emit('mov', value, immediate(3));
    fn.emit('add', value, immediate(1));
    fn.place(next);
    fn.emit('mov', result, value);
    spilled(fn, value);
    const last = fn.items.at(-1)!;
    expect(last.kind === 'operation' && last.instruction.operands[1]!.kind).toBe('memory');
    expect(run(fn, result)).toBe(4);
  });
});
