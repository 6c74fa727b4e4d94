/** What becomes of two registers of 256 bits: on code written here, whose meaning is plain, and by the assembler for each instruction. */
import { describe, expect, it } from 'vitest';
import { CodeBuffer } from '../../../../src/codegen/x64/assembler/code-buffer.ts';
import { encode } from '../../../../src/codegen/x64/assembler/encode.ts';
import {
  general,
  type Instruction,
  immediate,
  memory,
  type Operand,
  type VectorRegister,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { formsOfMnemonic, tableLines } from '../../../../src/codegen/x64/assembler/tables/index.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { firstVirtual, memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';
import { joinHalves } from '../../../../src/codegen/x64/widen/join-halves.ts';
import { isJoinable } from '../../../../src/codegen/x64/widen/joinable.ts';
import { wholeForm } from '../../../../src/codegen/x64/widen/whole-form.ts';

const base = general(memoryRegister, 64);

/** The names of what becomes of a function, with the sizes of their registers. */
function widened(write: (fn: MachineFunction) => void, depth = 1): string[] {
  const fn = new MachineFunction('f', new Program());
  fn.depth = depth;
  write(fn);
  joinHalves(fn, 256);
  return fn.items.flatMap((item) => {
    if (item.kind === 'label') return [];
    const { mnemonic, operands } = item.instruction;
    const bits = operands.flatMap((one) => (one.kind === 'vector' ? [one.bits] : []));
    return [`${mnemonic}${bits.length > 0 ? ` ${Math.max(...bits)}` : ''}`];
  });
}

function load(fn: MachineFunction, address: number, part: number): VectorRegister {
  const to = fn.vector(256);
  const from = memory(256, { base, index: general(address, 64), offset: 32 * part });
  fn.emit('vmovups', to, from);
  return to;
}

function store(fn: MachineFunction, address: number, part: number, value: VectorRegister): void {
  fn.emit('vmovups', memory(256, { base, index: general(address, 64), offset: 32 * part }), value);
}

function made(fn: MachineFunction, mnemonic: string, ...operands: Operand[]): VectorRegister {
  const to = fn.vector(256);
  fn.emit(mnemonic, to, ...operands);
  return to;
}

describe('two registers of 256 bits', () => {
  it('become one of 512, also where the instruction has another name', () => {
    const code = widened((fn) => {
      const [p, q] = [fn.newGeneral(32), fn.newGeneral(32)];
      const [a, b] = [0, 1].map((part) => load(fn, p, part));
      const rounded = [a!, b!].map((one) => made(fn, 'vroundps', one, immediate(9)));
      const masked = rounded.map((one, part) => made(fn, 'vpand', one, [a!, b!][part]!));
      masked.forEach((one, part) => {
        store(fn, q, part, one);
      });
    });
    expect(code).toEqual(['vmovups 512', 'vrndscaleps 512', 'vpandd 512', 'vmovups 512']);
  });

  it('are compared into a mask register, of which lanes are made; a choice is logic', () => {
    const code = widened((fn) => {
      const [p, q, r] = [fn.newGeneral(32), fn.newGeneral(32), fn.newGeneral(32)];
      const pairs = [0, 1].map((part) => [load(fn, p, part), load(fn, q, part)] as const);
      const sums = pairs.map(([a, b]) => made(fn, 'vaddps', made(fn, 'vmulps', a, b), b));
      const below = pairs.map(([a, b]) => made(fn, 'vcmpps', a, b, immediate(1)));
      pairs.forEach(([a], part) => {
        store(fn, r, part, made(fn, 'vpblendvb', a, sums[part]!, below[part]!));
      });
    });
    expect(code).toContain('vcmpps 512');
    expect(code).toContain('vpmovm2d 512');
    expect(code).toContain('vpternlogd 512');
    expect(code).not.toContain('vpblendvb 256');
  });

  it('are compared as they are in loops in which a branch depends on lanes', () => {
    const code = widened((fn) => {
      const [p, q, r] = [fn.newGeneral(32), fn.newGeneral(32), fn.newGeneral(32)];
      const pairs = [0, 1].map((part) => [load(fn, p, part), load(fn, q, part)] as const);
      const below = pairs.map(([a, b]) => made(fn, 'vcmpps', a, b, immediate(1)));
      const any = made(fn, 'vpor', below[0]!, below[1]!);
      fn.emit('vptest', any, any);
      below.forEach((one, part) => {
        store(fn, r, part, one);
      });
    });
    expect(code.filter((one) => one === 'vcmpps 256')).toHaveLength(2);
    expect(code).not.toContain('vpmovm2d 512');
  });
});

it('has an encoding for all that may be joined', () => {
  const fn = new MachineFunction('f', new Program());
  const shapes = new Map<string, Instruction>();
  for (const mnemonic of tableLines().keys()) {
    for (const { operands } of formsOfMnemonic(mnemonic)) {
      const found = operands.map(({ register, memory: bits, immediate: number }, at): Operand | undefined => {
        if (register?.kind === 'vector' && register.bits === 256) return vector(firstVirtual + at, 256);
        if (register) return undefined;
        if (bits === 256) return memory(256, { base });
        return number === undefined ? undefined : immediate(1);
      });
      if (found.includes(undefined)) continue;
      const one = { mnemonic, operands: found as Operand[] };
      if (isJoinable(one, 256)) shapes.set(`${mnemonic} ${found.map((each) => each!.kind).join(' ')}`, one);
    }
  }
  expect(shapes.size).toBeGreaterThan(100);
  for (const [shape, one] of shapes) {
    const operands = one.operands.map((operand): Operand => {
      if (operand.kind === 'vector') return vector(operand.number, 512);
      return operand.kind === 'memory' ? { ...operand, bits: 512 } : operand;
    });
    for (const whole of wholeForm(fn, { ...one, operands })) {
      const real = whole.operands.map(
        (operand): Operand =>
          operand.kind === 'vector' ? vector(operand.number % 16, operand.bits) : operand,
      );
      expect(
        () => encode(new CodeBuffer(), { ...whole, operands: real }, { avx512: true }),
        shape,
      ).not.toThrow();
    }
  }
});
