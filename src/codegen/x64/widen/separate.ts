/**
 * Gives each value of a vector register that has several, one after another, a register of its own: locals of stack code are used again for what has
 * nothing to do with what was in them. Values that meet where control does stay in one register.
 */

import { liveBlocks } from '../allocate/liveness.ts';
import type { Operand } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import { firstVirtual, roleOf, visitRegisters } from '../machine/operation.ts';

export function separateValues(fn: MachineFunction): void {
  const { blocks, operations } = liveBlocks(fn);
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
  const atBeginning = blocks.map(
    ({ liveIn }) => new Map([...liveIn].filter(isVector).map((index) => [index, newValue(index)])),
  );
  /** Of the operands of operations: their values. */
  const valuesOf: (number | undefined)[][] = operations.map(() => []);
  blocks.forEach((block, number) => {
    const current = new Map(atBeginning[number]!);
    const valueIn = (index: number): number => {
      let value = current.get(index);
      if (value === undefined) {
        value = newValue(index);
        current.set(index, value);
      }
      return value;
    };
    for (let at = block.first; at < block.end; at += 1) {
      const { instruction } = operations[at]!;
      const roles = new Map<number, boolean>();
      visitRegisters(instruction, (kind, register, role) => {
        if (kind === 'vector' && register >= firstVirtual && role !== 'use')
          roles.set(register, role === 'modify');
      });
      const own: (number | undefined)[] = [];
      const isRead = (register: number, index: number): boolean => {
        let reads = false;
        visitRegisters(instruction, (kind, one, role) => {
          if (kind === 'vector' && one === register && role !== 'define') reads = true;
        });
        return reads && roleOf(instruction, index) === 'use';
      };
      // Reads come before writes.
      instruction.operands.forEach((operand, index) => {
        const register = vectorOf(operand);
        if (register === undefined || !(isRead(register, index) || roles.get(register) === true)) return;
        own[index] = valueIn(register - firstVirtual);
      });
      const written = new Map<number, number>();
      instruction.operands.forEach((operand, index) => {
        const register = vectorOf(operand);
        if (register === undefined || own[index] !== undefined) return;
        let value = written.get(register);
        if (value === undefined) {
          value = newValue(register - firstVirtual);
          written.set(register, value);
        }
        own[index] = value;
      });
      for (const [register, value] of written) current.set(register - firstVirtual, value);
      valuesOf[at] = own;
    }
    for (const successor of block.successors) {
      for (const [index, value] of atBeginning[successor]!) {
        const from = find(valueIn(index));
        const to = find(value);
        if (from !== to) parents[from] = to;
      }
    }
  });
  const names = new Map<number, number>();
  const taken = new Set<number>();
  const nameOf = (value: number): number => {
    const root = find(value);
    let name = names.get(root);
    if (name === undefined) {
      const index = registers[root]!;
      const { bits } = fn.registers[index]!;
      name = taken.has(index) ? fn.newVector(bits as 128) : firstVirtual + index;
      taken.add(index);
      names.set(root, name);
    }
    return name;
  };
  operations.forEach((operation, at) => {
    const values = valuesOf[at]!;
    if (values.length === 0) return;
    operation.instruction = {
      ...operation.instruction,
      operands: operation.instruction.operands.map((operand, index): Operand => {
        const value = values[index];
        return value === undefined || operand.kind !== 'vector'
          ? operand
          : { ...operand, number: nameOf(value) };
      }),
    };
  });
}

function vectorOf(operand: Operand): number | undefined {
  return operand.kind === 'vector' && operand.number >= firstVirtual ? operand.number : undefined;
}
