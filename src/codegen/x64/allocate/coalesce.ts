/**
 * Coalescing: virtual registers that copies connect become one, so that the copies copy nothing. Two can be one that are never live at once, and two that
 * have the same value wherever both are (same-value.ts). Where the latter find no register they are taken apart again.
 */
import { DisjointSets } from '../machine/disjoint-sets.ts';
import type { MachineFunction } from '../machine/function.ts';
import { firstVirtual, isCopy, numberShift } from '../machine/operation.ts';
import type { Liveness, Ranges } from './liveness.ts';
import { mergeRanges, rangesMeet } from './range-list.ts';
import { SameValue } from './same-value.ts';

/** What has become one. */
export interface Coalesced {
  /** By index of the virtual register: its representative among those that are one with it. */
  readonly representative: (index: number) => number;
  /** By index: of representatives those of all. */
  readonly ranges: readonly Ranges[];
  /** By index of representatives: 1 if some of those that are one with it are live at once, with the same value. */
  readonly isShared: Uint8Array;
}

/**
 * Joins what copies connect and what never has two values at once, in inner loops first.
 * @param how `fixedFrom`: registers that stay as they are; `isApart`: those that must not be live together with what they become one with
 */
export function coalesce(
  fn: MachineFunction,
  liveness: Liveness,
  { fixedFrom, isApart }: { readonly fixedFrom: number; readonly isApart: ReadonlySet<number> },
): Coalesced {
  const { operations } = liveness;
  const ranges = [...liveness.ranges];
  const isShared = new Uint8Array(fn.registers.length);
  let sameValue: SameValue | undefined;
  const sets = new DisjointSets(fn.registers.length);
  const copies = operations.filter(({ instruction }) => isCopy(instruction));
  copies.sort((a, b) => b.depth - a.depth);
  for (const { instruction } of copies) {
    const [to, from] = instruction.operands as unknown as [
      { number: number; bits: number },
      { number: number },
    ];
    const a = to.number - firstVirtual;
    const b = from.number - firstVirtual;
    if (a < 0 || b < 0) continue;
    const [x, y] = [sets.find(a), sets.find(b)];
    if (x === y || x >= fixedFrom || y >= fixedFrom) continue;
    const [left, right] = [fn.registers[x]!, fn.registers[y]!];
    if (left.kind === 'general' && (left.bits !== right.bits || to.bits !== left.bits)) continue;
    const meet = rangesMeet(ranges[x]!, ranges[y]!);
    if (meet) {
      if (left.bits !== right.bits || to.bits !== left.bits || isApart.has(a) || isApart.has(b)) continue;
      sameValue ??= new SameValue(fn, liveness);
      const isOf = (set: number) => (access: number) => {
        const index = (access >> numberShift) - firstVirtual;
        return index >= 0 && sets.find(index) === set;
      };
      if (!sameValue.hold(ranges[x]!, ranges[y]!, isOf(x), isOf(y))) continue;
    }
    sets.join(x, y);
    ranges[x] = mergeRanges(ranges[x]!, ranges[y]!);
    if (meet || isShared[y] === 1) isShared[x] = 1;
    fn.registers[x] = { kind: left.kind, bits: Math.max(left.bits, right.bits) };
  }
  return { representative: (index) => sets.find(index), ranges, isShared };
}

/**
 * Notes what found no register (`spilled`) and is shared: what is read behind a loop would take the register from what the loop itself computes with.
 * @returns whether there is more of it now
 */
export function setApart(
  fn: MachineFunction,
  { isShared, representative }: Coalesced,
  spilled: readonly number[],
  isApart: Set<number>,
): boolean {
  const shared = new Set(spilled.filter((index) => isShared[index] === 1));
  const before = isApart.size;
  if (shared.size > 0) {
    for (let index = 0; index < fn.registers.length; index += 1) {
      if (shared.has(representative(index))) isApart.add(index);
    }
  }
  return isApart.size > before;
}
