/**
 * The names that a function's values, targets and context arrays have in the text form. Named values keep their names, made
 * unique by a number; the others are numbered in the order of their definitions.
 */
import { FreeNames } from '../free-names.ts';
import type * as ir from '../ir.ts';
import { walkFunction } from '../walk.ts';

/** Names everything that one function defines. */
export class Names {
  readonly #values = new Map<ir.Value, string>();
  readonly #labels = new Map<ir.Instruction, string>();
  readonly #contextArrays = new Map<ir.Instruction, string>();
  readonly #taken = new Set<string>();
  readonly #free = new FreeNames((name) => this.#taken.has(name), 1);
  #nextNumber = 0;

  constructor(fn: ir.Function) {
    for (const parameter of fn.parameters) this.#define(parameter.value);
    walkFunction(fn, (instruction) => {
      for (const result of instruction.results) this.#define(result);
      if (instruction.op === 'block' || instruction.op === 'loop') {
        this.#labels.set(instruction, `@L${this.#labels.size}`);
      } else if (instruction.op === 'context_array') {
        this.#contextArrays.set(instruction, this.#unique('$', instruction.name));
      }
      for (const region of instruction.regions) {
        for (const parameter of region.parameters) this.#define(parameter);
      }
    });
  }

  /** `%name` or `%number`; `%?` for a value that the function does not define. */
  value(value: ir.Value): string {
    return this.#values.get(value) ?? '%?';
  }

  values(values: readonly ir.Value[]): string {
    return values.map((value) => this.value(value)).join(', ');
  }

  /** `@L0`: the name of a block or loop. */
  label(target: ir.Block | ir.Loop): string {
    return this.#labels.get(target) ?? '@?';
  }

  contextArray(contextArray: ir.ContextArray): string {
    return this.#contextArrays.get(contextArray) ?? '$?';
  }

  #define(value: ir.Value): void {
    if (this.#values.has(value)) return;
    const name = value.name === undefined ? `%${this.#nextNumber++}` : this.#unique('%', value.name);
    this.#values.set(value, name);
  }

  #unique(sigil: string, name: string): string {
    // A name that begins with a digit would look like a number.
    const clean = name.replace(/[^A-Za-z0-9_.]/g, '_').replace(/^(?=[0-9.]|$)/, '_');
    const plain = `${sigil}${clean}`;
    const unique = this.#taken.has(plain) ? this.#free.find(plain) : plain;
    this.#taken.add(unique);
    return unique;
  }
}

/** The text of a function's or global's name: `@name`, quoted where it holds unusual characters. */
export function symbolText(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(name) ? `@${name}` : `@${JSON.stringify(name)}`;
}
