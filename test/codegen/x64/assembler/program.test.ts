/** Programs: labels, jumps by length, constants, boundaries, lines; judged by what objdump reads where there is one. */
import { expect, it } from 'vitest';
import { assemble } from '../../../../src/codegen/x64/assembler/assemble.ts';
import {
  general,
  instruction,
  label,
  memory,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { disassemble, hasObjdump } from './disassemble.ts';

const options = { avx512: false };
const eax = general(0, 32);

it('has short jumps where the label is near, and long ones else, in both directions', () => {
  for (const [between, forward, back] of [
    [127, 2, 6],
    [128, 5, 6],
    [124, 2, 2],
  ] as const) {
    const program = new Program();
    const start = program.newLabel();
    const end = program.newLabel();
    program.place(start);
    program.append(instruction('jmp', label(end)));
    for (let count = 0; count < between; count += 1) program.append(instruction('nop'));
    program.place(end);
    program.append(instruction('jne', label(start)), instruction('ret'));
    const { bytes, labels } = assemble(program, options);
    expect(labels).toEqual([0, forward + between]);
    expect(bytes.length).toBe(forward + between + back + 1);
    const view = new DataView(bytes.buffer);
    expect(forward === 2 ? view.getInt8(1) : view.getInt32(1, true)).toBe(between);
    const jump = labels[1]!;
    const distance = back === 2 ? view.getInt8(jump + 1) : view.getInt32(jump + 2, true);
    expect(jump + back + distance).toBe(0);
  }
});

it('puts constants at their boundaries behind the code, equal ones once', () => {
  const program = new Program();
  const four = program.constant(new Uint8Array([1, 2, 3, 4]), 4);
  const long = program.constant(new Uint8Array(32).fill(7), 32);
  expect(program.constant(new Uint8Array([1, 2, 3, 4]), 4)).toBe(four);
  const ymm1 = vector(1, 256);
  program.append(
    instruction('vaddps', ymm1, ymm1, memory(256, { constant: long })),
    instruction('mov', eax, memory(32, { constant: four })),
    instruction('ret'),
  );
  const code = assemble(program, options);
  expect(code.constantsAt % 32).toBe(0);
  expect(code.constants).toEqual([code.constantsAt + 32, code.constantsAt]);
  expect([...code.bytes.subarray(code.constants[0]!)]).toEqual([1, 2, 3, 4]);
  // The distances count from each instruction's end.
  const view = new DataView(code.bytes.buffer);
  expect(view.getInt32(code.places[1]! - 4, true) + code.places[1]!).toBe(code.constants[1]);
  expect(view.getInt32(code.places[2]! - 4, true) + code.places[2]!).toBe(code.constants[0]);
});

it('fills up to boundaries', () => {
  const program = new Program();
  const loop = program.newLabel();
  program.append(instruction('nop'), instruction('nop'));
  program.align(16);
  program.place(loop);
  program.append(instruction('ret'));
  const code = assemble(program, options);
  expect(code.labels).toEqual([16]);
});

it('refuses a label without a place', () => {
  const program = new Program();
  program.append(instruction('jmp', label(program.newLabel())));
  expect(() => assemble(program, options)).toThrow('label 0 has no place');
});

it.skipIf(!hasObjdump)('is read by objdump with its targets (skipped without objdump)', () => {
  const program = new Program();
  const far = program.newLabel();
  const near = program.newLabel();
  program.append(
    instruction('jz', label(far)),
    instruction('jmp', label(near)),
    instruction('lea', general(3, 64), label(far)),
    instruction('call', label(near)),
  );
  program.align(64);
  program.place(near);
  for (let count = 0; count < 200; count += 1) program.append(instruction('nop'));
  program.place(far);
  program.append(instruction('ret'));
  const { bytes, labels } = assemble(program, options);
  const texts = [...disassemble(bytes).values()];
  const hex = (number: number): string => `0x${number.toString(16)}`;
  expect(texts.slice(0, 4)).toEqual([
    `je ${hex(labels[0]!)}`,
    `jmp ${hex(labels[1]!)}`,
    `lea rbx,[${hex(labels[0]!)}]`,
    `call ${hex(labels[1]!)}`,
  ]);
  expect(labels[1]).toBe(64);
  expect(texts.filter((text) => text.startsWith('(bad)'))).toEqual([]);
});
