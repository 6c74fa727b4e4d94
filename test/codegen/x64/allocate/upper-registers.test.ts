/** Vector registers from 16 on: who gets them, and who cannot. */
import { describe, expect, it } from 'vitest';
import { allocate } from '../../../../src/codegen/x64/allocate/allocate.ts';
import { CodeBuffer } from '../../../../src/codegen/x64/assembler/code-buffer.ts';
import { encode } from '../../../../src/codegen/x64/assembler/encode.ts';
import {
  general,
  immediate,
  type MemoryOperand,
  memory,
  type Operand,
  type VectorRegister,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';

const place = (at: number): MemoryOperand =>
  memory(256, { base: general(memoryRegister, 64), offset: 32 * at });

/** So many values that are all there at once, each used by an instruction that is made of it. */
function many(count: number, use: (fn: MachineFunction, value: VectorRegister) => void): MachineFunction {
  const fn = new MachineFunction('f', new Program());
  const values = Array.from({ length: count }, (_, at) => {
    const to = vector(fn.newVector(256), 256);
    fn.emit('vmovups', to, place(at));
    return to;
  });
  for (const value of values) use(fn, value);
  return fn;
}

const add = (fn: MachineFunction, value: VectorRegister): void => {
  const to = vector(fn.newVector(256), 256);
  fn.emit('vaddps', to, value, value);
  fn.emit('vmovups', place(100), to);
};

const compare = (fn: MachineFunction, value: VectorRegister): void => {
  const to = vector(fn.newVector(256), 256);
  fn.emit('vcmpps', to, value, value, immediate(1));
  fn.emit('vmovups', place(100), to);
};

const and = (fn: MachineFunction, value: VectorRegister): void => {
  const to = vector(fn.newVector(256), 256);
  fn.emit('vpand', to, value, value);
  fn.emit('vmovups', place(100), to);
};

/** The vector registers that are used, and the names of instructions with one from 16 on; all are encoded. */
function allocated(
  fn: MachineFunction,
  avx512: boolean,
): { slots: number; highest: number; names: Set<string> } {
  const { slotBytes } = allocate(fn, { avx512 });
  const names = new Set<string>();
  let highest = 0;
  for (const item of fn.items) {
    if (item.kind === 'label') continue;
    const { instruction } = item;
    const isSlot = (one: Operand): boolean => one.kind === 'memory' && one.base?.number === 49;
    if (!instruction.operands.some(isSlot)) encode(new CodeBuffer(), instruction, { avx512 });
    expect(() => printInstruction(instruction)).not.toThrow();
    for (const one of instruction.operands) {
      if (one.kind !== 'vector') continue;
      highest = Math.max(highest, one.number);
      if (one.number >= 16) names.add(instruction.mnemonic);
    }
  }
  return { slots: slotBytes / 32, highest, names };
}

describe('values in vector registers', () => {
  it('have only the first sixteen if these are enough, or without AVX-512', () => {
    expect(allocated(many(16, add), true)).toMatchObject({ slots: 0, highest: 15 });
    const without = allocated(many(24, add), false);
    expect(without.highest).toBeLessThan(16);
    expect(without.slots).toBeGreaterThan(7);
  });

  it('have all thirty-two where they want more', () => {
    const { slots, highest } = allocated(many(30, add), true);
    expect(slots).toBe(0);
    expect(highest).toBe(31);
  });

  it('are among the first sixteen where an instruction reaches no others', () => {
    const { slots, names } = allocated(many(24, compare), true);
    expect(slots).toBeGreaterThan(7);
    expect([...names]).not.toContain('vcmpps');
  });

  it('are reached by another instruction that does the same', () => {
    const { slots, names } = allocated(many(30, and), true);
    expect(slots).toBe(0);
    expect([...names].sort()).toEqual(['vmovups', 'vpandd']);
  });
});
