/**
 * Gives each value of a vector register that has several, one after another, a register of its own: locals of stack code are used again for what has
 * nothing to do with what was in them. Values that meet where control does stay in one register.
 */

import { liveBlocks } from '../allocate/liveness.ts';
import type { Instruction, Operand } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import { firstVirtual, isOfVector, numberShift, reads, roleOf, writes } from '../machine/operation.ts';

export function separateValues(fn: MachineFunction): void {
  if (!fn.registers.some(({ kind }) => kind === 'vector')) return;
  const { blocks, operations, liveIn } = liveBlocks(fn);
  /** Values, joined where they must be in one register; and of which register each is. */
  const parents: number[] = [];
  const registers: number[] = [];
  const newValue = (register: number): number => {
    parents.push(parents.length);
    registers.push(register);
    return parents.length - 1;
  };
  const find = (value: number): number => {
    let at = value;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  const isVector = (index: number): boolean => fn.registers[index]!.kind === 'vector';
  /** By block, of the registers that are live at its beginning: registers and values in turn. */
  const atBeginning = blocks.map((_, number) => {
    const pairs: number[] = [];
    liveIn.forEach(number, (index) => {
      if (isVector(index)) pairs.push(index, newValue(index));
    });
    return pairs;
  });
  /** Of the operands of operations: their values. */
  const valuesOf: (readonly (number | undefined)[])[] = [];
  /** The values in registers, in which block. */
  const current = new Int32Array(fn.registers.length);
  const currentIn = new Int32Array(fn.registers.length).fill(-1);
  blocks.forEach((block, number) => {
    const setValue = (index: number, value: number): void => {
      current[index] = value;
      currentIn[index] = number;
    };
    const valueIn = (index: number): number => {
      if (currentIn[index] !== number) setValue(index, newValue(index));
      return current[index]!;
    };
    const own = atBeginning[number]!;
    for (let at = 0; at < own.length; at += 2) setValue(own[at]!, own[at + 1]!);
    for (let at = block.first; at < block.end; at += 1) {
      const { instruction, accesses } = operations[at]!;
      valuesOf.push(valuesOfOperands(instruction, accesses, valueIn, newValue, setValue));
    }
    for (const successor of block.successors) {
      const pairs = atBeginning[successor]!;
      for (let at = 0; at < pairs.length; at += 2) {
        const from = find(valueIn(pairs[at]!));
        const to = find(pairs[at + 1]!);
        if (from !== to) parents[from] = to;
      }
    }
  });
  const names = new Int32Array(parents.length);
  const taken = new Uint8Array(fn.registers.length);
  const nameOf = (value: number): number => {
    const root = find(value);
    let name = names[root]!;
    if (name === 0) {
      const index = registers[root]!;
      const { bits } = fn.registers[index]!;
      name = taken[index] === 1 ? fn.newVector(bits as 128) : firstVirtual + index;
      taken[index] = 1;
      names[root] = name;
    }
    return name;
  };
  operations.forEach((operation, at) => {
    const values = valuesOf[at]!;
    if (values.length === 0) return;
    const { instruction } = operation;
    let operands: Operand[] | undefined;
    instruction.operands.forEach((operand, index) => {
      const value = values[index];
      if (value === undefined || operand.kind !== 'vector') return;
      const name = nameOf(value);
      if (name === operand.number) return;
      operands ??= [...instruction.operands];
      operands[index] = { ...operand, number: name };
    });
    if (operands) operation.instruction = { ...instruction, operands };
  });
}

const none: readonly undefined[] = [];

/** The value of each operand that is a virtual vector register: what is in it before, if it is read, or what is written. */
function valuesOfOperands(
  instruction: Instruction,
  accesses: readonly number[],
  valueIn: (index: number) => number,
  newValue: (index: number) => number,
  setValue: (index: number, value: number) => void,
): readonly (number | undefined)[] {
  const { operands } = instruction;
  let values: (number | undefined)[] | undefined;
  // Reads come before writes.
  for (let index = 0; index < operands.length; index += 1) {
    const operand = operands[index]!;
    if (operand.kind !== 'vector' || operand.number < firstVirtual) continue;
    values ??= [];
    if (!isRead(instruction, index, operand.number, accesses)) continue;
    values[index] = valueIn(operand.number - firstVirtual);
  }
  if (!values) return none;
  for (let index = 0; index < operands.length; index += 1) {
    const operand = operands[index]!;
    if (operand.kind !== 'vector' || operand.number < firstVirtual || values[index] !== undefined) continue;
    const value = newValue(operand.number - firstVirtual);
    // In several operands: of an instruction that makes a constant of itself.
    for (let other = index; other < operands.length; other += 1) {
      const same = operands[other]!;
      if (same.kind === 'vector' && same.number === operand.number) values[other] ??= value;
    }
    setValue(operand.number - firstVirtual, value);
  }
  return values;
}

/** Whether an operand is the value that its register has before. */
function isRead(
  instruction: Instruction,
  index: number,
  register: number,
  accesses: readonly number[],
): boolean {
  let anyReads = false;
  let isModified = false;
  for (const access of accesses) {
    if ((access & isOfVector) === 0 || access >> numberShift !== register) continue;
    if ((access & reads) !== 0) anyReads = true;
    if ((access & writes) !== 0) isModified = (access & reads) !== 0;
  }
  return isModified || (anyReads && roleOf(instruction, index) === 'use');
}
