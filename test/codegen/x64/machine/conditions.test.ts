/** Conditions, products and jumps of code written here: what is taken from flags, what addresses multiply, and where jumps lead. */
import { describe, expect, it } from 'vitest';
import {
  type GeneralRegister,
  general,
  immediate,
  memory,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { fuseConditions } from '../../../../src/codegen/x64/machine/fuse-conditions.ts';
import { scaleIndices } from '../../../../src/codegen/x64/machine/scale-indices.ts';
import { threadJumps } from '../../../../src/codegen/x64/machine/thread-jumps.ts';

const newFunction = (): MachineFunction => new MachineFunction('f', new Program());
const namesOf = (fn: MachineFunction): string[] =>
  fn.items.flatMap((item) => (item.kind === 'label' ? [] : [item.instruction.mnemonic]));

/** A condition as stack code makes a number of it. */
function condition(fn: MachineFunction, name: string, to = fn.general(32)): GeneralRegister {
  const low = general(fn.newGeneral(32), 8);
  fn.emit('cmp', fn.general(32), immediate(4));
  fn.emit(`set${name}`, low);
  fn.emit('movzx', to, low);
  return to;
}

describe('conditions', () => {
  it('are put together as bytes, whose flags the jump takes', () => {
    const fn = newFunction();
    const [one, other] = [condition(fn, 'l'), condition(fn, 'e')];
    fn.emit('or', one, other);
    fn.emit('test', one, one);
    fn.jump('jne', fn.newLabel());
    fuseConditions(fn);
    expect(namesOf(fn)).toEqual(['cmp', 'setl', 'cmp', 'sete', 'or', 'jne']);
  });

  it('keep their number where somebody reads it', () => {
    const fn = newFunction();
    const [one, other] = [condition(fn, 'l'), condition(fn, 'e')];
    fn.emit('or', one, other);
    fn.emit('test', one, one);
    fn.jump('jne', fn.newLabel());
    fn.emit('mov', general(0, 32), one);
    fuseConditions(fn);
    expect(namesOf(fn)).toEqual(['cmp', 'setl', 'movzx', 'cmp', 'sete', 'movzx', 'or', 'jne', 'mov']);
  });

  it('of some bits are a test', () => {
    const fn = newFunction();
    const bits = fn.general(32);
    fn.emit('mov', bits, fn.general(32));
    fn.emit('and', bits, immediate(4));
    fn.emit('test', bits, bits);
    fn.jump('jne', fn.newLabel());
    fuseConditions(fn);
    expect(namesOf(fn)).toEqual(['mov', 'test', 'jne']);
  });

  it.each([
    ['of a sum that may have carried', 'add', 'jl'],
    ['of what leaves no such flags', 'imul', 'jne'],
  ])('%s are tested', (_, maker, jump) => {
    const fn = newFunction();
    const value = fn.general(32);
    fn.emit(maker, value, fn.general(32));
    fn.emit('test', value, value);
    fn.jump(jump, fn.newLabel());
    fuseConditions(fn);
    expect(namesOf(fn)).toEqual([maker, 'test', jump]);
  });

  it('are tested where the register has been written since, or flags have', () => {
    for (const between of ['mov', 'add']) {
      const fn = newFunction();
      const value = fn.general(32);
      fn.emit('and', value, immediate(4));
      fn.emit(between, between === 'mov' ? value : fn.general(32), fn.general(32));
      fn.emit('test', value, value);
      fn.jump('jne', fn.newLabel());
      fuseConditions(fn);
      expect(namesOf(fn)).toEqual(['and', between, 'test', 'jne']);
    }
  });
});

describe('products in addresses', () => {
  /** `v1 << 2` in sums; then what is given. */
  function sums(
    more: (fn: MachineFunction, product: GeneralRegister, of: GeneralRegister) => void,
  ): string[] {
    const fn = newFunction();
    const [product, of, base] = [fn.general(32), fn.general(32), fn.general(64)];
    fn.emit('mov', product, of);
    fn.emit('shl', product, immediate(2));
    const sum = (): void => {
      const index = general(product.number, 64);
      fn.emit('lea', fn.general(32), memory(0, { base, index, offset: 64 }));
    };
    sum();
    more(fn, product, of);
    scaleIndices(fn);
    const scales = fn.items.flatMap((item) =>
      item.kind === 'operation' && item.instruction.operands[1]?.kind === 'memory'
        ? [item.instruction.operands[1].scale ?? 1]
        : [],
    );
    return [...namesOf(fn), ...scales.map(String)];
  }

  it('are multiplied there', () => {
    expect(sums(() => undefined)).toEqual(['lea', '4']);
  });

  it('stay where something else reads them', () => {
    expect(sums((fn, product) => fn.emit('add', fn.general(32), product))).toEqual([
      'mov',
      'shl',
      'lea',
      'add',
      '1',
    ]);
  });

  it('stay where they are read after what is multiplied has changed', () => {
    const found = sums((fn, product, of) => {
      fn.emit('mov', of, immediate(1));
      fn.emit('lea', fn.general(32), memory(0, { base: fn.general(64), index: general(product.number, 64) }));
    });
    expect(found).toEqual(['mov', 'shl', 'lea', 'mov', 'lea', '1', '1']);
  });
});

describe('jumps', () => {
  const [rax, rcx] = [general(0, 32), general(1, 32)];

  /** A jump on a comparison to a label where the same is compared, or `other`; where it leads: the marks from there on. */
  function led(
    jump: string,
    second: string,
    other = immediate(3),
    between?: (fn: MachineFunction) => void,
  ): number[] {
    const fn = newFunction();
    const [middle, end] = [fn.newLabel(), fn.newLabel()];
    fn.emit('cmp', rax, immediate(3));
    between?.(fn);
    fn.jump(jump, middle);
    fn.emit('mov', rcx, immediate(1));
    fn.place(middle);
    fn.emit('cmp', rax, other);
    fn.jump(second, end);
    fn.emit('mov', rcx, immediate(2));
    fn.place(end);
    fn.emit('mov', rcx, immediate(3));
    threadJumps(fn);
    const first = fn.items.find((item) => item.kind === 'operation' && item.instruction.mnemonic === jump);
    const target = first?.kind === 'operation' ? first.instruction.operands[0] : undefined;
    const at = fn.items.findIndex(
      (item) => item.kind === 'label' && target?.kind === 'label' && item.label === target.label,
    );
    return fn.items.slice(at).flatMap((item) => {
      const number =
        item.kind === 'operation' && item.instruction.mnemonic === 'mov' && item.instruction.operands[1];
      return number && number.kind === 'immediate' ? [Number(number.value)] : [];
    });
  }
  const stays = [2, 3];

  it('lead past a comparison whose outcome they know', () => {
    expect(led('jl', 'jl')).toEqual([3]);
    expect(led('jl', 'jge')).toEqual([2, 3]);
  });

  it('go to a comparison of something else, or of what has changed', () => {
    expect(led('jl', 'jl', immediate(4))).toEqual(stays);
    expect(led('jl', 'je')).toEqual(stays);
    expect(led('jl', 'jl', immediate(3), (fn) => fn.emit('mov', rax, rcx))).toEqual(stays);
  });

  it('follow jumps, and leave out what nothing leads to', () => {
    const fn = newFunction();
    const [middle, end] = [fn.newLabel(), fn.newLabel()];
    fn.jump('jne', middle);
    fn.jump('jmp', end);
    fn.place(middle);
    fn.jump('jmp', end);
    fn.place(end);
    fn.emit('ret');
    threadJumps(fn);
    expect(namesOf(fn)).toEqual(['jne', 'jmp', 'ret']);
  });
});
