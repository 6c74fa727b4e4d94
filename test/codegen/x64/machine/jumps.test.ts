/** Jumps of code written here: which are left, and that control goes where it went, followed step by step. */
import { describe, expect, it } from 'vitest';
import { general, immediate } from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { straightenJumps } from '../../../../src/codegen/x64/machine/jumps.ts';
import type { MachineItem } from '../../../../src/codegen/x64/machine/operation.ts';

const rax = general(0, 32);

interface Writer {
  readonly fn: MachineFunction;
  /** A marked operation, to see where control is. */
  mark(number: number): void;
}

function written(write: (writer: Writer) => void): MachineFunction {
  const fn = new MachineFunction('f', new Program());
  write({ fn, mark: (number) => fn.emit('mov', rax, immediate(number)) });
  return fn;
}

const namesOf = (fn: MachineFunction): string[] =>
  fn.items.flatMap((item) => (item.kind === 'label' ? [] : [item.instruction.mnemonic]));

/** The marks that control comes to, where the zero flag is what is said, for so many steps; -1 where it leaves the function. */
function followed(items: readonly MachineItem[], isZero: boolean): number[] {
  const marks: number[] = [];
  let at = 0;
  for (let steps = 0; steps < 40 && at < items.length; steps += 1) {
    const item = items[at]!;
    at += 1;
    if (item.kind === 'label') continue;
    const { mnemonic, operands } = item.instruction;
    const [first, second] = operands;
    if (mnemonic === 'mov' && second?.kind === 'immediate') marks.push(Number(second.value));
    const isTaken = mnemonic === 'jmp' || mnemonic === (isZero ? 'je' : 'jne');
    if (!isTaken || first?.kind !== 'label') continue;
    if (item.leaves) return [...marks, -1];
    at = items.findIndex((one) => one.kind === 'label' && one.label === first.label);
  }
  return marks;
}

function straightened(write: (writer: Writer) => void): string[] {
  const fn = written(write);
  const before = fn.items;
  straightenJumps(fn);
  for (const isZero of [false, true]) {
    const expected = followed(before, isZero);
    const found = followed(fn.items, isZero);
    // Fewer jumps are more marks in as many steps.
    const common = Math.min(expected.length, found.length);
    expect(found.slice(0, common)).toEqual(expected.slice(0, common));
    expect(common).toBeGreaterThan(0);
  }
  return namesOf(fn);
}

describe('jumps', () => {
  it('to what comes next go', () => {
    const names = straightened(({ fn, mark }) => {
      const [a, b] = [fn.newLabel(), fn.newLabel()];
      mark(1);
      fn.jump('jmp', b);
      fn.place(a);
      fn.place(b);
      mark(2);
    });
    expect(names).toEqual(['mov', 'mov']);
  });

  it('over jumps are turned round', () => {
    const names = straightened(({ fn, mark }) => {
      const [over, end] = [fn.newLabel(), fn.newLabel()];
      mark(1);
      fn.jump('je', over);
      fn.jump('jmp', end);
      fn.place(over);
      mark(2);
      fn.place(end);
      mark(3);
    });
    expect(names).toEqual(['mov', 'jne', 'mov', 'mov']);
  });

  it('out of the function are not in the way of a loop', () => {
    const names = straightened(({ fn, mark }) => {
      const [loop, outside] = [fn.newLabel(), fn.newLabel()];
      fn.place(loop);
      mark(1);
      fn.jump('je', outside, true);
      fn.jump('jmp', loop);
    });
    expect(names).toEqual(['mov', 'jne', 'jmp']);
  });

  it('stay where a label is between them, and where they leave for what comes next', () => {
    const names = straightened(({ fn, mark }) => {
      const [over, end, between] = [fn.newLabel(), fn.newLabel(), fn.newLabel()];
      mark(1);
      fn.jump('je', over);
      fn.place(between);
      fn.jump('jmp', end);
      fn.place(over);
      mark(2);
      fn.place(end);
      mark(3);
      fn.jump('je', between);
    });
    expect(names).toEqual(['mov', 'je', 'jmp', 'mov', 'mov', 'je']);
  });
});
