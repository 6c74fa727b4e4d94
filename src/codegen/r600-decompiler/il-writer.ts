/** The lines of a program in IL while it is written, with the numbers that it needs as literals. */

/**
 * Registers of IL: 0 to 127 are the general ones, then come clause temporaries; the others hold what is on its way. Results of bundles
 * are kept in two places in turn, as a bundle reads what the one before has computed while it computes.
 */
export const registers = {
  temporaries: 128,
  vectors: 132,
  scalars: 134,
  predicate: 136,
  address: 137,
  part: 138,
  element: 139,
  doubles: 140,
  wide: 143,
  fetched: 145,
} as const;

const letters = 'xyzw';

export class IlWriter {
  readonly #lines: string[] = [];
  readonly #literals = new Map<number, number>();

  line(text: string): void {
    this.#lines.push(text);
  }

  /** A number as a source. */
  literal(bits: number): string {
    const known = this.#literals.get(bits) ?? this.#literals.size;
    this.#literals.set(bits, known);
    return `l${known >> 2}.${letters[known & 3]}`;
  }

  /** The declarations of the literals, then what was written. */
  finish(header: readonly string[]): string {
    const numbers = [...this.#literals.keys()];
    const declarations = Array.from({ length: Math.ceil(numbers.length / 4) }, (_, index) => {
      const four = [0, 1, 2, 3].map((at) => ((numbers[index * 4 + at] ?? 0) >>> 0).toString(16));
      return `dcl_literal l${index}, ${four.map((digits) => `0x${digits}`).join(', ')}`;
    });
    return [...header, ...declarations, ...this.#lines, 'end', ''].join('\n');
  }
}

/** One component of a register that is written. */
export const target = (register: number, component: number): string => {
  const mask = ['_', '_', '_', '_'];
  mask[component] = letters[component]!;
  return `r${register}.${mask.join('')}`;
};

/** One component of a register that is read. */
export const source = (register: number, component: number): string => `r${register}.${letters[component]}`;

/** A mask of those components for which there is something. */
export const mask = (present: readonly unknown[]): string =>
  [0, 1, 2, 3].map((at) => (present[at] === undefined ? '_' : letters[at])).join('');
