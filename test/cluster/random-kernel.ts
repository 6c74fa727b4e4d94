/**
 * Random kernels in OpenCL C for launches that are divided: addresses of ids, arguments and loops, behind tests of all kinds. Every access stays in its
 * buffer, by a test, a clamp, a mask or a remainder; so each tells an analysis something else.
 */
import { Random } from '../support/random.ts';

export interface RandomLaunch {
  readonly source: string;
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[];
  /** Values of `n`, `k`, `u` and `s`, which are int, int, uint and short. */
  readonly scalars: readonly [n: number, k: number, u: number, s: number];
  /** Elements of `a`, `b` and `c`, which are of int. */
  readonly lengths: readonly [a: number, b: number, c: number];
}

export function randomLaunch(seed: number): RandomLaunch {
  return new Writer(seed).launch();
}

const names = ['a', 'b', 'c'] as const;

class Writer {
  readonly #random: Random;
  readonly #dimensions: number;
  readonly #global: readonly number[];
  readonly #local: readonly number[] | undefined;
  readonly #scalars: RandomLaunch['scalars'];
  readonly #lengths: RandomLaunch['lengths'];
  /** Variables in scope. */
  #variables: string[] = [];
  #made = 0;
  #budget = 14;

  constructor(seed: number) {
    const random = new Random(seed);
    this.#random = random;
    this.#dimensions = 1 + random.below(2);
    this.#local = random.next() < 0.4 ? [4, 2].slice(0, this.#dimensions) : undefined;
    this.#global = Array.from({ length: this.#dimensions }, (_, d) =>
      this.#local ? this.#local[d]! * (1 + random.below(5)) : 1 + random.below(17),
    );
    const items = this.#global.reduce((product, size) => product * size, 1);
    this.#scalars = [
      random.pick([this.#global[0]!, items, 16, 5]),
      random.below(9) - 3,
      random.below(40),
      random.below(12) - 4,
    ];
    const length = (): number => random.pick([items, 2 * items, items + 64, 64, 256]);
    this.#lengths = [length(), length(), length()];
  }

  launch(): RandomLaunch {
    const random = this.#random;
    const ids = Array.from(
      { length: this.#dimensions },
      (_, d) => `  ${random.pick(['int', 'int', 'uint', 'long'])} ${'xy'[d]} = get_global_id(${d});\n`,
    );
    this.#variables = [...'xy'.slice(0, this.#dimensions)];
    if (random.next() < 0.15) {
      ids.push(`  int l = get_local_id(0);\n`);
      this.#variables.push('l');
    }
    const body = this.#block('  ', 2 + random.below(4));
    return {
      source: `kernel void random(global int *a, global int *b, global int *c, int n, int k, uint u, short s) {\n${ids.join('')}${body}}\n`,
      global: this.#global,
      local: this.#local,
      offset: random.next() < 0.25 ? this.#global.map(() => random.below(7)) : [],
      scalars: this.#scalars,
      lengths: this.#lengths,
    };
  }

  #block(indent: string, count: number): string {
    const before = this.#variables;
    this.#variables = [...before];
    let text = '';
    for (let s = 0; s < count && this.#budget > 0; s += 1) text += this.#statement(indent);
    this.#variables = before;
    return text;
  }

  #statement(indent: string): string {
    this.#budget -= 1;
    const random = this.#random;
    const roll = random.next();
    if (roll < 0.4) return this.#access(indent);
    if (roll < 0.6) {
      const name = `v${this.#made++}`;
      const text = `${indent}${random.pick(['int', 'int', 'uint', 'long', 'short', 'uchar'])} ${name} = ${this.#expression(2)};\n`;
      this.#variables.push(name);
      return text;
    }
    if (roll < 0.67) return `${indent}if (${this.#condition()}) return;\n`;
    if (roll < 0.8) {
      const otherwise =
        random.next() < 0.4 ? `${indent}} else {\n${this.#block(`${indent}  `, 1 + random.below(2))}` : '';
      return `${indent}if (${this.#condition()}) {\n${this.#block(`${indent}  `, 1 + random.below(3))}${otherwise}${indent}}\n`;
    }
    if (roll < 0.9) return this.#loop(indent);
    const own = this.#variables.filter((name) => name.startsWith('v'));
    if (own.length === 0) return this.#access(indent);
    return `${indent}${random.pick(own)} ${random.pick(['=', '+=', '-='])} ${this.#expression(1)};\n`;
  }

