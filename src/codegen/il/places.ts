/**
 * Where values live in a program in IL: words of 32 bits, each a component of a register or of a literal. A value has a word for each lane,
 * two for lanes of 64 bits (the low one first, in x and y or in z and w), and registers of its own, up to four words in one.
 */

import { elementOf, type Type } from '../../ir/types.ts';
import type { Span } from '../../source/span.ts';

export interface Place {
  readonly bank: 'r' | 'l';
  readonly register: number;
  /** 0 to 3 */
  readonly component: number;
}

/** Something that IL cannot say, and where it is. */
export class IlWriteError extends Error {
  readonly span: Span | undefined;

  constructor(message: string, span?: Span | undefined) {
    super(message);
    this.name = 'IlWriteError';
    this.span = span;
  }
}

/** Words of a lane. */
export function laneWords(type: Type): 1 | 2 {
  const element = elementOf(type);
  if (element.kind === 'float' && element.bits === 16)
    throw new IlWriteError('IL does not compute with halves');
  return (element.kind === 'int' || element.kind === 'float') && element.bits === 64 ? 2 : 1;
}

export const laneCount = (type: Type): number => (type.kind === 'vector' ? type.lanes : 1);

const letters = 'xyzw';

/** The text of a program: its instructions, literals and registers. */
export class IlText {
  readonly lines: string[] = [];
  readonly #literals = new Map<string, Place[]>();
  readonly #literalLines: string[] = [];
  #registers = 0;

  get literals(): readonly string[] {
    return this.#literalLines;
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /** Places of a new value. */
  fresh(words: number): Place[] {
    const first = this.#registers;
    this.#registers += Math.ceil(words / 4);
    return Array.from({ length: words }, (_, word) => ({
      bank: 'r',
      register: first + (word >> 2),
      component: word & 3,
    }));
  }

  one(): Place {
    return this.fresh(1)[0]!;
  }

  /** Places that hold constants. */
  constants(words: readonly number[]): Place[] {
    const found: Place[] = [];
    for (let start = 0; start < words.length; start += 4)
      found.push(...this.#literal(words.slice(start, start + 4)));
    return found;
  }

  constant(word: number): Place {
    return this.constants([word])[0]!;
  }

  #literal(words: readonly number[]): Place[] {
    const key = words.map((word) => word >>> 0).join();
    let places = this.#literals.get(key);
    if (!places) {
      const register = this.#literals.size;
      const hex = [0, 1, 2, 3].map(
        (index) => `0x${((words[index] ?? words[0] ?? 0) >>> 0).toString(16).toUpperCase().padStart(8, '0')}`,
      );
      this.#literalLines.push(`dcl_literal l${register}, ${hex.join(', ')}`);
      places = words.map((_, component) => ({ bank: 'l', register, component }));
      this.#literals.set(key, places);
    }
    return places;
  }

  /** An instruction on each word by itself, as many at once as are in one register. */
  each(name: string, target: readonly Place[], ...sources: readonly (readonly Place[])[]): void {
    for (let start = 0; start < target.length; ) {
      let end = start + 1;
      const sits = (list: readonly Place[]): boolean =>
        list[end]!.bank === list[start]!.bank && list[end]!.register === list[start]!.register;
      while (end < target.length && sits(target) && sources.every(sits)) end += 1;
      const range = target.slice(start, end);
      const operands = sources.map((source) => this.#read(range, source.slice(start, end)));
      this.line(`${name} ${[written(range), ...operands].join(', ')}`);
      start = end;
    }
  }

  /** What is at the positions that are written. */
  #read(target: readonly Place[], source: readonly Place[]): string {
    const [first] = source;
    const picks = [0, 1, 2, 3].map((position) => {
      const index = target.findIndex(({ component }) => component === position);
      return letters.charAt((source[index] ?? first!).component);
    });
    return `${first!.bank}${first!.register}.${picks.join('')}`;
  }

  /** An instruction on pairs: a target of one word or two, sources of two, or one where a number of 32 bits is meant. */
  pair(name: string, target: readonly Place[], ...sources: readonly (readonly Place[])[]): void {
    this.line(`${name} ${[written(target), ...sources.map(both)].join(', ')}`);
  }

  /** Copies words; those that are overwritten before they are read go by way of others. */
  move(target: readonly Place[], source: readonly Place[]): void {
    const isOf = (a: Place, b: Place): boolean =>
      a.bank === b.bank && a.register === b.register && a.component === b.component;
    const moves = target
      .map((to, index) => [to, source[index]!] as const)
      .filter(([to, from]) => !isOf(to, from));
    if (moves.length === 0) return;
    const clashes = moves.some(([to], index) =>
      moves.some(([, from], other) => other !== index && isOf(to, from)),
    );
    let from = moves.map(([, place]) => place);
    if (clashes) {
      const between = this.fresh(from.length);
      this.each('mov', between, from);
      from = between;
    }
    this.each(
      'mov',
      moves.map(([to]) => to),
      from,
    );
  }
}

/** `r3.xy__` */
export function written(places: readonly Place[]): string {
  const mask = [0, 1, 2, 3].map((position) =>
    places.some(({ component }) => component === position) ? letters.charAt(position) : '_',
  );
  return `r${places[0]!.register}.${mask.join('')}`;
}

/** `r3.zwzw`, and of one word `r3.zzzz`. */
function both(places: readonly Place[]): string {
  const [first, second = first] = places;
  const text = letters.charAt(first!.component) + letters.charAt(second!.component);
  return `${first!.bank}${first!.register}.${text}${text}`;
}

/** `r3.x` */
export const scalar = ({ bank, register, component }: Place): string =>
  `${bank}${register}.${letters.charAt(component)}`;
