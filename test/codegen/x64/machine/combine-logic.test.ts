/** Logic, and rotations with AVX-512: what becomes one instruction, and that it computes the same. */
import { expect, it } from 'vitest';
import {
  general,
  immediate,
  type MemoryOperand,
  memory,
  type VectorRegister,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { combineLogic } from '../../../../src/codegen/x64/machine/combine-logic.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import {
  firstVirtual,
  type MachineItem,
  memoryRegister,
} from '../../../../src/codegen/x64/machine/operation.ts';

const place = (offset: number): MemoryOperand => memory(128, { base: general(memoryRegister, 64), offset });

class Writer {
  readonly fn = new MachineFunction('f', new Program());

  load(index: number): VectorRegister {
    return this.make('vmovups', place(16 * index));
  }

  make(mnemonic: string, ...operands: Parameters<MachineFunction['emit']>[1][]): VectorRegister {
    const to = this.fn.vector();
    this.fn.emit(mnemonic, to, ...operands);
    return to;
  }

  constant(value: number): MemoryOperand {
    const bytes = new Uint8Array(new Uint32Array(4).fill(value).buffer);
    return memory(128, { constant: this.fn.program.constant(bytes) });
  }

  ones(): VectorRegister {
    const to = this.fn.vector();
    this.fn.emit('vpcmpeqd', to, to, to);
    return to;
  }

  store(from: VectorRegister): void {
    this.fn.emit('vmovups', place(256), from);
  }
}

/** Runs straight code on one lane of 32 bits. @returns what was stored, in order */
function run(fn: MachineFunction, inputs: readonly number[]): number[] {
  const registers = new Map<number, number>();
  const stored: number[] = [];
  const bitsIn = (operand: unknown): number => {
    const one = operand as VectorRegister | MemoryOperand;
    if (one.kind === 'vector') return registers.get(one.number)!;
    if (one.constant === undefined) return inputs[one.offset! / 16]!;
    return new Uint32Array(fn.program.constants[one.constant]!.bytes.slice().buffer)[0]!;
  };
  for (const item of fn.items as Exclude<MachineItem, { kind: 'label' }>[]) {
    const { mnemonic, operands } = item.instruction;
    const [to, a, b, c] = operands;
    const number = (operand: unknown): number => Number((operand as { value: number }).value);
    if (to!.kind === 'memory') {
      stored.push(bitsIn(a) >>> 0);
      continue;
    }
    const target = (to as VectorRegister).number;
    expect(target).toBeGreaterThanOrEqual(firstVirtual);
    const results: Record<string, () => number> = {
      vmovups: () => bitsIn(a),
      vmovaps: () => bitsIn(a),
      vpcmpeqd: () => -1,
      vpand: () => bitsIn(a) & bitsIn(b),
      vpandn: () => ~bitsIn(a) & bitsIn(b),
      vpor: () => bitsIn(a) | bitsIn(b),
      vpxor: () => bitsIn(a) ^ bitsIn(b),
      vpxord: () => bitsIn(a) ^ bitsIn(b),
      vpslld: () => bitsIn(a) << number(b),
      vpsrld: () => bitsIn(a) >>> number(b),
      vprold: () => (bitsIn(a) << number(b)) | (bitsIn(a) >>> (32 - number(b))),
      vpternlogd: () => {
        const [x, y, z] = [registers.get(target)!, bitsIn(a), bitsIn(b)];
        let result = 0;
        for (let bit = 0; bit < 32; bit += 1) {
          const row = (((x >>> bit) & 1) << 2) | (((y >>> bit) & 1) << 1) | ((z >>> bit) & 1);
          result |= ((number(c) >>> row) & 1) << bit;
        }
        return result;
      },
    };
    registers.set(target, results[mnemonic]!());
  }
  return stored;
}

const inputs = [0b1111_0000, 0b1100_1100, 0b1010_1010, 0x1234_5678];

function combined(
  write: (w: Writer) => void,
  avx512 = true,
): { names: string[]; before: number[]; after: number[] } {
  const w = new Writer();
  write(w);
  const before = run(w.fn, inputs);
  combineLogic(w.fn, { avx512 });
  const operations = w.fn.items as Exclude<MachineItem, { kind: 'label' }>[];
  for (const { instruction } of operations) expect(() => printInstruction(instruction)).not.toThrow();
  const names = operations
    .map(({ instruction }) => instruction.mnemonic)
    .filter((name) => !/^vmov/.test(name));
  return { names, before, after: run(w.fn, inputs) };
}

