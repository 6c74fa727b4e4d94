/**
 * Gives each value of a register that has several, one after another, a register of its own: locals of stack code are used again for what has
 * nothing to do with what was in them. Values that meet where control does stay in one register.
 */

import { liveBlocks } from '../allocate/liveness.ts';
import { DisjointSets } from './disjoint-sets.ts';
import type { MachineFunction } from './function.ts';
import { firstVirtual, numberShift, reads, roleOf, writes } from './operation.ts';
import { renamed } from './rename.ts';

/** No value. */
const none = -1;

export function separateValues(fn: MachineFunction): void {
  const { blocks, operations, liveIn } = liveBlocks(fn);
  /** Values, joined where they must be in one register; and of which register each is. */
  const sets = new DisjointSets();
  const registers: number[] = [];
  const newValue = (register: number): number => {
    registers.push(register);
    return sets.add();
  };
  /** By block, of the registers that are live at its beginning: registers and values in turn. */
  const atBeginning = blocks.map((_, number) => {
    const pairs: number[] = [];
    liveIn.forEach(number, (index) => pairs.push(index, newValue(index)));
    return pairs;
  });
  const valuesOf: Values[] = [];
  /** The values in registers, in which block. */
  const current = new Int32Array(fn.registers.length);
  const currentIn = new Int32Array(fn.registers.length).fill(none);
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
      const values = valuesOfAccesses(operations[at]!.accesses, valueIn, newValue);
      for (let place = 0; place < values.length; place += 3) {
        if (values[place + 2] !== none) setValue(values[place]!, values[place + 2]!);
      }
      valuesOf.push(values);
    }
    for (const successor of block.successors) {
      const pairs = atBeginning[successor]!;
      for (let at = 0; at < pairs.length; at += 2) {
        sets.join(pairs[at + 1]!, valueIn(pairs[at]!));
      }
    }
  });
  const names = new Int32Array(registers.length);
  const taken = new Uint8Array(fn.registers.length);
  const nameOf = (value: number): number => {
    const root = sets.find(value);
    let name = names[root]!;
    if (name === 0) {
      const index = registers[root]!;
      name = taken[index] === 1 ? fn.another(index) : firstVirtual + index;
      taken[index] = 1;
      names[root] = name;
    }
    return name;
  };
  operations.forEach((operation, at) => {
    const values = valuesOf[at]!;
    if (values.length === 0) return;
    const { instruction } = operation;
    const after = renamed(instruction, (register, index) => {
      if (register < firstVirtual) return register;
      let place = 0;
      while (values[place] !== register - firstVirtual) place += 3;
      const [read, written] = [values[place + 1]!, values[place + 2]!];
      // What an instruction makes a constant of is not read, whatever its operands are.
      const isAddress = instruction.operands[index]!.kind === 'memory';
      const isRead =
        read !== none && (isAddress || written === none || roleOf(instruction, index) !== 'define');
      return nameOf(isRead ? read : written);
    });
    if (after !== instruction) operation.instruction = after;
  });
}

/** Of the virtual registers of an operation, in turn: the register, the value that is read, and the one that is written; {@link none} if there is none. */
type Values = readonly number[];

function valuesOfAccesses(
  accesses: readonly number[],
  valueIn: (index: number) => number,
  newValue: (index: number) => number,
): Values {
  const values: number[] = [];
  const placeOf = (index: number): number => {
    let place = 0;
    while (place < values.length && values[place] !== index) place += 3;
    if (place === values.length) values.push(index, none, none);
    return place;
  };
  for (const access of accesses) {
    const index = (access >> numberShift) - firstVirtual;
    if (index < 0) continue;
    const place = placeOf(index);
    if ((access & reads) !== 0) values[place + 1] = valueIn(index);
    // What is modified stays where it is.
    if ((access & reads) !== 0 && (access & writes) !== 0) values[place + 2] = values[place + 1]!;
  }
  for (const access of accesses) {
    const index = (access >> numberShift) - firstVirtual;
    if (index < 0 || (access & writes) === 0) continue;
    const place = placeOf(index);
    if (values[place + 2] === none) values[place + 2] = newValue(index);
  }
  return values;
}
