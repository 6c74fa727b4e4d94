/** Registers that are live at once with the same value become one, where loops carry on what is read behind them, too. */
import { expect, it } from 'vitest';
import { allocate } from '../../../../src/codegen/x64/allocate/allocate.ts';
import {
  type GeneralRegister,
  general,
  immediate,
  memory,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';

const rax = general(0, 32);

/** A loop that counts, whose last count is read behind it. @param between what is done while both are live */
function counting(
  between: (fn: MachineFunction, next: GeneralRegister, count: GeneralRegister) => void,
): string[] {
  const fn = new MachineFunction('f', new Program());
  const [count, next] = [fn.general(32), fn.general(32)];
  const begin = fn.newLabel();
  fn.emit('mov', count, immediate(0));
  fn.depth = 1;
  fn.place(begin);
  fn.emit('lea', next, memory(0, { base: general(count.number, 64), offset: 4 }));
  fn.emit('mov', count, next);
  between(fn, next, count);
  fn.emit('cmp', count, immediate(100));
  fn.jump('jne', begin);
  fn.depth = 0;
  fn.emit('mov', rax, next);
  fn.emit('ret');
  allocate(fn, { avx512: false });
  return fn.items.flatMap((item) => (item.kind === 'label' ? [] : [item.instruction.mnemonic]));
}

it('copies nothing in a loop', () => {
  expect(counting(() => undefined).filter((name) => name === 'mov').length).toBeLessThan(3);
});

it('copies where one of them is changed while the other one is live', () => {
  const changed = counting((fn, next) => fn.emit('add', next, immediate(1)));
  expect(changed.slice(1, 5)).toEqual(['lea', 'mov', 'add', 'cmp']);
  const other = counting((fn, _, count) => fn.emit('add', count, immediate(1)));
  expect(other.slice(1, 5)).toEqual(['lea', 'mov', 'add', 'cmp']);
});

it('copies where code from elsewhere leads to what is behind the copy', () => {
  const joined = counting((fn) => fn.place(fn.newLabel()));
  expect(joined.slice(1, 3)).toEqual(['lea', 'mov']);
});
