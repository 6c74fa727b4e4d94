/** Which copies go, and which must stay: on code written here. */
import { describe, expect, it } from 'vitest';
import {
  type GeneralRegister,
  general,
  immediate,
  memory,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { propagateCopies } from '../../../../src/codegen/x64/machine/copy-propagation.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';

const place = memory(32, { base: general(memoryRegister, 64) });

/** The text of what becomes of a function; its registers are a, b, c, ... in the order in which they were made. */
function left(write: (fn: MachineFunction, r: () => GeneralRegister) => void): string[] {
  const fn = new MachineFunction('f', new Program());
  write(fn, () => fn.general(32));
  propagateCopies(fn);
  return fn.items.map((item) => {
    if (item.kind === 'label') return 'label';
    const text = printInstruction(item.instruction);
    return text.replace(/r(\d+)\.32/g, (_, number) => String.fromCharCode(97 + Number(number) - 64));
  });
}

const number = immediate(5);

describe('a copy', () => {
  it('goes, and whoever reads it reads what was copied, in other blocks, too', () => {
    const code = left((fn, r) => {
      const [a, b, c] = [r(), r(), r()];
      const end = fn.newLabel();
      fn.emit('mov', a, number);
      fn.emit('mov', b, a);
      fn.emit('mov', c, b);
      fn.emit('test', c, c);
      fn.jump('je', end);
      fn.emit('mov', place, b);
      fn.place(end);
      fn.emit('mov', place, c);
    });
    const there = 'DWORD PTR [r15]';
    expect(code).toEqual(['mov a,0x5', 'test a,a', 'je L0', `mov ${there},a`, 'label', `mov ${there},a`]);
  });

  it('of what several instructions of its block have made goes', () => {
    const code = left((fn, r) => {
      const [a, b] = [r(), r()];
      fn.emit('mov', a, number);
      fn.emit('add', a, number);
      fn.emit('mov', b, a);
      fn.emit('mov', place, b);
    });
    expect(code).toHaveLength(3);
  });

  it('stays where what was copied is written again behind it', () => {
    const code = left((fn, r) => {
      const [a, b] = [r(), r()];
      fn.emit('mov', a, number);
      fn.emit('mov', b, a);
      fn.emit('add', a, number);
      fn.emit('mov', place, b);
      fn.emit('mov', place, a);
    });
    expect(code).toHaveLength(5);
  });

  it('stays where what was copied is written in several blocks', () => {
    const code = left((fn, r) => {
      const [a, b] = [r(), r()];
      const again = fn.newLabel();
      fn.emit('mov', a, number);
      fn.place(again);
      fn.emit('mov', b, a);
      fn.emit('sub', a, immediate(1));
      fn.emit('mov', place, b);
      fn.jump('jne', again);
    });
    expect(code).toHaveLength(6);
  });

  it('stays where its register may be read before: it is zero there', () => {
    const code = left((fn, r) => {
      const [a, b] = [r(), r()];
      const end = fn.newLabel();
      fn.emit('mov', a, number);
      fn.emit('test', a, a);
      fn.jump('je', end);
      fn.emit('mov', b, a);
      fn.place(end);
      fn.emit('mov', place, b);
    });
    expect(code).toHaveLength(6);
  });

  it('of the first lane of a vector goes; of a scalar, which has no other lanes, into a vector it stays', () => {
    const stored = (from: 32 | 128, to: 32 | 128): number =>
      left((fn) => {
        const [a, b] = [fn.newVector(from), fn.newVector(to)].map((number) => vector(number, 128));
        fn.emit('vmovups', a!, memory(128, { base: general(memoryRegister, 64) }));
        fn.emit('vmovaps', b!, a!);
        fn.emit('vmovss', place, b!);
      }).length;
    expect([stored(128, 32), stored(128, 128), stored(32, 32), stored(32, 128)]).toEqual([2, 2, 2, 3]);
  });

  it('of a part of a register stays', () => {
    const code = left((fn, r) => {
      const [a, b] = [fn.general(64), r()];
      fn.emit('mov', a, number);
      fn.emit('mov', b, general(a.number, 32));
      fn.emit('mov', place, b);
    });
    expect(code).toHaveLength(3);
  });
});