it.each<[string, string[], (w: Writer) => void]>([
  [
    'a choice by bits',
    ['vpternlogd'],
    (w) => {
      const [a, b, c] = [w.load(0), w.load(1), w.load(2)];
      w.store(w.make('vpor', w.make('vpand', a, b), w.make('vpandn', a, c)));
    },
  ],
  [
    'three operands in a row, the last a constant',
    ['vpternlogd'],
    (w) => w.store(w.make('vpxord', w.make('vpor', w.load(0), w.load(3)), w.constant(0x0ff0_1234))),
  ],
  [
    'two operands, one of them a constant twice',
    ['vpternlogd'],
    (w) => {
      const limit = w.constant(0x00ff_00ff);
      w.store(w.make('vpxord', w.make('vpor', w.load(3), limit), limit));
    },
  ],
  [
    'an inverted result',
    ['vpternlogd'],
    (w) => w.store(w.make('vpxord', w.make('vpor', w.load(0), w.load(1)), w.ones())),
  ],
  [
    'four operands: three of them',
    ['vpternlogd', 'vpor'],
    (w) => {
      const pair = w.make('vpand', w.load(0), w.load(1));
      w.store(w.make('vpor', w.make('vpxord', pair, w.load(2)), w.load(3)));
    },
  ],
  [
    'what somebody else reads, too',
    ['vpand', 'vpor'],
    (w) => {
      const pair = w.make('vpand', w.load(0), w.load(1));
      w.store(w.make('vpor', pair, w.load(2)));
      w.store(pair);
    },
  ],
  [
    'a rotation',
    ['vprold'],
    (w) => {
      const a = w.load(3);
      w.store(w.make('vpor', w.make('vpsrld', a, immediate(25)), w.make('vpslld', a, immediate(7))));
    },
  ],
  [
    'shifts that are no rotation',
    ['vpsrld', 'vpslld', 'vpor'],
    (w) => {
      const a = w.load(3);
      w.store(w.make('vpor', w.make('vpsrld', a, immediate(24)), w.make('vpslld', a, immediate(7))));
    },
  ],
])('combines %s', (_, expected, write) => {
  const { names, before, after } = combined(write);
  expect(names).toEqual(expected);
  expect(after).toEqual(before);
});

it.each<[string, string[], (w: Writer) => void]>([
  [
    'an inverted second operand',
    ['vpandn'],
    (w) => w.store(w.make('vpand', w.load(0), w.make('vpxor', w.load(1), w.ones()))),
  ],
  [
    'an inverted first operand',
    ['vpandn'],
    (w) => w.store(w.make('vpand', w.make('vpxor', w.load(0), w.ones()), w.load(1))),
  ],
  [
    'an inverted constant, which no instruction inverts',
    ['vpcmpeqd', 'vpxor', 'vpand'],
    (w) => w.store(w.make('vpand', w.load(0), w.make('vpxor', w.ones(), w.constant(0x0ff0_1234)))),
  ],
  [
    'what is inverted twice',
    ['vpand'],
    (w) => {
      const both = w.make('vpandn', w.make('vpxor', w.load(0), w.ones()), w.load(1));
      w.store(both);
    },
  ],
  [
    'an inverted result, for which there is no instruction',
    ['vpand', 'vpcmpeqd', 'vpxor'],
    (w) => w.store(w.make('vpxor', w.make('vpand', w.load(0), w.load(1)), w.ones())),
  ],
])('combines two operands on AVX2: %s', (_, expected, write) => {
  const { names, before, after } = combined(write, false);
  expect(names).toEqual(expected);
  expect(after).toEqual(before);
});

it('leaves the last of what is tested, which may become a test of a whole register', () => {
  const w = new Writer();
  const any = w.make('vpor', w.make('vpand', w.load(0), w.load(1)), w.load(2));
  w.fn.emit('vptest', any, any);
  combineLogic(w.fn, { avx512: true });
  const names = w.fn.items.map((item) => (item.kind === 'label' ? 'label' : item.instruction.mnemonic));
  expect(names).toEqual(['vmovups', 'vmovups', 'vpand', 'vmovups', 'vpor', 'vptest']);
});

it('leaves what would read a register after it has changed', () => {
  const { names, before, after } = combined((w) => {
    const a = w.load(0);
    const pair = w.make('vpand', a, w.load(1));
    w.fn.emit('vmovups', a, place(48));
    w.store(w.make('vpor', pair, w.load(2)));
    w.store(a);
  });
  expect(names).toEqual(['vpand', 'vpor']);
  expect(after).toEqual(before);
});
