/**
 * Moves what each iteration of a loop computes alike in front of the loop: loop-invariant code motion for general registers. The passes over the IR have done so with
 * the kernel's own values; here it is for what the code for WebAssembly adds, such as the bounds of rows of work-items, which an engine moves itself.
 *
 *     L1:                                  mov v3, v1
 *     mov v3, v1                           and v3, -16
 *     and v3, -16                          L1:
 *     cmp v4, v3                           cmp v4, v3
 *     jl  L1                               jl  L1
 *
 * A value moves if all that writes it lies in one block, one after another, does nothing else, and reads only what the loop leaves as it is. Inner loops
 * come first, so that a value moves as far as it can. Nothing moves that reads memory or could fail, for it may lie in a branch that is not taken.
 */
import { liveBlocks } from '../allocate/liveness.ts';
import { flagReaders, flagSetter, givesFlags, readsFlags } from './flags.ts';
import type { MachineFunction } from './function.ts';
import { targetOf } from './jumps.ts';
import { findLoops, type Loop } from './loops.ts';
import {
  endsBlock,
  firstVirtual,
  isOfVector,
  type MachineItem,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  writes,
} from './operation.ts';

/** What only computes. */
const isComputation = ofMnemonic((mnemonic) =>
  /^(mov|movzx|movsxd?|lea|not|bswap|set.*|cmov.*|rorx|s[ah][lr]x|add|sub|and|or|xor|neg|imul|shl|sa[lr]|shr|rol|ror|popcnt|lzcnt|tzcnt|andn)$/.test(
    mnemonic,
  ),
);
const isComparison = ofMnemonic((mnemonic) => /^(cmp|test)$/.test(mnemonic));

export function licm(fn: MachineFunction): void {
  const loops = findLoops(fn.items);
  if (loops.size === 0) return;
  const liveAt = liveAtLabels(fn);
  const written = new WrittenRegisters(fn);
  const size = ({ start, end }: Loop): number => end - start;
  const order = [...loops].sort(([, a], [, b]) => size(a) - size(b));
  for (const [label, loop] of order) {
    const moved = moveOutOf(fn.items, loop, liveAt.get(label)!, written);
    if (moved) replace(fn.items, loop, moved, loops);
  }
}

/** Writes a loop anew with what has moved in front of it. What is beyond it stays as it is, however large the function. */
function replace(
  items: MachineItem[],
  { start, end }: Loop,
  moved: readonly MachineItem[],
  loops: ReadonlyMap<number, Loop>,
): void {
  const growth = moved.length - (end + 1 - start);
  if (growth > 0) {
    // Comparisons are there twice.
    items.splice(end + 1, 0, ...moved.slice(-growth));
    for (const loop of loops.values()) {
      if (loop.start > end) loop.start += growth;
      if (loop.end > end) loop.end += growth;
    }
  }
  moved.forEach((item, at) => {
    items[start + at] = item;
  });
  const newEnd = end + growth;
  for (let at = start; at <= newEnd; at += 1) {
    const item = items[at]!;
    if (item.kind === 'label') {
      const loop = loops.get(item.label);
      if (loop) loop.start = at;
      continue;
    }
    const target = targetOf(item);
    const loop = target === undefined ? undefined : loops.get(target);
    if (loop && loop.start < at && loop.end <= newEnd) loop.end = at;
  }
}

/** The virtual registers that are live at each label. */
function liveAtLabels(fn: MachineFunction): Map<number, ReadonlySet<number>> {
  const { blocks, operations, liveIn } = liveBlocks(fn);
  const blockAt = new Map(blocks.map(({ first }, number) => [first, number]));
  const found = new Map<number, ReadonlySet<number>>();
  let place = 0;
  for (const item of fn.items) {
    if (item.kind !== 'label') {
      place += 1;
      continue;
    }
    const live = new Set<number>();
    const block = blockAt.get(place);
    if (block !== undefined && place < operations.length)
      liveIn.forEach(block, (index) => live.add(firstVirtual + index));
    found.set(item.label, live);
  }
  return found;
}

/** What writes a register within a loop, where it could move as far as what it does and where it is tell. */
interface Movable {
  readonly block: number;
  readonly at: number[];
}

/** What one loop after the other writes. */
class WrittenRegisters {
  /** By number: how often the function writes it, and the last loop that does so. */
  readonly #counts: Int32Array;
  readonly #loops: Int32Array;
  #loop = 0;
  /** In the order of their last writes. */
  movable = new Map<number, Movable>();

  constructor(fn: MachineFunction) {
    this.#counts = new Int32Array(firstVirtual + fn.registers.length);
    this.#loops = new Int32Array(this.#counts.length);
    for (const item of fn.items) {
      if (item.kind === 'label') continue;
      for (const access of item.accesses)
        if ((access & writes) !== 0) this.#counts[access >> numberShift]! += 1;
    }
  }

  /** Whether the loop that was looked at last writes a register. */
  has(number: number): boolean {
    return this.#loops[number] === this.#loop;
  }

