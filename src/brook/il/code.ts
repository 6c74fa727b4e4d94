/**
 * The text of an IL program while it is put together: registers, literals, and functions with their instructions. Every value has a
 * register of its own, of which it uses the first components; the CAL compiler's allocation of real registers comes after.
 */

/** A value: components of a register. */
export interface Operand {
  readonly register: string;
  /** One selector a component. */
  readonly lanes: string;
}

/** What a kernel has that there is no IL for; the message says what. */
export class NoIl extends Error {}

/** The components of a register that a value of some width has. */
function lanesOf(width: number): string {
  return 'xyzw'.slice(0, width);
}

/** As instructions read it: four selectors, or the value negated. */
export function read({ register, lanes }: Operand, modifier = ''): string {
  return `${register}${modifier}.${lanes.padEnd(4, '0')}`;
}

/** As instructions write the first components of a register. */
export function written(register: string, width: number): string {
  return `${register}.${lanesOf(width).padEnd(4, '_')}`;
}

/** The same component as often as a vector wants it. */
export function spread(operand: Operand, width: number): Operand {
  return operand.lanes.length === width
    ? operand
    : { ...operand, lanes: operand.lanes.charAt(0).repeat(width) };
}

export class Code {
  readonly #literals = new Map<string, string>();
  readonly #functions: string[] = [];
  #lines: string[] = [];
  #registers = 0;

  /** A new register. */
  fresh(): string {
    this.#registers += 1;
    return `r${this.#registers}`;
  }

  /** 32 bits, in all components of a literal. */
  bits(value: number): Operand {
    return { register: this.#literal([value, value, value, value]), lanes: 'x' };
  }

  float(value: number): Operand {
    return this.bits(new Uint32Array(Float32Array.of(value).buffer)[0]!);
  }

  /** Two components, the low word first. */
  double(value: number): Operand {
    const [low, high] = new Uint32Array(Float64Array.of(value).buffer) as unknown as [number, number];
    return { register: this.#literal([low, high, low, high]), lanes: 'xy' };
  }

  #literal(words: readonly number[]): string {
    const text = words
      .map((word) => `0x${(word >>> 0).toString(16).toUpperCase().padStart(8, '0')}`)
      .join(',');
    const register = this.#literals.get(text) ?? `l${this.#literals.size}`;
    this.#literals.set(text, register);
    return register;
  }

  /** Adds an instruction. */
  add(text: string): void {
    this.#lines.push(text);
  }

  /** Computes a value of some width in a new register. Operands of one component go to all. */
  compute(name: string, width: number, ...operands: readonly Operand[]): Operand {
    const register = this.fresh();
    const sources = operands.map((operand) => read(spread(operand, width)));
    this.add(`${name} ${[written(register, width), ...sources].join(',')}`);
    return { register, lanes: lanesOf(width) };
  }

  /** Sets the first components of a register. */
  move(register: string, value: Operand): void {
    this.add(`mov ${written(register, value.lanes.length)},${read(value)}`);
  }

  /** Adds a function with what `body` adds to it; gives its number. Functions are numbered from 1 in the order of their ends. */
  addFunction(body: () => void): number {
    const outer = this.#lines;
    this.#lines = [];
    body();
    const number = this.#functions.length + 1;
    this.#functions.push([`func ${number}`, ...this.#lines, 'ret', ''].join('\n'));
    this.#lines = outer;
    return number;
  }

  /** The whole program, with these declarations behind those of literals. */
  text(header: string, declarations: readonly string[]): string {
    const literals = [...this.#literals].map(([words, register]) => `dcl_literal ${register},${words}`);
    const main = [header, ...literals, ...declarations, ...this.#lines, 'endmain', ''].join('\n');
    return `${[main, ...this.#functions, 'end'].join('\n')}\n`;
  }
}
