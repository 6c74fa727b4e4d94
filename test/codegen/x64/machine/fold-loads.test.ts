/** Which loads become operands of their readers, and which must stay: on code written here. */
import { describe, expect, it } from 'vitest';
import {
  general,
  immediate,
  type MemoryOperand,
  memory,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { foldLoads } from '../../../../src/codegen/x64/machine/fold-loads.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';

const at = (bits: number, offset = 0): MemoryOperand =>
  memory(bits, { base: general(memoryRegister, 64), offset });

/** The mnemonics of what becomes of a function; `[]` behind one stands for memory that it reads or writes. */
function folded(write: (fn: MachineFunction) => void, avx512 = true): string {
  const fn = new MachineFunction('f', new Program());
  write(fn);
  foldLoads(fn, { avx512 });
  return fn.items
    .map((item) => {
      if (item.kind === 'label') return 'label';
      expect(() => printInstruction(item.instruction)).not.toThrow();
      const { mnemonic, operands } = item.instruction;
      return mnemonic + operands.map(({ kind }) => (kind === 'memory' ? '[]' : kind[0])).join('');
    })
    .join(' ');
}

describe('a load becomes an operand', () => {
  it('of the only instruction that reads it', () => {
    const code = folded((fn) => {
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      fn.emit('vsubps', b, b, a);
      fn.emit('vmovups', at(128), b);
    });
    expect(code).toBe('vsubpsvv[] vmovups[]v');
  });

  it('in the other place where the order does not matter', () => {
    const write = (mnemonic: string) => (fn: MachineFunction) => {
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      fn.emit(mnemonic, b, a, b);
    };
    expect(folded(write('vaddps'))).toBe('vaddpsvv[]');
    expect(folded(write('vpand'))).toBe('vpandvv[]');
    for (const one of ['vsubps', 'vpandn', 'vandnps', 'vminps', 'vpsubd', 'vpunpckldq'])
      expect(folded(write(one)), one).toBe(`vmovupsv[] ${one}vvv`);
  });

  it('of one element by what reads one', () => {
    const code = folded((fn) => {
      const [a, b, c] = [fn.vector(), fn.vector(), fn.vector()];
      fn.emit('vmovss', a, at(32));
      fn.emit('vaddss', b, b, a);
      fn.emit('vmovss', c, at(32, 4));
      fn.emit('vaddps', b, b, c);
    });
    expect(code).toBe('vaddssvv[] vmovssv[] vaddpsvvv');
  });

  it('of general registers, also of what compares', () => {
    const code = folded((fn) => {
      const [a, b, c] = [fn.general(32), fn.general(32), fn.general(32)];
      fn.emit('mov', a, at(32));
      fn.emit('add', c, a);
      fn.emit('mov', b, at(32, 8));
      fn.emit('cmp', b, immediate(7));
    });
    expect(code).toBe('addg[] cmp[]i');
  });

  it('across a store to another place', () => {
    const code = folded((fn) => {
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      fn.emit('vmovups', at(128, 16), b);
      fn.emit('vsubps', b, b, a);
    });
    expect(code).toBe('vmovups[]v vsubpsvv[]');
  });
});

describe('a load stays', () => {
  const stays = (between: (fn: MachineFunction) => void): void => {
    const code = folded((fn) => {
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      between(fn);
      fn.emit('vsubps', b, b, a);
    });
    expect(code).toMatch(/^vmovupsv\[\] .*vsubpsvvv$/);
  };

  it('in front of a store that may be to the same place', () => {
    stays((fn) => fn.emit('vmovups', at(128, 8), fn.vector()));
    stays((fn) =>
      fn.emit(
        'mov',
        memory(32, { base: general(memoryRegister, 64), index: general(70, 64) }),
        fn.general(32),
      ),
    );
  });

  it('in front of labels, calls and atomic operations', () => {
    stays((fn) => fn.place(fn.newLabel()));
    stays((fn) =>
      fn.append({ mnemonic: 'call', operands: [{ kind: 'label', label: fn.newLabel() }] }, { isCall: true }),
    );
    stays((fn) => fn.emit('xchg', at(32, 64), fn.general(32)));
    stays((fn) => fn.emit('mfence'));
  });

  it('in front of a routine, which keeps registers and writes to memory', () => {
    stays((fn) =>
      fn.append(
        { mnemonic: 'call', operands: [{ kind: 'label', label: fn.newLabel() }] },
        { uses: [1, 6, 7], definitions: [0, 1, 6, 7] },
      ),
    );
  });

  it('where the register of its address changes', () => {
    const code = folded((fn) => {
      const [a, b] = [fn.vector(), fn.vector()];
      const index = fn.general(64);
      fn.emit('vmovups', a, memory(128, { base: general(memoryRegister, 64), index }));
      fn.emit('add', index, immediate(16));
      fn.emit('vsubps', b, b, a);
    });
    expect(code).toBe('vmovupsv[] addgi vsubpsvvv');
  });

  it('that two read, or an instruction that has memory already', () => {
    const code = folded((fn) => {
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      fn.emit('vsubps', b, b, a);
      fn.emit('vmulps', b, a, at(128, 16));
    });
    expect(code).toBe('vmovupsv[] vsubpsvvv vmulpsvv[]');
  });

  it('that a copy would want aligned, and one element of which another one is taken', () => {
    const code = folded((fn) => {
      const [a, b, c, d] = [fn.vector(), fn.vector(), fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      fn.emit('vmovaps', b, a);
      fn.emit('vmovss', c, at(32));
      fn.emit('vinsertps', d, d, c, immediate(0x40));
    });
    expect(code).toBe('vmovupsv[] vmovapsvv vmovssv[] vinsertpsvvvi');
  });

  it('of a general register, which may be atomic, in front of every access', () => {
    const code = folded((fn) => {
      const [a, b, c] = [fn.general(32), fn.vector(), fn.general(32)];
      fn.emit('mov', a, at(32));
      fn.emit('vmovups', b, at(128, 64));
      fn.emit('add', c, a);
    });
    expect(code).toBe('movg[] vmovupsv[] addgg');
  });

  it('of 32 bits that is read as 64', () => {
    const code = folded((fn) => {
      const [a, b] = [fn.general(32), fn.vector()];
      fn.emit('mov', a, at(32));
      fn.emit('vcvtsi2sd', b, b, general(a.number, 64));
    });
    expect(code).toBe('movg[] vcvtsi2sdvvg');
  });

  it('where only AVX-512 could read it, and there is none', () => {
    const write = (fn: MachineFunction): void => {
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(128));
      fn.emit('vpslld', b, a, immediate(4));
    };
    expect(folded(write)).toBe('vpslldv[]i');
    expect(folded(write, false)).toBe('vmovupsv[] vpslldvvi');
  });

  it('where its address would live much longer for it', () => {
    const code = (others: number): string =>
      folded((fn) => {
        const [a, b] = [fn.vector(), fn.vector()];
        fn.emit('vmovups', a, memory(128, { base: general(memoryRegister, 64), index: fn.general(64) }));
        for (let count = 0; count < others; count += 1) fn.emit('vaddps', b, b, b);
        fn.emit('vsubps', b, b, a);
      });
    expect(code(2)).toBe('vaddpsvvv vaddpsvvv vsubpsvv[]');
    expect(code(10)).toMatch(/^vmovups/);
  });
});