  /** Looks at a loop. */
  find(items: readonly MachineItem[], { start, end }: Loop, live: ReadonlySet<number>): void {
    this.#loop += 1;
    this.movable = new Map();
    const { movable } = this;
    let block = 0;
    for (let at = start; at <= end; at += 1) {
      const item = items[at]!;
      if (item.kind === 'label') {
        block += 1;
        continue;
      }
      for (const access of item.accesses) {
        const number = access >> numberShift;
        if (number < firstVirtual) continue;
        const known = movable.get(number);
        if ((access & writes) === 0) {
          // Who reads it before it is complete must read it there.
          if (known && known.at.length < this.#counts[number]! && !touches(item, number, writes))
            movable.delete(number);
          continue;
        }
        if (!this.has(number)) {
          this.#loops[number] = this.#loop;
          const isFirst = (access & (reads | isOfVector)) === 0 && !touches(item, number, reads);
          if (isFirst && !live.has(number) && isMovable(items, at)) movable.set(number, { block, at: [at] });
          continue;
        }
        if (!known) continue;
        if (known.at.at(-1) !== at) known.at.push(at);
        // It is complete here: what it reads has been found.
        movable.delete(number);
        if (known.block === block && isMovable(items, at)) movable.set(number, known);
      }
      if (endsBlock(item.instruction.mnemonic)) block += 1;
    }
    for (const [number, { at }] of movable) if (at.length < this.#counts[number]!) movable.delete(number);
  }
}

/** A loop with what moves in front of it; undefined if nothing does. */
function moveOutOf(
  items: readonly MachineItem[],
  loop: Loop,
  live: ReadonlySet<number>,
  written: WrittenRegisters,
): MachineItem[] | undefined {
  const { start, end } = loop;
  if (flagReaders(items, start).length > 0) return undefined;
  written.find(items, loop, live);
  /** Places of what moves. */
  const moved = new Set<number>();
  /** Comparisons of which what moves takes the flags. */
  const compared = new Set<number>();
  const hoisted = new Set<number>();
  /** Numbers in registers, which move only for what reads them to move: elsewhere they cost less than a register. */
  const numbers = new Set<number>();
  const isInvariant = (number: number): boolean =>
    number >= firstVirtual && (!written.has(number) || hoisted.has(number) || numbers.has(number));
  for (const [number, { at }] of written.movable) {
    if (at.length === 1 && isNumber(items[at[0]!] as MachineOperation)) {
      numbers.add(number);
      continue;
    }
    const comparisons: number[] = [];
    const isFree = at.every((place) => {
      const { accesses, instruction } = items[place] as MachineOperation;
      if (!accesses.every((access) => access >> numberShift === number || isInvariant(access >> numberShift)))
        return false;
      if (!readsFlags(instruction.mnemonic)) return true;
      const comparison = comparisonBefore(items, place);
      if (comparison === undefined) return false;
      const compares = items[comparison] as MachineOperation;
      comparisons.push(comparison);
      return compares.accesses.every((access) => isInvariant(access >> numberShift));
    });
    if (!isFree) continue;
    hoisted.add(number);
    for (const place of at) moved.add(place);
    for (const place of comparisons) compared.add(place);
    for (const place of [...at, ...comparisons]) {
      for (const access of (items[place] as MachineOperation).accesses) {
        if (!numbers.delete(access >> numberShift)) continue;
        hoisted.add(access >> numberShift);
        moved.add(written.movable.get(access >> numberShift)!.at[0]!);
      }
    }
  }
  if (moved.size === 0) return undefined;
  const isDropped = (place: number): boolean =>
    moved.has(place) ||
    (compared.has(place) && flagReaders(items, place).every((reader) => moved.has(reader)));
  const before: MachineItem[] = [];
  const kept: MachineItem[] = [];
  const depth = Math.max(0, depthOf(items, start) - 1);
  for (let at = start; at <= end; at += 1) {
    const item = items[at]!;
    if (item.kind === 'operation' && (moved.has(at) || compared.has(at))) before.push(item.atDepth(depth));
    if (!isDropped(at)) kept.push(item);
  }
  return [...before, ...kept];
}

function isNumber({ instruction: { mnemonic, operands } }: MachineOperation): boolean {
  return mnemonic === 'mov' && operands[1]!.kind === 'immediate';
}

/** Loops around the first operation behind a place. */
function depthOf(items: readonly MachineItem[], start: number): number {
  for (let at = start; at < items.length; at += 1) {
    const item = items[at]!;
    if (item.kind === 'operation') return item.depth;
  }
  return 0;
}

/** @param how {@link reads} or {@link writes} */
function touches({ accesses }: MachineOperation, number: number, how: number): boolean {
  return accesses.some((access) => access >> numberShift === number && (access & how) !== 0);
}

/** Whether an operation does nothing but to compute a general register from others, and nobody takes flags from it. */
function isMovable(items: readonly MachineItem[], at: number): boolean {
  const operation = items[at] as MachineOperation;
  const { instruction, implicitUses, implicitDefinitions, isCall } = operation;
  if (isCall || implicitUses.length > 0 || implicitDefinitions.length > 0) return false;
  const { mnemonic, operands } = instruction;
  if (!operands.every((one, index) => isPlain(one.kind, mnemonic, index))) return false;
  return isComputation(mnemonic) && !givesFlags(items, at);
}

/** General registers and numbers; the second operand of `lea` is an address only. */
function isPlain(kind: string, mnemonic: string, index: number): boolean {
  return (
    kind === 'general' || kind === 'immediate' || (kind === 'memory' && mnemonic === 'lea' && index === 1)
  );
}

/** The comparison of registers and numbers whose flags an operation takes; undefined if they are not those of one. */
function comparisonBefore(items: readonly MachineItem[], at: number): number | undefined {
  const place = flagSetter(items, at);
  if (place === undefined) return undefined;
  const { mnemonic, operands } = (items[place] as MachineOperation).instruction;
  const isOfRegisters = operands.every(({ kind }) => kind === 'general' || kind === 'immediate');
  return isComparison(mnemonic) && isOfRegisters ? place : undefined;
}
