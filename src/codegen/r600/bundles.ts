/**
 * A bundle while it is filled: which slots are free, which literals and constants it has, and whether its sources can be read. An
 * instruction is in the slot of the channel that it writes, or in t, which writes any channel; t alone has the transcendental
 * functions, multiplies integers and converts. Doubles take two slots or all four of x to w.
 */
import { type Chip, literalsPerBundle, locksPerClause, wordsPerAluClause } from './chips.ts';
import type { Opcode } from './opcodes.ts';
import { type Alu, type Channel, channels, type Group, type Register, type Source } from './operations.ts';
import { type BankSwizzle, bankSwizzles, type Read } from './ports.ts';

export type SlotName = 'x' | 'y' | 'z' | 'w' | 't';
export const slotNames: readonly SlotName[] = ['x', 'y', 'z', 'w', 't'];

/** What is in one slot. Of doubles, each slot has its part of the sources and of the result. */
export interface Slot {
  readonly slot: SlotName;
  readonly alu: Alu;
  readonly target: Register | undefined;
  readonly sources: readonly Source[];
  swizzle: BankSwizzle;
}

export interface Bundle {
  readonly slots: readonly Slot[];
  /** Patterns, each once. */
  readonly literals: readonly number[];
}

/** What a clause has so far: the constants that it locks, sixteen a line, and its 64-bit words. */
export interface ClauseState {
  locks: readonly Lock[];
  words: number;
}

/** One or two neighbouring lines of a constant buffer. */
export interface Lock {
  readonly buffer: number;
  readonly line: number;
  readonly count: 1 | 2;
}

export const newClause = (): ClauseState => ({ locks: [], words: 0 });

/** Numbers that instructions know without a literal: 0, 1.0, 0.5, 1 and -1. */
export const knownNumbers: ReadonlyMap<number, string> = new Map([
  [0, '0.0f'],
  [0x3f800000, '1.0f'],
  [0x3f000000, '0.5'],
  [1, '1'],
  [-1, '-1'],
]);

/** The locks with one more constant, or undefined if there are too many. */
export function locked(locks: readonly Lock[], buffer: number, index: number): readonly Lock[] | undefined {
  const line = index >> 4;
  for (const [at, lock] of locks.entries()) {
    if (lock.buffer !== buffer) continue;
    if (line >= lock.line && line < lock.line + lock.count) return locks;
    if (lock.count === 2) continue;
    if (line === lock.line + 1) return locks.with(at, { ...lock, count: 2 });
    if (line === lock.line - 1) return locks.with(at, { buffer, line, count: 2 });
  }
  return locks.length < locksPerClause ? [...locks, { buffer, line, count: 1 }] : undefined;
}

export class BundleBuilder {
  readonly #chip: Chip;
  readonly #clause: ClauseState;
  /** Where each register that the bundle before wrote can be had without reading it. */
  readonly #forwarded = new Set<Register>();
  readonly #slots = new Map<SlotName, Slot>();
  #literals: readonly number[] = [];
  #locks: readonly Lock[];

  constructor(chip: Chip, clause: ClauseState, previous: Bundle | undefined) {
    this.#chip = chip;
    this.#clause = clause;
    this.#locks = clause.locks;
    for (const { target } of previous?.slots ?? []) if (target) this.#forwarded.add(target);
  }

  get isFull(): boolean {
    return this.#slots.size === slotNames.length;
  }

