/** Which instructions of 128 bits become one of 256, and which must not: on code written here, whose meaning is plain. */
import { describe, expect, it } from 'vitest';
import {
  general,
  immediate,
  type MemoryOperand,
  memory,
  type VectorRegister,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';
import { separateValues } from '../../../../src/codegen/x64/machine/separate-values.ts';
import { localValueNumbering } from '../../../../src/codegen/x64/machine/value-numbering.ts';
import { joinHalves } from '../../../../src/codegen/x64/widen/join-halves.ts';

interface Writer {
  readonly fn: MachineFunction;
  /** A place of the kernel's memory: what is at the address in a register, and so many bytes on. */
  at(address: number, offset: number): MemoryOperand;
}

/** The names of what becomes of a function, with the sizes of their registers. */
function widened(write: (writer: Writer) => void): string[] {
  const fn = new MachineFunction('f', new Program());
  const base = general(memoryRegister, 64);
  write({ fn, at: (address, offset) => memory(128, { base, index: general(address, 64), offset }) });
  separateValues(fn);
  localValueNumbering(fn);
  joinHalves(fn, 128);
  return fn.items.flatMap((item) => {
    if (item.kind === 'label') return ['label'];
    const { mnemonic, operands } = item.instruction;
    const bits = operands.flatMap((one) => (one.kind === 'vector' ? [one.bits] : []));
    expect(() => printInstruction(item.instruction)).not.toThrow();
    return [`${mnemonic}${bits.length > 0 ? ` ${Math.max(...bits)}` : ''}`];
  });
}

/** Loads a value of so many parts. */
function load({ fn, at }: Writer, address: number, parts = 2): VectorRegister[] {
  return Array.from({ length: parts }, (_, part) => {
    const to = fn.vector();
    fn.emit('vmovups', to, at(address, 16 * part));
    return to;
  });
}

function sum({ fn }: Writer, a: readonly VectorRegister[], b: readonly VectorRegister[]): VectorRegister[] {
  return a.map((one, part) => {
    const to = fn.vector();
    fn.emit('vaddps', to, one, b[part]!);
    return to;
  });
}

function store({ fn, at }: Writer, address: number, values: readonly VectorRegister[]): void {
  values.forEach((one, part) => {
    fn.emit('vmovups', at(address, 16 * part), one);
  });
}

describe('two halves', () => {
  it('that lanes are made wider into come from one register', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      const [whole] = load(w, p, 1);
      const [low, upper, high] = [fn.vector(), fn.vector(), fn.vector()];
      fn.emit('vcvtdq2pd', low, whole!);
      fn.emit('vpshufd', upper, whole!, immediate(0xee));
      fn.emit('vcvtdq2pd', high, upper);
      const roots = [low, high].map((one) => {
        const to = fn.vector();
        fn.emit('vsqrtpd', to, one);
        return to;
      });
      store(w, q, roots);
    });
    expect(code).toEqual(['vmovups 128', 'vcvtdq2pd 256', 'vsqrtpd 256', 'vmovups 256']);
  });

  it('that lanes are made wider into are two where the register has changed meanwhile', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      const [whole] = load(w, p, 1);
      const [low, upper, high] = [fn.vector(), fn.vector(), fn.vector()];
      const again = fn.newLabel();
      fn.depth = 1;
      fn.place(again);
      fn.emit('vpshufd', upper, whole!, immediate(0xee));
      fn.emit('vpaddd', whole!, whole!, whole!);
      fn.emit('vcvtdq2pd', low, whole!);
      fn.emit('vcvtdq2pd', high, upper);
      store(w, q, [low, high]);
      fn.emit('cmp', general(p, 32), general(q, 32));
      fn.jump('jb', again);
    });
    expect(code.filter((one) => one.startsWith('vcvt'))).toEqual(['vcvtdq2pd 128', 'vcvtdq2pd 128']);
  });

  /** Doubles of the lanes of a register whose upper half another loop has taken out. */
  function widenedInLoop({ fn }: Writer, whole: VectorRegister, changes: boolean): VectorRegister[] {
    const [low, upper, high] = [fn.vector(), fn.vector(), fn.vector()];
    fn.emit('vpshufd', upper, whole, immediate(0xee));
    fn.depth = 1;
    fn.place(fn.newLabel());
    if (changes) fn.emit('vpaddd', whole, whole, whole);
    fn.emit('vcvtdq2pd', low, whole);
    fn.emit('vcvtdq2pd', high, upper);
    return [low, high];
  }

  it('that lanes are made wider into are one where the upper half was taken before a loop, of what does not change', () => {
    for (const changes of [false, true]) {
      const code = widened((w) => {
        const [p, q] = [w.fn.newGeneral(32), w.fn.newGeneral(32)];
        store(w, q, widenedInLoop(w, load(w, p, 1)[0]!, changes));
      });
      expect(code.includes('vcvtdq2pd 256')).toBe(!changes);
    }
  });

  it('that are put together to be made narrower are where they are', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q, r] = [fn.newGeneral(32), fn.newGeneral(32), fn.newGeneral(32)];
      const [low, high] = sum(w, load(w, p), load(w, q));
      const both = fn.vector(256);
      fn.emit('vinserti128', both, { ...low!, bits: 256 }, high!, immediate(1));
      const narrow = fn.vector();
      fn.emit('vcvttpd2dq', narrow, both);
      store(w, r, [narrow]);
    });
    expect(code).toEqual([
      'vmovups 256',
      'vmovups 256',
      'vaddps 256',
      'vmovaps 256',
      'vcvttpd2dq 256',
      'vmovups 128',
    ]);
  });

  it('that are loaded, computed and stored next to each other are one', () => {
    const code = widened((w) => {
      const [p, q] = [w.fn.newGeneral(32), w.fn.newGeneral(32)];
      store(w, q, sum(w, load(w, p), load(w, q)));
    });
    expect(code).toEqual(['vmovups 256', 'vmovups 256', 'vaddps 256', 'vmovups 256']);
  });

  it('share what both of them read', () => {
    const code = widened((w) => {
      const [p, s] = [w.fn.newGeneral(32), w.fn.newGeneral(32)];
      const both = w.fn.vector();
      w.fn.emit('vbroadcastss', both, { ...w.at(s, 0), bits: 32 });
      store(w, p, sum(w, load(w, p), [both, both]));
    });
    expect(code).toEqual(['vbroadcastss 256', 'vmovups 256', 'vaddps 256', 'vmovups 256']);
  });

  it('are taken apart where one is read alone, behind the jump past it, and once in a block', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      const sums = sum(w, load(w, p), load(w, q));
      store(w, q, sum(w, sums, sums));
      store(w, p, sums);
      const end = fn.newLabel();
      fn.emit('cmp', general(p, 32), general(q, 32));
      fn.jump('jb', end);
      fn.place(fn.newLabel());
      fn.emit('vmovmskps', general(q, 32), sums[1]!);
      fn.emit('vmovmskpd', general(q, 32), sums[1]!);
      fn.place(end);
    });
    const end = ['jb', 'label', 'vextracti128 256', 'vmovmskps 128', 'vmovmskpd 128', 'label'];
    expect(code.slice(-end.length)).toEqual(end);
    expect(code.filter((one) => one.startsWith('vextract'))).toHaveLength(1);
  });

  it('stay one through a loop that goes on with them, whatever registers copies go through', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      const [low, high] = [fn.vector(), fn.vector()];
      for (const one of [low, high]) fn.emit('vxorps', one, one, one);
      const again = fn.newLabel();
      fn.depth = 1;
      fn.place(again);
      const sums = sum(w, [low, high], load(w, p));
      // In the other order, as stack code takes them.
      fn.emit('vmovaps', high, sums[1]!);
      fn.emit('vmovaps', low, sums[0]!);
      fn.emit('add', general(p, 32), immediate(32));
      fn.emit('cmp', general(p, 32), general(q, 32));
      fn.jump('jb', again);
      fn.depth = 0;
      store(w, q, [low, high]);
    });
    expect(code).toEqual([
      'vxorps 256',
      'label',
      'vmovups 256',
      'vaddps 256',
      'vmovaps 256',
      'add',
      'cmp',
      'jb',
      'vmovups 256',
    ]);
  });

  it('are not moved past a store that may change what is loaded', () => {
    const code = widened((w) => {
      const { fn, at } = w;
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      for (const offset of [0, 16]) {
        const to = fn.vector();
        fn.emit('vmovups', to, at(p, offset));
        fn.emit('vmovups', at(q, offset), to);
      }
    });
    expect(code).toEqual(['vmovups 128', 'vmovups 128', 'vmovups 128', 'vmovups 128']);
  });

  it('are not moved past fences and atomic operations, wherever these are', () => {
    const between = [
      ({ fn }: Writer) => fn.emit('mfence'),
      ({ fn, at }: Writer, p: number) => fn.emit('xchg', { ...at(p, 128), bits: 32 }, fn.general(32)),
    ];
    for (const order of between) {
      const code = widened((w) => {
        const { fn, at } = w;
        const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
        const values = sum(w, load(w, p), load(w, q));
        fn.emit('vmovups', at(p, 64), values[0]!);
        order(w, p);
        fn.emit('vmovups', at(p, 80), values[1]!);
      });
      const ordering = code.findIndex((one) => /^(mfence|xchg)/.test(one));
      expect(code.slice(0, ordering)).toContain('vmovups 128');
      expect(code.slice(ordering + 1)).toContain('vmovups 128');
    }
  });

  it('are moved past a store beside what is loaded', () => {
    const code = widened((w) => {
      const { fn, at } = w;
      const p = fn.newGeneral(32);
      const sums = [0, 16].map((offset) => {
        const to = fn.vector();
        fn.emit('vmovups', to, at(p, offset));
        fn.emit('vmovups', at(p, offset + 64), to);
        return to;
      });
      store(w, p, sums);
    });
    expect(code).toEqual(['vmovups 256', 'vmovups 256', 'vmovups 256']);
  });

  it('are no halves of what lies elsewhere, or behind a change of the address', () => {
    const code = widened((w) => {
      const { fn, at } = w;
      const p = fn.newGeneral(32);
      const [a, b] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', a, at(p, 0));
      fn.emit('vmovups', b, at(p, 32));
      store(w, p, sum(w, [a], [b]));
      const [c, d] = [fn.vector(), fn.vector()];
      fn.emit('vmovups', c, at(p, 64));
      fn.emit('shl', general(p, 32), immediate(1));
      fn.emit('vmovups', d, at(p, 80));
      store(w, p, sum(w, [c], [d]));
    });
    expect(code.every((one) => !one.endsWith('256'))).toBe(true);
  });

  it('are no halves of each other where one is computed from the other', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      const [low, high] = load(w, p);
      const start = fn.vector();
      fn.emit('vmovups', start, w.at(q, 0));
      const sums = sum(w, [start], [low!]);
      store(w, q, sum(w, sums, [high!]));
    });
    expect(code.filter((one) => one === 'vaddps 128')).toHaveLength(2);
  });

  it('are taken apart where only the lower one is computed with', () => {
    const code = widened((w) => {
      const [p, q] = [w.fn.newGeneral(32), w.fn.newGeneral(32)];
      const [low, high] = load(w, p);
      w.fn.emit('vsqrtps', low!, low!);
      const [one, other] = [w.fn.vector(), w.fn.vector()];
      w.fn.emit('vcvtdq2pd', one, low!);
      w.fn.emit('vcvtdq2pd', other, high!);
      store(w, q, [one]);
      w.fn.emit('vmovups', w.at(q, 64), other);
    });
    expect(code.every((one) => !one.endsWith('256'))).toBe(true);
  });
});

