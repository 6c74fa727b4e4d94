/** What statements write, before they are lowered: a loop's body does not know what earlier turns left behind. */
import type { Statement } from './structure.ts';
import { labelOf, type Structure } from './structure.ts';
import { componentKey } from './variables.ts';

export class Written {
  readonly #structure: Structure;
  readonly #functions = new Map<number, ReadonlyMap<string, number> | undefined>();

  constructor(structure: Structure) {
    this.#structure = structure;
  }

  /** The keys of components that may be written, and in how many places, two for more; undefined for any. */
  of(statements: readonly Statement[]): ReadonlyMap<string, number> | undefined {
    const keys = new Keys();
    return this.#add(statements, keys) ? keys.counts : undefined;
  }

  /** False if anything may be written. */
  #add(statements: readonly Statement[], keys: Keys): boolean {
    return statements.every((statement) => this.#addStatement(statement, keys));
  }

  #addStatement(statement: Statement, keys: Keys): boolean {
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

  #addInstruction({ instruction }: Statement & { kind: 'plain' }, keys: Keys): boolean {
    const { name } = instruction.opcode;
    // the arguments of macros may be anything
    if (name === 'mcall') return false;
    if (name.startsWith('call')) {
      const inside = this.#ofFunction(labelOf(instruction));
      // a function may be called in several places
      for (const key of inside?.keys() ?? []) keys.add(key, 2);
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

  #ofFunction(label: number): ReadonlyMap<string, number> | undefined {
    if (!this.#functions.has(label)) {
      // a function that calls itself is reported elsewhere
      this.#functions.set(label, undefined);
      this.#functions.set(label, this.of(this.#structure.functions.get(label) ?? []));
    }
    return this.#functions.get(label);
  }
}

class Keys {
  readonly counts = new Map<string, number>();

  add(key: string, places = 1): void {
    this.counts.set(key, Math.min(2, places + (this.counts.get(key) ?? 0)));
  }
}
