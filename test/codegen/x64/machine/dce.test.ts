/** Which instructions nobody misses. */
import { describe, expect, it } from 'vitest';
import {
  type GeneralRegister,
  general,
  immediate,
  type MemoryOperand,
  memory,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { dce } from '../../../../src/codegen/x64/machine/dce.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';

const place: MemoryOperand = memory(32, { base: general(memoryRegister, 64) });
const wide: MemoryOperand = memory(128, { base: general(memoryRegister, 64) });

/** The names of what is left, and the numbers in it. */
function left(write: (fn: MachineFunction) => void): string[] {
  const fn = new MachineFunction('f', new Program());
  write(fn);
  dce(fn);
  return fn.items.map((item) => {
    if (item.kind === 'label') return 'label';
    const { mnemonic, operands } = item.instruction;
    const numbers = operands.flatMap((one) => (one.kind === 'immediate' ? [` ${one.value}`] : []));
    return `${mnemonic}${numbers.join('')}`;
  });
}

const low = (register: GeneralRegister): GeneralRegister => general(register.number, 8);

describe('left out is', () => {
  it('what is read nowhere, with what was read for it alone', () => {
    const names = left((fn) => {
      const [a, b, c] = [fn.vector(), fn.vector(), fn.vector()];
      fn.emit('vmovups', a, wide);
      fn.emit('vaddps', b, a, a);
      fn.emit('vmovups', c, wide);
      fn.emit('vmovups', wide, c);
    });
    expect(names).toEqual(['vmovups', 'vmovups']);
  });

  it('a value that another one follows before anybody reads it', () => {
    const names = left((fn) => {
      const a = fn.general(32);
      fn.emit('mov', a, immediate(1));
      fn.emit('mov', a, immediate(2));
      fn.emit('mov', place, a);
    });
    expect(names).toEqual(['mov 2', 'mov']);
  });

  it('what is computed in front of a jump that is always taken, or of who reads flags of somebody else', () => {
    const names = left((fn) => {
      const [a, b, c] = [fn.general(32), fn.general(32), fn.general(32)];
      fn.emit('cmp', b, immediate(0));
      fn.emit('lea', a, memory(32, { base: general(memoryRegister, 64), offset: 8 }));
      fn.emit('sete', low(c));
      fn.emit('mov', place, c);
      fn.emit('add', a, immediate(1));
      fn.jump('jmp', fn.newLabel());
    });
    expect(names).toEqual(['cmp 0', 'sete', 'mov', 'jmp']);
  });
});

describe('left in is', () => {
  it('what sets flags that the next instruction reads', () => {
    const names = left((fn) => {
      const [a, b] = [fn.general(32), fn.general(32)];
      fn.emit('mov', a, immediate(1));
      fn.emit('sub', a, immediate(1));
      fn.emit('sete', low(b));
      fn.emit('mov', place, b);
    });
    expect(names).toEqual(['mov 1', 'sub 1', 'sete', 'mov']);
  });

  it('what sets flags that are read further down', () => {
    const names = left((fn) => {
      const [a, b, c] = [fn.general(32), fn.general(32), fn.general(32)];
      fn.emit('mov', a, immediate(1));
      fn.emit('sub', a, immediate(1));
      fn.emit('mov', c, place);
      fn.emit('sete', low(b));
      fn.emit('mov', place, b);
      fn.emit('mov', place, c);
    });
    expect(names).toEqual(['mov 1', 'sub 1', 'mov', 'sete', 'mov', 'mov']);
  });

  it('a value of which a part stays', () => {
    const names = left((fn) => {
      const a = fn.general(32);
      fn.emit('mov', a, immediate(256));
      fn.emit('sete', low(a));
      fn.emit('mov', place, a);
    });
    expect(names).toEqual(['mov 256', 'sete', 'mov']);
  });

  it('a value that may be read where a jump leads', () => {
    const names = left((fn) => {
      const [a, b] = [fn.general(32), fn.general(32)];
      const past = fn.newLabel();
      fn.emit('mov', a, immediate(1));
      fn.emit('cmp', b, immediate(0));
      fn.jump('je', past);
      fn.emit('mov', a, immediate(2));
      fn.place(past);
      fn.emit('mov', place, a);
    });
    expect(names).toEqual(['mov 1', 'cmp 0', 'je', 'mov 2', 'label', 'mov']);
  });

  it('what writes memory, and vectors that are tested', () => {
    const names = left((fn) => {
      const a = fn.vector();
      fn.emit('vmovups', a, wide);
      fn.emit('vptest', a, a);
      fn.jump('je', fn.newLabel());
    });
    expect(names).toEqual(['vmovups', 'vptest', 'je']);
  });
});
