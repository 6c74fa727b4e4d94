/** Makes up programs of tree.ts. The same seed gives the same program. */
import { Random } from '../../test/support/random.ts';
import {
  type BinaryOperator,
  boundOf,
  type CommonProgram,
  type Condition,
  type Expression,
  type Routine,
  type Statement,
  type Type,
  type Variable,
} from './tree.ts';

/** Work-items of a program. */
export const items = 64;

const edges = [0, 1, -1, 2, 31, 32, 255, 256, 65535, 0x7fffffff, -0x80000000, 0x55555555];
const mostExact = 2 ** 24;

export function generateCommon(seed: number): CommonProgram {
  const random = new Random(seed);
  const helpers: Routine[] = [];
  for (let count = random.below(3); count > 0; count -= 1)
    helpers.push(new Maker(random, helpers).routine(`helper${helpers.length}`, 1 + random.below(3), 3));
  const main = new Maker(random, helpers).routine('k', 3, 4 + random.below(8));
  const inputs = main.parameters.map((_, index) =>
    // The last is the same for all work-items.
    index === 2
      ? new Int32Array(items).fill(random.below(100))
      : Int32Array.from({ length: items }, (_, item) =>
          random.below(4) === 0 ? random.pick(edges) : random.below(3) === 0 ? item : random.bits(),
        ),
  );
  return { helpers, main, inputs };
}

class Maker {
  readonly #random: Random;
  readonly #helpers: readonly Routine[];
  readonly #variables: (Variable & { value: number })[] = [];
  #parameters: readonly string[] = [];
  /** Counters of the loops around. */
  readonly #counters: string[] = [];
  #loops = 0;

  constructor(random: Random, helpers: readonly Routine[]) {
    this.#random = random;
    this.#helpers = helpers;
  }

  routine(name: string, parameters: number, statements: number): Routine {
    const random = this.#random;
    this.#parameters = ['a', 'b', 'n'].slice(0, parameters);
    for (let index = 1 + random.below(4); index > 0; index -= 1) {
      const type = random.pick(['int', 'int', 'uint', 'float'] as const);
      const value = type === 'float' ? random.below(256) : random.pick(edges) & 0x7fffffff;
      this.#variables.push({ name: `v${index}`, type, value });
    }
    const body = this.#statements(statements, 0);
    return { name, parameters: this.#parameters, variables: this.#variables, body, result: this.#int(3) };
  }

  #statements(count: number, depth: number): Statement[] {
    return Array.from({ length: count }, () => this.#statement(depth));
  }

  #statement(depth: number): Statement {
    const random = this.#random;
    const choice = random.below(depth > 2 ? 5 : 10);
    if (choice >= 8) {
      const counter = `i${this.#loops++}`;
      this.#counters.push(counter);
      const body = this.#statements(1 + random.below(3), depth + 1);
      this.#counters.pop();
      return { kind: 'loop', counter, times: 1 + random.below(depth === 0 ? 9 : 3), body };
    }
    if (choice >= 6) {
      const then = this.#statements(1 + random.below(3), depth + 1);
      const otherwise = this.#statements(random.below(3), depth + 1);
      return { kind: 'if', condition: this.#condition(2), then, otherwise };
    }
    if (choice === 4 && this.#counters.length > 0) {
      const how = random.pick(['break', 'continue'] as const);
      return { kind: 'leave', how, condition: this.#condition(2) };
    }
    const variable = random.pick(this.#variables);
    return { kind: 'set', variable, value: this.#expression(variable.type, 3) };
  }

  #condition(depth: number): Condition {
    const type = this.#random.pick(['int', 'int', 'uint', 'float'] as const);
    const op = this.#random.pick(['<', '<=', '==', '!='] as const);
    return { op, a: this.#expression(type, depth - 1), b: this.#expression(type, depth - 1) };
  }

  #expression(type: Type, depth: number): Expression {
    return type === 'float' ? this.#float(depth) : type === 'int' ? this.#int(depth) : this.#uint(depth);
  }

  #leaf(type: Type): Expression {
    const random = this.#random;
    const own = this.#variables.filter((variable) => variable.type === type).map(({ name }) => name);
    const names = type === 'int' ? [...own, ...this.#parameters, ...this.#counters] : own;
    if (names.length > 0 && random.below(3) > 0) return { kind: 'variable', type, name: random.pick(names) };
    if (type === 'float') return { kind: 'constant', type, value: random.below(256) };
    const value = random.below(2) === 0 ? random.below(64) : random.pick(edges) & 0x7fffffff;
    return { kind: 'constant', type, value };
  }

  #int(depth: number): Expression {
    const random = this.#random;
    if (depth === 0) return this.#leaf('int');
    const choice = random.below(12);
    if (choice === 0 && this.#helpers.length > 0) {
      const helper = random.pick(this.#helpers);
      const args = helper.parameters.map(() => this.#int(depth - 1));
      return { kind: 'call', type: 'int', name: helper.name, args };
    }
    if (choice === 1) return { kind: 'convert', type: 'int', a: this.#float(depth - 1) };
    if (choice === 2) return { kind: 'convert', type: 'int', a: this.#uint(depth - 1) };
    return this.#integer('int', ['+', '-', '*', '&', '|', '^', '<<', '>>'], choice, depth);
  }

  #uint(depth: number): Expression {
    const random = this.#random;
    if (depth === 0) return this.#leaf('uint');
    const choice = random.below(12);
    if (choice < 3) return { kind: 'convert', type: 'uint', a: this.#int(depth - 1) };
    return this.#integer('uint', ['+', '-', '*', '&', '|', '^', '<<', '>>', '/', '%'], choice, depth);
  }

  #integer(type: 'int' | 'uint', ops: readonly BinaryOperator[], choice: number, depth: number): Expression {
    const operand = (): Expression => this.#expression(type, depth - 1);
    if (choice === 3) return { kind: 'invert', type, a: operand() };
    if (choice === 4)
      return { kind: 'select', type, condition: this.#condition(depth), a: operand(), b: operand() };
    if (choice < 7) return this.#leaf(type);
    return { kind: 'binary', type, op: this.#random.pick(ops), a: operand(), b: operand() };
  }

  #float(depth: number): Expression {
    const random = this.#random;
    const type = 'float';
    if (depth === 0) return this.#leaf(type);
    const choice = random.below(8);
    if (choice < 2) return { kind: 'convert', type, a: this.#int(depth - 1) };
    if (choice === 2) return this.#leaf(type);
    const [a, b] = [this.#float(depth - 1), this.#float(depth - 1)];
    if (choice === 3) return { kind: 'select', type, condition: this.#condition(depth), a, b };
    const made: Expression = { kind: 'binary', type, op: random.pick(['+', '-', '*'] as const), a, b };
    return boundOf(made) < mostExact ? made : a;
  }
}