describe('in a loop that tells nothing of which parts belong together', () => {
  /** Sums of parts that begin as zeros, of which nobody knows which are neighbours. */
  const kernel = (depth: number) => (w: Writer) => {
    const { fn } = w;
    const [sums, factors] = [0, 1].map(() => [fn.vector(), fn.vector()]) as [
      VectorRegister[],
      VectorRegister[],
    ];
    for (const one of [...sums, ...factors]) fn.emit('vxorps', one, one, one);
    const head = fn.newLabel();
    fn.place(head);
    fn.depth = depth;
    for (let step = 0; step < 3; step += 1) {
      for (const part of [0, 1]) fn.emit('vmulps', factors[part]!, factors[part]!, factors[part]!);
      for (const part of [0, 1]) fn.emit('vaddps', sums[part]!, sums[part]!, factors[part]!);
    }
    fn.jump('jne', head);
    fn.depth = 0;
    sums.forEach((one, part) => {
      fn.emit('vmovups', w.at(fn.newGeneral(32), 16 * part), one);
    });
  };

  it('neighbours that do the same are tried', () => {
    const code = widened(kernel(1));
    expect(code.filter((one) => one === 'vmulps 256')).toHaveLength(3);
    expect(code.filter((one) => one === 'vaddps 256')).toHaveLength(3);
  });

  it('outside of loops they are not', () => {
    expect(widened(kernel(0)).every((one) => !/ps 256/.test(one))).toBe(true);
  });
});

