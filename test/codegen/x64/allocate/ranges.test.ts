/** Lists of ranges and sets of registers, against arrays that say for each position what is there; ranges of code written here, by hand. */
import { describe, expect, it } from 'vitest';
import { findLiveness, liveBlocks, type Ranges } from '../../../../src/codegen/x64/allocate/liveness.ts';
import { mergeRanges, RangeList, rangesMeet } from '../../../../src/codegen/x64/allocate/range-list.ts';
import { RegisterSets } from '../../../../src/codegen/x64/allocate/register-sets.ts';
import { immediate, memory } from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { firstVirtual } from '../../../../src/codegen/x64/machine/operation.ts';

const positions = 400;

/** Numbers below a limit, the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Ranges with at least one position between them, many or few. */
function someRanges(next: (limit: number) => number): number[] {
  const ranges: number[] = [];
  const step = 1 + next(40);
  for (let at = next(positions); at < positions; at += 1 + next(step)) {
    const end = Math.min(positions, at + 1 + next(step));
    ranges.push(at, end);
    at = end;
  }
  return ranges;
}

function taken(ranges: Ranges): boolean[] {
  return Array.from({ length: positions }, (_, at) => {
    for (let index = 0; index < ranges.length; index += 2) {
      if (at >= ranges[index]! && at < ranges[index + 1]!) return true;
    }
    return false;
  });
}

const meet = (a: readonly boolean[], b: readonly boolean[]): boolean => a.some((one, at) => one && b[at]!);

describe('ranges', () => {
  it('meet where they have a position in common, and are merged where they have none', () => {
    const outcomes = new Set<boolean>();
    for (let seed = 1; seed <= 400; seed += 1) {
      const next = numbers(seed);
      const [a, b] = [someRanges(next), someRanges(next)];
      const expected = meet(taken(a), taken(b));
      outcomes.add(expected);
      expect(rangesMeet(a, b), `seed ${seed}`).toBe(expected);
      if (!expected) {
        const both = taken(b);
        expect(taken(mergeRanges(a, b))).toEqual(taken(a).map((one, at) => one || both[at]));
      }
    }
    expect(outcomes.size).toBe(2);
    expect(mergeRanges([0, 2, 8, 9], [2, 5, 6, 8])).toEqual([0, 5, 6, 9]);
  });

  it('are taken in a list, in any order and number', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const next = numbers(1000 + seed);
      const list = new RangeList();
      const own = new Array<boolean>(positions).fill(false);
      let added = 0;
      for (let turn = 0; turn < 30; turn += 1) {
        const ranges = someRanges(next);
        const place = taken(ranges);
        expect(list.meets(ranges), `seed ${seed}, turn ${turn}`).toBe(meet(own, place));
        // What is free of them is added.
        const free: number[] = [];
        for (let index = 0; index < ranges.length; index += 2) {
          const one = ranges.slice(index, index + 2);
          if (!meet(own, taken(one))) free.push(...one);
        }
        if (free.length === 0) continue;
        list.add(free);
        added += 1;
        const more = taken(free);
        for (let at = 0; at < positions; at += 1) own[at] ||= more[at]!;
      }
      expect(added).toBeGreaterThan(0);
    }
  });
});

describe('sets of registers', () => {
  it('hold what was put in, in order, and leave out what is excepted', () => {
    // More than a word, with the highest bit of one.
    const many = Array.from({ length: 40 }, (_, index) => 3 * index + 1);
    const sets = new RegisterSets(200, [many, [7], []]);
    const listed = (of: RegisterSets, block: number): number[] => {
      const found: number[] = [];
      of.forEach(block, (register) => found.push(register));
      return found;
    };
    expect(listed(sets, 0)).toEqual(many);
    expect(listed(sets, 1)).toEqual([7]);
    expect(sets.include(2, sets, 0)).toBe(true);
    expect(sets.include(2, sets, 0)).toBe(false);
    expect(listed(sets, 2)).toEqual(many);
    const excepted = sets.empty();
    expect(listed(excepted, 0)).toEqual([]);
    for (const register of many.slice(2)) excepted.add(1, register);
    // One that is in none of them is nothing to them.
    excepted.add(1, 2);
    const others = sets.empty();
    others.include(1, sets, 0);
    expect(sets.includeBut(1, others, excepted)).toBe(true);
    expect(listed(sets, 1)).toEqual([1, 4, 7]);
    expect(sets.includeBut(1, others, excepted)).toBe(false);
  });
});

describe('liveness', () => {
  it('goes round loops, has holes, and tells what is read before it is written', () => {
    const fn = new MachineFunction('f', new Program());
    const [counter, sum, part, unset] = [fn.general(64), fn.general(64), fn.general(64), fn.general(64)];
    const loop = fn.newLabel();
    fn.emit('mov', counter, immediate(9)); // 0
    fn.emit('mov', sum, immediate(0)); // 1
    fn.place(loop);
    fn.emit('mov', part, memory(64, { base: unset })); // 2
    fn.emit('add', sum, part); // 3
    fn.emit('mov', part, sum); // 4
    fn.emit('sub', counter, part); // 5
    fn.jump('jne', loop); // 6
    fn.emit('mov', memory(64, { base: unset }), sum); // 7
    const { ranges, unset: found, operations } = findLiveness(fn);
    expect(operations).toHaveLength(8);
    expect(found).toEqual([unset.number - firstVirtual]);
    const of = ({ number }: { number: number }): Ranges => ranges[number - firstVirtual]!;
    // Operation i reads at 2i and writes at 2i + 1.
    expect(of(counter)).toEqual([1, 14]);
    expect(of(sum)).toEqual([3, 15]);
    expect(of(part)).toEqual([5, 7, 9, 11]);
    expect(of(unset)).toEqual([0, 15]);
  });

  it('flows through blocks of blocks', () => {
    // As deep as it gets: each loop's end leads to its beginning, and the value is read behind all of them.
    const fn = new MachineFunction('f', new Program());
    const value = fn.general(64);
    const count = fn.general(64);
    fn.emit('mov', value, immediate(1));
    const loops = Array.from({ length: 12 }, () => fn.newLabel());
    for (const loop of loops) {
      fn.place(loop);
      fn.emit('mov', count, immediate(2));
    }
    for (const loop of loops.toReversed()) {
      fn.emit('sub', count, immediate(1));
      fn.jump('jne', loop);
    }
    fn.emit('add', count, value);
    const { blocks, liveOut } = liveBlocks(fn);
    const last = blocks.length - 1;
    blocks.forEach((_, number) => {
      const found: number[] = [];
      liveOut.forEach(number, (register) => found.push(register));
      expect(found.includes(value.number - firstVirtual), `block ${number}`).toBe(number < last);
    });
  });
});
