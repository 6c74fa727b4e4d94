/**
 * How a bundle reads its sources. The registers of each channel have one read port, which is there three times, in three cycles; an
 * instruction says by its bank swizzle in which cycle it reads which source. Constants have few ports, too. The rules
 * are those of the R600 and R700 instruction set manuals (vector and scalar bank swizzles, constant file reads).
 */

import type { AluInstruction } from './program.ts';

/** What an instruction reads, by value: the previous bundle's results cost nothing and are not listed as registers. */
export type Read<Key> =
  | { readonly kind: 'register'; readonly key: Key; readonly channel: number }
  | { readonly kind: 'constant'; readonly buffer: number; readonly index: number; readonly channel: number }
  /** A literal, or a number that instructions know by itself. */
  | { readonly kind: 'number' }
  | { readonly kind: 'forwarded' };

export interface SlotReads<Key> {
  readonly isTrans: boolean;
  readonly reads: readonly Read<Key>[];
}

/** What an instruction of a finished program reads. */
export function readsOf({ slot, sources }: AluInstruction): SlotReads<string> {
  return {
    isTrans: slot === 't',
    reads: sources.map((source): Read<string> => {
      if (source.kind === 'place')
        return { kind: 'register', key: `${source.file}${source.index}`, channel: source.channel };
      if (source.kind === 'constant') return source;
      return { kind: source.kind === 'number' ? 'number' : 'forwarded' };
    }),
  };
}

const vectorSwizzles = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 2, 0],
  [1, 0, 2],
  [2, 0, 1],
  [2, 1, 0],
] as const;
const vectorNames = ['VEC_012', 'VEC_021', 'VEC_120', 'VEC_102', 'VEC_201', 'VEC_210'] as const;

const scalarSwizzles = [
  [2, 1, 0],
  [1, 2, 2],
  [2, 1, 2],
  [2, 2, 1],
] as const;
const scalarNames = ['SCL_210', 'SCL_122', 'SCL_212', 'SCL_221'] as const;

export type BankSwizzle = (typeof vectorNames)[number] | (typeof scalarNames)[number];

/** The swizzle of each instruction of a bundle, or undefined if their reads do not fit. */
export function bankSwizzles<Key>(
  slots: readonly SlotReads<Key>[],
  isR700: boolean,
): readonly BankSwizzle[] | undefined {
  if (!constantsFit(slots, isR700)) return undefined;
  const ports: (Key | undefined)[] = Array(12).fill(undefined);
  const chosen: BankSwizzle[] = [];
  const place = (at: number): boolean => {
    const slot = slots[at];
    if (!slot) return true;
    const choices = slot.isTrans ? scalarSwizzles : vectorSwizzles;
    for (const [number, cycles] of choices.entries()) {
      const taken = slot.isTrans && !scalarFits(slot, cycles) ? undefined : reserve(slot, cycles, ports);
      if (!taken) continue;
      chosen[at] = slot.isTrans ? scalarNames[number]! : vectorNames[number]!;
      if (place(at + 1)) return true;
      for (const port of taken) ports[port] = undefined;
    }
    return false;
  };
  return place(0) ? chosen : undefined;
}

/** The ports that an instruction takes for itself, which are then taken; undefined if another has one of them. */
function reserve<Key>(
  { isTrans, reads }: SlotReads<Key>,
  cycles: readonly number[],
  ports: (Key | undefined)[],
): readonly number[] | undefined {
  const taken: number[] = [];
  for (const [index, read] of reads.entries()) {
    if (read.kind !== 'register') continue;
    const first = reads[0]!;
    const isAgain =
      !isTrans &&
      index === 1 &&
      first.kind === 'register' &&
      first.key === read.key &&
      first.channel === read.channel;
    if (isAgain) continue;
    const port = cycles[index]! * 4 + read.channel;
    if (ports[port] === undefined) {
      ports[port] = read.key;
      taken.push(port);
    } else if (ports[port] !== read.key) {
      for (const one of taken) ports[one] = undefined;
      return undefined;
    }
  }
  return taken;
}

/** The t slot reads its constants in the first cycles, at most two. */
function scalarFits<Key>({ reads }: SlotReads<Key>, cycles: readonly number[]): boolean {
  const constants = reads.filter(({ kind }) => kind === 'constant' || kind === 'number').length;
  if (constants > 2) return false;
  return reads.every((read, index) => read.kind !== 'register' || cycles[index]! >= constants);
}

/** R600 reads four words of constants a bundle, R700 two pairs of words. */
function constantsFit<Key>(slots: readonly SlotReads<Key>[], isR700: boolean): boolean {
  const read = new Set<string>();
  for (const { reads } of slots) {
    for (const one of reads) {
      if (one.kind !== 'constant') continue;
      const channel = isR700 ? one.channel >> 1 : one.channel;
      read.add(`${one.buffer}:${one.index}:${channel}`);
    }
  }
  return read.size <= (isR700 ? 2 : 4);
}
