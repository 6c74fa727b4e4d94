/** Which tests of two halves look at one register, and which must not: on code written here, whose meaning is plain. */
import { expect, it } from 'vitest';
import {
  immediate,
  maskRegister,
  type VectorRegister,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { testWhole } from '../../../../src/codegen/x64/widen/test-whole.ts';

const low = ({ number }: VectorRegister): VectorRegister => vector(number, 128);

/** The bits that the test looks at. `between` comes after the upper half has been taken out, or before the test. */
function tested(write: (fn: MachineFunction, whole: VectorRegister, high: VectorRegister) => void): number {
  const fn = new MachineFunction('f', new Program());
  const whole = fn.vector(256);
  fn.emit('vxorps', whole, whole, whole);
  const high = fn.vector();
  fn.emit('vextracti128', high, whole, immediate(1));
  write(fn, whole, high);
  testWhole(fn, 128);
  const last = fn.items.at(-1)!;
  if (last.kind === 'label') throw new Error('the test is the last instruction');
  expect(() => printInstruction(last.instruction)).not.toThrow();
  return (last.instruction.operands[0] as VectorRegister).bits;
}

function test(fn: MachineFunction, a: VectorRegister, b: VectorRegister, mnemonic = 'vpor'): void {
  const both = fn.vector();
  fn.emit(mnemonic, both, a, b);
  fn.emit('vptest', both, both);
}

it('looks at both halves at once, in either order', () => {
  expect(tested((fn, whole, high) => test(fn, low(whole), high))).toBe(256);
  expect(tested((fn, whole, high) => test(fn, high, low(whole)))).toBe(256);
});

it('does not where the register has changed', () => {
  const changed = tested((fn, whole, high) => {
    fn.emit('vpaddd', whole, whole, whole);
    test(fn, low(whole), high);
  });
  expect(changed).toBe(128);
});

it('does not where the upper half has changed', () => {
  const changed = tested((fn, whole, high) => {
    fn.emit('vpaddd', high, high, high);
    test(fn, low(whole), high);
  });
  expect(changed).toBe(128);
});

it('does not where the register changes between what joins the halves and the test', () => {
  const changed = tested((fn, whole, high) => {
    const both = fn.vector();
    fn.emit('vpor', both, low(whole), high);
    fn.emit('vpaddd', whole, whole, whole);
    fn.emit('vptest', both, both);
  });
  expect(changed).toBe(128);
});

it('does not for what both halves have in common, nor for halves of two registers', () => {
  expect(tested((fn, whole, high) => test(fn, low(whole), high, 'vpand'))).toBe(128);
  expect(tested((fn, _, high) => test(fn, fn.vector(), high))).toBe(128);
});

it('does not across a label, behind which the register may have come from elsewhere', () => {
  const across = tested((fn, whole, high) => {
    fn.place(0);
    test(fn, low(whole), high);
  });
  expect(across).toBe(128);
});

it('looks at both halves of 512 bits by way of a mask', () => {
  const fn = new MachineFunction('f', new Program());
  const [whole, high, both] = [fn.vector(512), fn.vector(256), fn.vector(256)];
  fn.emit('vxorps', whole, whole, whole);
  fn.emit('vextracti64x4', high, whole, immediate(1));
  fn.emit('vpor', both, vector(whole.number, 256), high);
  fn.emit('vptest', both, both);
  testWhole(fn, 256);
  const last = fn.items.slice(-2).map((item) => (item.kind === 'label' ? item : item.instruction));
  expect(last).toEqual([
    { mnemonic: 'vptestmd', operands: [maskRegister(1), whole, whole] },
    { mnemonic: 'kortestw', operands: [maskRegister(1), maskRegister(1)] },
  ]);
});