  /** Puts an operation in, if it fits. */
  add(alu: Alu): boolean {
    for (const placing of this.#placings(alu)) {
      const channelBefore = placing.map(({ target }) => target?.channel);
      for (const { slot, target } of placing) {
        if (target && target.channel === undefined) target.channel = channelFor(slot, target);
      }
      if (this.#fits(placing)) return true;
      for (const [index, { target }] of placing.entries()) if (target) target.channel = channelBefore[index];
    }
    return false;
  }

  finish(): Bundle {
    this.#clause.locks = this.#locks;
    this.#clause.words += this.#slots.size + Math.ceil(this.#literals.length / 2);
    const slots = slotNames.flatMap((name) => this.#slots.get(name) ?? []);
    return { slots, literals: this.#literals };
  }

  /** The slots that an operation could be in, the better ones first. */
  *#placings(alu: Alu): Iterable<readonly Slot[]> {
    const { opcode, targets, sources } = alu;
    const isFree = (slot: SlotName): boolean => !this.#slots.has(slot);
    if (opcode.units === 'pair' || opcode.units === 'quad') {
      const wide = wideSlots(alu);
      if (wide.every(({ slot }) => isFree(slot))) yield wide;
      return;
    }
    const [target] = targets;
    const one = (slot: SlotName): readonly Slot[] => [{ slot, alu, target, sources, swizzle: 'VEC_012' }];
    if (!isTransOnly(opcode, this.#chip)) {
      for (const channel of this.#channelsFor(target)) {
        const slot = slotNames[channel]!;
        if (isFree(slot)) yield one(slot);
      }
      if (opcode.units === 'vector') return;
    }
    if (isFree('t')) yield one('t');
  }

  /** The channels that a register could have, those that few others have first. */
  #channelsFor(target: Register | undefined): readonly Channel[] {
    if (!target) return channels;
    if (target.channel !== undefined) return [target.channel];
    const taken = takenIn(target.group);
    return channels.filter((channel) => !taken.has(channel));
  }

  #fits(placing: readonly Slot[]): boolean {
    let literals = this.#literals;
    let locks: readonly Lock[] | undefined = this.#locks;
    for (const { sources } of placing) {
      for (const source of sources) {
        if (source.kind === 'constant') locks = locks && locked(locks, source.buffer, source.index);
        if (source.kind !== 'literal' || knownNumbers.has(source.bits)) continue;
        if (!literals.includes(source.bits)) literals = [...literals, source.bits];
      }
    }
    if (!locks || literals.length > literalsPerBundle) return false;
    const slots = new Map(this.#slots);
    for (const slot of placing) slots.set(slot.slot, slot);
    if (this.#clause.words + slots.size + Math.ceil(literals.length / 2) > wordsPerAluClause) return false;
    const all = slotNames.flatMap((name) => slots.get(name) ?? []);
    const swizzles = bankSwizzles(
      all.map(({ slot, sources }) => ({
        isTrans: slot === 't',
        reads: sources.map((source) => this.#read(source)),
      })),
      this.#chip.hasCompute,
    );
    if (!swizzles) return false;
    for (const [index, slot] of all.entries()) slot.swizzle = swizzles[index]!;
    for (const slot of placing) this.#slots.set(slot.slot, slot);
    this.#literals = literals;
    this.#locks = locks;
    return true;
  }

  #read(source: Source): Read<Group> {
    if (source.kind === 'literal') return { kind: 'number' };
    if (source.kind === 'constant') return source;
    const { register } = source;
    if (this.#forwarded.has(register)) return { kind: 'forwarded' };
    if (register.channel === undefined) {
      const taken = takenIn(register.group);
      register.channel = channels.find((channel) => !taken.has(channel))!;
    }
    return { kind: 'register', key: register.group, channel: register.channel };
  }
}

function isTransOnly({ units }: Opcode, chip: Chip): boolean {
  return units === 'trans' || (units === 'shift' && !chip.shiftsAnywhere);
}

function takenIn({ members }: Group): ReadonlySet<Channel | undefined> {
  return new Set([...members].map(({ channel }) => channel));
}

/** The channel that a slot writes; t takes the first one that is free. */
function channelFor(slot: SlotName, target: Register): Channel {
  if (slot !== 't') return slotNames.indexOf(slot) as Channel;
  const taken = takenIn(target.group);
  // From the other end than the slots that fill up first, so that channels are used evenly.
  return [...channels].reverse().find((channel) => !taken.has(channel))!;
}

/** The parts of an operation on doubles. Each slot but the last has the high words of the sources. */
function wideSlots(alu: Alu): readonly Slot[] {
  const { opcode, targets, sources } = alu;
  const count = opcode.units === 'quad' ? 4 : 2;
  return Array.from({ length: count }, (_, index): Slot => {
    const word = index === count - 1 ? 0 : 1;
    const part =
      opcode.name === 'FLT32_TO_FLT64'
        ? [index === 0 ? sources[0]! : ({ kind: 'literal', bits: 0 } as const)]
        : Array.from({ length: opcode.sources }, (_, source) => sources[source * 2 + word]!);
    return { slot: slotNames[index]!, alu, target: targets[index], sources: part, swizzle: 'VEC_012' };
  });
}