describe('numbers', () => {
  it('that are computed twice in a block are computed once', () => {
    const code = widened(({ fn, at }) => {
      const [p, q] = [fn.general(32), fn.general(32)];
      for (const offset of [0, 16]) {
        const address = fn.general(32);
        fn.emit('mov', address, p);
        fn.emit('add', address, q);
        const to = fn.vector();
        fn.emit('vmovups', to, at(address.number, offset));
        fn.emit('vmovups', at(p.number, offset), to);
      }
    });
    expect(code.filter((one) => one === 'add')).toHaveLength(1);
  });

  it('are computed again where what they are of has changed', () => {
    const code = widened(({ fn, at }) => {
      const [p, q] = [fn.general(32), fn.general(32)];
      for (const offset of [0, 16]) {
        const address = fn.general(32);
        fn.emit('mov', address, p);
        fn.emit('add', address, q);
        fn.emit('vmovups', at(address.number, offset), fn.vector());
        fn.emit('shl', q, immediate(1));
      }
      fn.emit('mov', { ...at(p.number, 0), bits: 32 }, q);
    });
    expect(code.filter((one) => one === 'add')).toHaveLength(2);
    expect(code.filter((one) => one === 'shl')).toHaveLength(2);
  });
});

describe('registers that are no halves', () => {
  it('are put together once for all that read them', () => {
    const code = widened((w) => {
      const { fn } = w;
      const [p, q, r] = [fn.newGeneral(32), fn.newGeneral(32), fn.newGeneral(32)];
      const [a, b, c, d] = [0, 64, 128, 192].map((offset) => {
        const to = fn.vector();
        fn.emit('vmovups', to, w.at(p, offset));
        return to;
      });
      for (const [mnemonic, place] of [
        ['vunpcklps', q],
        ['vunpckhps', r],
      ] as const) {
        const roots = [
          [a!, b!],
          [c!, d!],
        ].map(([x, y]) => {
          const [mixed, root] = [fn.vector(), fn.vector()];
          fn.emit(mnemonic, mixed, x!, y!);
          fn.emit('vsqrtps', root, mixed);
          return root;
        });
        store(w, place, roots);
      }
    });
    expect(code.filter((one) => one.startsWith('vunpck'))).toEqual(['vunpcklps 256', 'vunpckhps 256']);
    expect(code.filter((one) => one.startsWith('vinsert'))).toHaveLength(2);
  });
});
