/**
 * The blocks of a program: its flat list of instructions as a tree of statements, with functions and macros apart. The
 * checker has seen to it that blocks are closed in turn.
 */
import { valuesOf } from '../declarations.ts';
import type { Instruction, Program } from '../tree.ts';

export type Statement =
  | { readonly kind: 'plain'; readonly instruction: Instruction }
  | {
      readonly kind: 'if';
      readonly instruction: Instruction;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'loop'; readonly instruction: Instruction; readonly body: readonly Statement[] }
  | { readonly kind: 'switch'; readonly instruction: Instruction; readonly cases: readonly Case[] };

/** What control reaches by some labels: from there on, until something leaves the switch. */
export interface Case {
  /** 32 bits each, as signed numbers */
  readonly values: readonly number[];
  readonly isDefault: boolean;
  readonly body: readonly Statement[];
}

export interface Macro {
  readonly body: readonly Statement[];
  readonly outputs: number;
  readonly inputs: number;
}

export interface Structure {
  readonly main: readonly Statement[];
  readonly functions: ReadonlyMap<number, readonly Statement[]>;
  readonly macros: ReadonlyMap<number, Macro>;
}

const closing = /^(else|endif|endloop|endswitch|mend|case|default)$/;

export function structureOf(program: Program): Structure {
  return new Reader(program).read();
}

class Reader {
  readonly #instructions: readonly Instruction[];
  readonly #functions = new Map<number, Statement[]>();
  readonly #macros = new Map<number, Macro>();
  #at = 0;

  constructor({ items }: Program) {
    this.#instructions = items.filter(
      (item): item is Instruction => item.kind === 'instruction' && item.opcode.family !== 'declaration',
    );
  }

  read(): Structure {
    const main: Statement[] = [];
    let into = main;
    for (let next = this.#next(); next; next = this.#next()) {
      const { name } = next.opcode;
      if (name === 'func') {
        into = [];
        this.#functions.set(labelOf(next), into);
        this.#at += 1;
      } else if (name === 'endfunc' || name === 'end') {
        into = main;
        this.#at += 1;
      } else if (closing.test(name)) {
        this.#at += 1;
      } else this.#statement(into);
    }
    return { main, functions: this.#functions, macros: this.#macros };
  }

  #next(): Instruction | undefined {
    return this.#instructions[this.#at];
  }

  /** Up to what closes the block, which is left to be read. */
  #block(): Statement[] {
    const list: Statement[] = [];
    for (let next = this.#next(); next && !closing.test(next.opcode.name); next = this.#next()) {
      this.#statement(list);
    }
    return list;
  }

  #statement(into: Statement[]): void {
    const instruction = this.#next()!;
    this.#at += 1;
    switch (instruction.opcode.name) {
      case 'ifc':
      case 'ifnz':
      case 'if_logicalz':
      case 'if_logicalnz': {
        const then = this.#block();
        const hasElse = this.#next()?.opcode.name === 'else';
        if (hasElse) this.#at += 1;
        const otherwise = hasElse ? this.#block() : [];
        this.#at += 1;
        into.push({ kind: 'if', instruction, then, otherwise });
        break;
      }
      case 'loop':
      case 'whileloop': {
        const body = this.#block();
        this.#at += 1;
        into.push({ kind: 'loop', instruction, body });
        break;
      }
      case 'switch':
        into.push({ kind: 'switch', instruction, cases: this.#cases() });
        break;
      case 'mdef':
        this.#macro(instruction);
        break;
      default:
        into.push({ kind: 'plain', instruction });
    }
  }

  #cases(): Case[] {
    const cases: Case[] = [];
    // what stands in front of the first label is never reached
    this.#block();
    for (let next = this.#next(); next && /^(case|default)$/.test(next.opcode.name); next = this.#next()) {
      const values: number[] = [];
      let isDefault = false;
      for (
        let label = this.#next();
        label && /^(case|default)$/.test(label.opcode.name);
        label = this.#next()
      ) {
        if (label.opcode.name === 'default') isDefault = true;
        else values.push(labelOf(label) | 0);
        this.#at += 1;
      }
      cases.push({ values, isDefault, body: this.#block() });
    }
    this.#at += 1;
    return cases;
  }

  #macro(definition: Instruction): void {
    const count = (name: 'out' | 'in'): number => Number(valuesOf(definition, name)[0] ?? 0);
    const body = this.#block();
    this.#at += 1;
    this.#macros.set(macroNumber(definition), { body, outputs: count('out'), inputs: count('in') });
  }
}

/** The number behind func, call and case. */
export function labelOf({ operands }: Instruction): number {
  const last = operands.at(-1);
  return last?.kind === 'number' ? last.bits : 0;
}

/** The number in the parentheses of mdef and mcall. */
export function macroNumber(instruction: Instruction): number {
  return Number(instruction.modifiers[0]?.values[0] ?? 0);
}