  #loop(indent: string): string {
    const random = this.#random;
    const name = `i${this.#made++}`;
    const type = random.pick(['int', 'int', 'uint', 'long']);
    const before = this.#variables;
    const [first, step] = [random.pick(['0', '1', 'k', 'x', 's', '3']), 1 + random.below(3)];
    // All of them end: a counter of iterations says so.
    const guard = `g${this.#made++}`;
    const head = random.pick([
      `${type} ${name} = ${first}, ${guard} = 0; ${name} < ${this.#operand()} && ${guard} < 9; ${name} += ${step}, ${guard}++`,
      `${type} ${name} = ${first}; ${name} < (${type})${first} + ${1 + random.below(6)}; ${name}++`,
      `int ${name} = ${1 + random.below(8)}; ${name} >= ${random.below(3)}; ${name} -= ${step}`,
      `int ${name} = 0; ${name} < ${1 + random.below(8)}; ${name} += ${step}`,
      `int ${name} = 1; ${name} < ${2 + random.below(60)}; ${name} *= 2`,
    ]);
    this.#variables = [...before, name];
    let body = this.#block(`${indent}  `, 1 + random.below(3));
    if (random.next() < 0.2)
      body += `${indent}  if (${this.#condition()}) ${random.pick(['break', 'continue'])};\n`;
    this.#variables = before;
    return `${indent}for (${head}) {\n${body}${indent}}\n`;
  }

  /** Reads, writes or updates an element. */
  #access(indent: string): string {
    const random = this.#random;
    const at = random.below(3);
    const length = this.#lengths[at]!;
    const name = names[at]!;
    const index = this.#index();
    const inside = random.pick([
      () => [`(${index}) >= 0 && (${index}) < ${length}`, `${name}[${index}]`],
      () => [`(uint)(${index}) < ${length}u`, `${name}[${index}]`],
      () => [`!((${index}) < 0 || (${index}) > ${length - 1})`, `${name}[${index}]`],
      () => ['', `${name}[clamp((int)(${index}), 0, ${length - 1})]`],
      () => ['', `${name}[min(max((int)(${index}), 0), ${length - 1})]`],
      () => ['', `${name}[(${index}) & ${2 ** Math.floor(Math.log2(length)) - 1}]`],
      () => ['', `${name}[(uint)(${index}) % ${length}u]`],
      () => ['', `${name}[min((uint)(${index}), ${length - 1}u)]`],
    ])();
    const [test, place] = inside as [string, string];
    const from = this.#variables.filter((each) => each.startsWith('v'));
    const value = this.#expression(1);
    const roll = random.next();
    const text =
      roll < 0.3 && from.length > 0
        ? `${random.pick(from)} += ${place};`
        : roll < 0.9
          ? `${place} ${random.pick(['=', '=', '+='])} ${value};`
          : `atomic_add(&${place}, ${value});`;
    return test === '' ? `${indent}${text}\n` : `${indent}if (${test}) ${text}\n`;
  }

  /** Mostly one that differs with the work-item, as those of most kernels. */
  #index(): string {
    const random = this.#random;
    const width = random.pick(['n', String(this.#global[0]!), '8']);
    const own = this.#dimensions === 2 ? `y * ${width} + x` : random.pick(['x', 'x', 'x * 2', 'x * 4']);
    if (random.next() < 0.6) {
      const more = random.next() < 0.5 ? '' : ` ${random.pick(['+', '-'])} ${this.#operand()}`;
      return `${own}${more}`;
    }
    return this.#expression(2);
  }

  #operand(): string {
    const random = this.#random;
    const roll = random.next();
    if (roll < 0.5) return random.pick(this.#variables);
    if (roll < 0.75) return random.pick(['n', 'k', 'u', 's']);
    return String(random.pick([0, 1, 2, 3, 4, 7, 8, 16, 31, 255, 65535, 2147483647]));
  }

  #expression(depth: number): string {
    const random = this.#random;
    if (depth === 0 || random.next() < 0.3) return this.#operand();
    const [a, b] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    const small = String(1 + random.below(9));
    return random.pick([
      () => `(${a} + ${b})`,
      () => `(${a} + ${b})`,
      () => `(${a} - ${b})`,
      () => `(${a} * ${random.pick([small, b])})`,
      () => `(${a} / ${small})`,
      () => `(${a} % ${small})`,
      () => `(${a} << ${random.below(5)})`,
      () => `(${a} >> ${random.below(5)})`,
      () => `(${a} & ${random.pick(['3', '7', '15', b])})`,
      () => `(${a} ^ ${b})`,
      () => `(${a} | ${b})`,
      () => `(${this.#condition()} ? ${a} : ${b})`,
      () => `min((int)${a}, (int)${b})`,
      () => `max((int)${a}, (int)${b})`,
      () => `(${random.pick(['uchar', 'short', 'uint', 'int', 'long', 'char'])})(${a})`,
      () => `-(${a})`,
      () => `~(${a})`,
      () => `abs((int)(${a}))`,
    ])();
  }

  #condition(): string {
    const random = this.#random;
    const one = (): string =>
      `${this.#operand()} ${random.pick(['<', '<=', '>', '>=', '==', '!='])} ${this.#operand()}`;
    const roll = random.next();
    if (roll < 0.6) return one();
    return roll < 0.75 ? `${one()} && ${one()}` : roll < 0.9 ? `${one()} || ${one()}` : `!(${one()})`;
  }
}
