/** What statements write, before they are lowered: a loop's body does not know what earlier turns left behind. */
import type { Statement } from './structure.ts';
import { labelOf, type Structure } from './structure.ts';
import { componentKey } from './variables.ts';

export class Written {
  readonly #structure: Structure;
  readonly #functions = new Map<number, ReadonlySet<string> | undefined>();

  constructor(structure: Structure) {
    this.#structure = structure;
  }

  /** The keys of components that may be written; undefined for any. */
  of(statements: readonly Statement[]): ReadonlySet<string> | undefined {
    const keys = new Set<string>();
    return this.#add(statements, keys) ? keys : undefined;
  }

  /** False if anything may be written. */
  #add(statements: readonly Statement[], keys: Set<string>): boolean {
    return statements.every((statement) => this.#addStatement(statement, keys));
  }

  #addStatement(statement: Statement, keys: Set<string>): boolean {
    switch (statement.kind) {
      case 'if':
        return this.#add(statement.then, keys) && this.#add(statement.otherwise, keys);
      case 'loop':
        keys.add(componentKey('aL', undefined, 0));
        return this.#add(statement.body, keys);
      case 'switch':
        return statement.cases.every(({ body }) => this.#add(body, keys));
      case 'plain':
        return this.#addInstruction(statement, keys);
    }
  }

  #addInstruction({ instruction }: Statement & { kind: 'plain' }, keys: Set<string>): boolean {
    const { name } = instruction.opcode;
    // the arguments of macros may be anything
    if (name === 'mcall') return false;
    if (name.startsWith('call')) {
      const inside = this.#ofFunction(labelOf(instruction));
      for (const key of inside ?? []) keys.add(key);
      return inside !== undefined;
    }
    const [first] = instruction.operands;
    if (first?.kind !== 'destination') return true;
    const { kind, number } = first.register;
    if (kind === 'out') return false;
    const count = name === 'transpose' ? 4 : 1;
    for (let at = 0; at < count; at += 1) {
      first.mask.forEach((write, component) => {
        if (write !== 'keep') keys.add(componentKey(kind, (number ?? 0) + at, component));
      });
    }
    return true;
  }

  #ofFunction(label: number): ReadonlySet<string> | undefined {
    if (!this.#functions.has(label)) {
      // a function that calls itself is reported elsewhere
      this.#functions.set(label, undefined);
      this.#functions.set(label, this.of(this.#structure.functions.get(label) ?? []));
    }
    return this.#functions.get(label);
  }
}
