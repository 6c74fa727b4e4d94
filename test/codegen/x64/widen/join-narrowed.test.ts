/** What is made narrower by one instruction of 512 bits, and what must not be: on code written here, whose meaning is plain. */
import { describe, expect, it } from 'vitest';
import {
  general,
  immediate,
  memory,
  type VectorRegister,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';
import { joinNarrowed } from '../../../../src/codegen/x64/widen/join-narrowed.ts';

interface Parts {
  readonly fn: MachineFunction;
  /** Two vectors of 256 bits. */
  readonly wide: readonly [VectorRegister, VectorRegister];
  /** What they are made narrower into. */
  readonly narrow: readonly [VectorRegister, VectorRegister];
}

/**
 * The names of what becomes of two vectors that are made narrower and put together.
 * @param between writes more, before they are put together
 */
function joined(between: (parts: Parts) => void = () => {}, second = 'vcvttpd2dq'): string[] {
  const fn = new MachineFunction('f', new Program());
  const place = memory(256, {
    base: general(memoryRegister, 64),
    index: general(fn.newGeneral(32), 64),
  });
  const wide = [fn.vector(256), fn.vector(256)] as const;
  const narrow = [fn.vector(), fn.vector()] as const;
  for (const one of wide) fn.emit('vmovups', one, place);
  fn.emit('vcvttpd2dq', narrow[0], wide[0]);
  fn.emit(second, narrow[1], wide[1]);
  between({ fn, wide, narrow });
  const both = fn.vector(256);
  fn.emit('vinserti128', both, { ...narrow[0], bits: 256 }, narrow[1], immediate(1));
  fn.emit('vmovups', place, both);
  joinNarrowed(fn);
  return fn.items.map((item) => (item.kind === 'label' ? 'label' : item.instruction.mnemonic));
}

const apart = ['vmovups', 'vmovups', 'vcvttpd2dq', 'vcvttpd2dq', 'vinserti128', 'vmovups'];

describe('vectors that are made narrower and put together', () => {
  it('are put together before', () => {
    expect(joined()).toEqual(['vmovups', 'vmovups', 'vinserti64x4', 'vcvttpd2dq', 'vmovups']);
  });

  it('stay as they are where one of them has changed since', () => {
    const code = joined(({ fn, wide: [one] }) => fn.emit('vaddpd', one, one, one));
    expect(code).toEqual(apart.toSpliced(4, 0, 'vaddpd'));
  });

  it('stay as they are where one of the results is read elsewhere', () => {
    const code = joined(({ fn, narrow: [one] }) => fn.emit('vpaddd', fn.vector(), one, one));
    expect(code).toEqual(apart.toSpliced(4, 0, 'vpaddd'));
  });

  it('stay as they are behind a label', () => {
    expect(joined(({ fn }) => fn.place(fn.newLabel()))).toEqual(apart.toSpliced(4, 0, 'label'));
  });

  it('stay as they are where each is made narrower in its own way', () => {
    expect(joined(() => {}, 'vcvttpd2udq')).toEqual(apart.with(3, 'vcvttpd2udq'));
  });
});
