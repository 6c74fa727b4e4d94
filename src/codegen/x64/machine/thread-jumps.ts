/**
 * Lets jumps of an allocated function go where they lead in the end: past a jump that follows their label, and past a comparison whose outcome they
 * know, as they come from the same one:
 *
 *     cmp ecx, 0             cmp ecx, 0
 *     jl  L1                 jl  L3
 *     ...              =>    ...
 *   L1:                    L1:
 *     cmp ecx, 0             cmp ecx, 0
 *     jl  L3                 jl  L3
 *
 * Structured control leaves these where a loop ends in several ways and what follows asks which it was.
 */

import { type Instruction, label, type Operand } from '../assembler/instruction.ts';
import { conditionNumber } from '../assembler/tables/control.ts';
import { flagSetter } from './flags.ts';
import type { MachineFunction } from './function.ts';
import { targetOf } from './jumps.ts';
import {
  isSameRegister,
  type MachineItem,
  MachineOperation,
  numberShift,
  ofMnemonic,
  writes,
} from './operation.ts';

/** Compares and does nothing else. */
const isComparison = ofMnemonic((mnemonic) => /^(cmp|test)$/.test(mnemonic));

export function threadJumps(fn: MachineFunction): void {
  const { items } = fn;
  const places = new Map<number, number>();
  items.forEach((item, at) => {
    if (item.kind === 'label') places.set(item.label, at);
  });
  /** Labels that are wanted in front of an item. */
  const wanted = new Map<number, number>();
  items.forEach((item, at) => {
    if (item.kind === 'label' || item.leaves || targetOf(item) === undefined) return;
    const threaded = new Threading(fn, places, wanted).follow(item, at);
    if (threaded) items[at] = threaded;
  });
  const all = items.flatMap((item, at) => {
    const before = wanted.get(at);
    return before === undefined ? [item] : [{ kind: 'label' as const, label: before }, item];
  });
  fn.items = reachable(all);
}

/** Without what is behind a jump and before the next label that something leads to. */
function reachable(items: readonly MachineItem[]): MachineItem[] {
  const wanted = new Set<number>();
  for (const item of items) {
    if (item.kind === 'label') continue;
    for (const operand of item.instruction.operands) if (operand.kind === 'label') wanted.add(operand.label);
  }
  let isReached = true;
  return items.filter((item) => {
    if (item.kind === 'label') isReached ||= wanted.has(item.label);
    else if (isReached && item.instruction.mnemonic === 'jmp') {
      isReached = false;
      return true;
    }
    return isReached;
  });
}

/** Follows one jump. */
class Threading {
  readonly #fn: MachineFunction;
  readonly #places: ReadonlyMap<number, number>;
  readonly #wanted: Map<number, number>;

  constructor(fn: MachineFunction, places: ReadonlyMap<number, number>, wanted: Map<number, number>) {
    this.#fn = fn;
    this.#places = places;
    this.#wanted = wanted;
  }

  /** The jump to where it leads; undefined if that is where it goes. */
  follow(jump: MachineOperation, at: number): MachineOperation | undefined {
    const { mnemonic } = jump.instruction;
    const { items } = this.#fn;
    let target = targetOf(jump)!;
    let leaves = false;
    const seen = new Set<number>();
    while (!leaves && !seen.has(target)) {
      seen.add(target);
      const next = this.#firstAt(target);
      if (next === undefined) break;
      const first = items[next] as MachineOperation;
      const after = targetOf(first);
      if (first.instruction.mnemonic === 'jmp' && after !== undefined) {
        target = after;
        leaves = first.leaves;
        continue;
      }
      const second = items[next + 1];
      const beyond = targetOf(second);
      if (beyond === undefined || !this.#hasCompared(at, first.instruction)) break;
      const [own, asked] = [mnemonic, (second as MachineOperation).instruction.mnemonic].map((one) =>
        conditionNumber(one.slice(1)),
      );
      if (own === undefined || asked === undefined || own >> 1 !== asked >> 1) break;
      const third = items[next + 2];
      const isJump = third?.kind === 'operation' && third.instruction.mnemonic === 'jmp';
      const taken = own === asked ? second : isJump ? third : undefined;
      target = targetOf(taken) ?? this.#labelAt(next + 2);
      leaves = taken?.kind === 'operation' && taken.leaves;
    }
    if (target === targetOf(jump)) return undefined;
    return new MachineOperation({ ...jump.instruction, operands: [label(target)] }, { ...jump, leaves });
  }

  /** The place of the first instruction behind a label. */
  #firstAt(target: number): number | undefined {
    let at = this.#places.get(target);
    while (at !== undefined && this.#fn.items[at]?.kind === 'label') at += 1;
    return at !== undefined && at < this.#fn.items.length ? at : undefined;
  }

  /** Whether the flags at a jump are what a comparison would give. */
  #hasCompared(at: number, comparison: Instruction): boolean {
    const { items } = this.#fn;
    const place = isComparison(comparison.mnemonic) ? flagSetter(items, at) : undefined;
    if (place === undefined) return false;
    const { mnemonic, operands } = (items[place] as MachineOperation).instruction;
    if (mnemonic !== comparison.mnemonic || operands.length !== comparison.operands.length) return false;
    if (!operands.every((one, index) => isSame(one, comparison.operands[index]!))) return false;
    const compared = operands.flatMap((one) => (one.kind === 'general' ? [one.number] : []));
    return !items.slice(place + 1, at).some((item) => writesOne(item, compared));
  }

  /** A label in front of a place. */
  #labelAt(at: number): number {
    const item = this.#fn.items[at];
    if (item?.kind === 'label') return item.label;
    let found = this.#wanted.get(at);
    if (found === undefined) {
      found = this.#fn.newLabel();
      this.#wanted.set(at, found);
    }
    return found;
  }
}

/** Whether two operands are the same number or the same register; memory may have changed. */
function isSame(one: Operand, other: Operand): boolean {
  if (one.kind === 'immediate')
    return other.kind === 'immediate' && BigInt(one.value) === BigInt(other.value);
  return isSameRegister(one, other);
}

function writesOne(item: MachineItem, numbers: readonly number[]): boolean {
  if (item.kind === 'label') return false;
  if (item.implicitDefinitions.some((number) => numbers.includes(number))) return true;
  return item.accesses.some((access) => (access & writes) !== 0 && numbers.includes(access >> numberShift));
}
