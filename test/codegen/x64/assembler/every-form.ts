/** Instructions of every form of the tables, with registers and addresses of all kinds that are encoded in their own way. */
import type { Form, OperandType } from '../../../../src/codegen/x64/assembler/form.ts';
import {
  type GeneralBits,
  general,
  type Instruction,
  immediate,
  type MemoryOperand,
  maskRegister,
  type Operand,
  type VectorBits,
  vector,
} from '../../../../src/codegen/x64/assembler/instruction.ts';

const [rax, rcx, rbx, rsp, rbp, rsi, r8, r12, r13, r15] = [0, 1, 3, 4, 5, 6, 8, 12, 13, 15].map((number) =>
  general(number, 64),
);

type Address = Omit<MemoryOperand, 'kind' | 'bits'>;

/** Addresses; offsets around the limits of a displacement of 8 bits that counts in units. */
function addresses(unit: number, constant: number): Address[] {
  return [
    { base: rax! },
    { base: rsp! },
    { base: rbp! },
    { base: r12! },
    { base: r13! },
    { base: r8!, offset: 1 },
    { base: rsp!, offset: 8 },
    { base: r12!, offset: -8 },
    { base: rbp!, offset: 127 },
    { base: r13!, offset: 128 },
    { base: rcx!, offset: -128 },
    { base: rcx!, offset: -129 },
    { base: rsi!, offset: unit * 127 },
    { base: rsi!, offset: unit * 128 },
    { base: rsp!, offset: unit * -128 },
    { base: r15!, offset: unit * -129 },
    { base: rbx!, offset: unit * 3 + 1 },
    { base: rbx!, offset: 0x7fffffff },
    { base: rax!, index: rcx!, scale: 4 },
    { base: rsp!, index: rbp!, scale: 8, offset: 0x7f },
    { base: rbp!, index: r12!, scale: 2 },
    { base: r13!, index: r13!, scale: 1 },
    { base: r12!, index: r15!, scale: 8, offset: unit * 5 },
    { base: r8!, index: rax!, scale: 1, offset: -0x12345678 },
    { index: rsi!, scale: 4, offset: 0x40 },
    { index: r12!, scale: 8 },
    { offset: 0x1234 },
    { constant },
    { constant, offset: 4 },
  ];
}

/** Registers of a form by number, of several kinds in turn. */
function registerNumbers(form: Form): readonly number[] {
  return form.kind === 'evex' ? [0, 7, 8, 15, 16, 31, 22, 5, 12, 27, 3] : [0, 7, 8, 15, 4, 5, 12, 13, 2];
}

function operandOf(type: OperandType, form: Form, choice: number, number: number): Operand {
  const { register, immediate: number_ } = type;
  if (register && (choice >= 0 || type.memory === undefined)) {
    if (register.kind === 'mask') return maskRegister(number & 7);
    if (register.kind === 'vector') return vector(number, register.bits as VectorBits);
    return general(register.number ?? number & 15, register.bits as GeneralBits);
  }
  if (number_) {
    const { bytes, extended, exactly } = number_;
    if (exactly !== undefined) return immediate(exactly);
    const values = extended
      ? bytes === 1
        ? [1, -1, 127, -128]
        : [0x12345678, -0x12345678]
      : [
          [3, 0x7f, 0xff],
          [0x1234, 0xfffe],
          [0x12345678, 0xfedcba98],
          [0x123456789abcdef0n, -2n],
        ][Math.log2(bytes)]!;
    return immediate(values[Math.abs(number) % values.length]!);
  }
  throw new Error(`nothing for an operand of ${form.printed}`);
}

/** Instructions that a form should encode, with a constant of the pool in some. */
export function instructionsOf(mnemonic: string, form: Form, constant: number): Instruction[] {
  const found: Instruction[] = [];
  const numbers = registerNumbers(form);
  const place = form.operands.findIndex(({ memory }) => memory !== undefined);
  const canBeRegister = place < 0 || form.operands[place]!.register !== undefined;
  const build = (round: number, memory: MemoryOperand | undefined): Operand[] =>
    form.operands.map((type, index) => {
      if (index === place && memory) return memory;
      return operandOf(type, form, 0, numbers[(round * 3 + index * 5) % numbers.length]!);
    });
  const add = (operands: Operand[], more: Partial<Instruction> = {}): void => {
    const needed = form.mask === 'needed' ? { mask: maskRegister(1 + (found.length % 7)) } : {};
    found.push({ mnemonic, operands, ...needed, ...more });
  };
  if (canBeRegister) for (let round = 0; round < numbers.length; round += 1) add(build(round, undefined));
  if (place >= 0) {
    const { memory: bits = 0, indexBits } = form.operands[place]!;
    addresses(form.displacementUnit, constant).forEach((address, round) => {
      if (indexBits && !('base' in address)) return;
      const operands = build(round, { kind: 'memory', bits, ...address });
      if (!indexBits) {
        add(operands);
        return;
      }
      // A gather's result, index and mask are different registers.
      const others = operands.flatMap((operand) => (operand.kind === 'vector' ? [operand.number] : []));
      if (new Set(others).size < others.length) return;
      const number = [...numbers, ...numbers]
        .slice(round % numbers.length)
        .find((free) => !others.includes(free))!;
      const index = vector(number, indexBits);
      operands[place] = { kind: 'memory', bits, ...address, index, scale: address.scale ?? 2 };
      add(operands);
    });
    if (form.lockable) add(build(1, { kind: 'memory', bits, base: r12! }), { lock: true });
    if (form.broadcast) {
      const broadcast = (bits / form.broadcast) as 2 | 4 | 8 | 16;
      addresses(form.broadcast / 8, constant).forEach((address, round) => {
        add(build(round, { kind: 'memory', bits: form.broadcast, broadcast, ...address }));
      });
    }
  }
  if (form.mask === 'allowed') {
    const mayZero = form.operands[0]!.register?.kind === 'vector';
    for (let number = 1; number < 8; number += 2) {
      const mask = maskRegister(number);
      const memory: MemoryOperand | undefined =
        place < 0 ? undefined : { kind: 'memory', bits: form.operands[place]!.memory!, base: r13! };
      if (canBeRegister) add(build(number, undefined), { mask });
      if (memory) add(build(number, memory), { mask });
      if (mayZero && canBeRegister) add(build(number, undefined), { mask, zeroing: true });
      if (memory && place > 0 && mayZero) add(build(number, memory), { mask, zeroing: true });
    }
  }
  if (form.rounding !== 'none') {
    const modes =
      form.rounding === 'sae' ? (['sae'] as const) : (['rn-sae', 'rd-sae', 'ru-sae', 'rz-sae'] as const);
    for (const rounding of modes) add(build(2, undefined), { rounding });
  }
  // Numbers of one byte that say something: all.
  if (form.operands.at(-1)?.immediate && place < 0) {
    for (let value = 0; value < 32; value += 1) {
      const operands = build(value, undefined);
      if (form.operands.at(-1)!.immediate!.exactly === undefined)
        add([...operands.slice(0, -1), immediate(value)]);
    }
  }
  return found;
}
