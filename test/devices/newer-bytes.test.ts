// Sets of bytes, against a table with one flag for each byte.
import { describe, expect, test } from 'vitest';
import { ByteSet } from '../../src/devices/newer-bytes.ts';

const bytes = 48;

/** The bytes that a set has, as flags. */
function flagsOf(set: ByteSet): boolean[] {
  return Array.from({ length: bytes }, (_, at) =>
    set.parts.some(({ start, end }) => start <= at && at < end),
  );
}

describe('sets of bytes', () => {
  test('additions and removals leave what a table of flags has, in parts that are apart', () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const set = new ByteSet();
    const other = new ByteSet();
    const flags = Array.from({ length: bytes }, () => false);
    for (let step = 0; step < 2000; step += 1) {
      const start = random(bytes + 1);
      const end = start + random(bytes + 1 - start);
      const kind = random(4);
      if (kind === 0) set.add(start, end);
      else if (kind === 1) set.remove(start, end);
      else if (kind === 2) {
        other.take();
        other.add(random(bytes), bytes - random(8));
        set.addBut(start, end, [other], 4);
      }
      const isOther = flagsOf(other);
      const inUnit = (at: number): boolean => isOther.slice(at - (at % 4), at - (at % 4) + 4).includes(true);
      for (let at = start; at < end; at += 1) {
        if (kind === 0 || (kind === 2 && !inUnit(at))) flags[at] = true;
        else if (kind === 1) flags[at] = false;
      }
      expect(flagsOf(set)).toEqual(flags);
      expect(set.size).toBe(flags.filter(Boolean).length);
      const among = flags.slice(start, end);
      if (start < end) {
        expect(set.overlaps(start, end)).toBe(among.includes(true));
        expect(set.covers(start, end)).toBe(!among.includes(false));
        expect(flagsOf(new ByteSet(set.within(start, end)))).toEqual(
          flags.map((flag, at) => flag && start <= at && at < end),
        );
      }
      set.parts.slice(1).forEach((part, index) => {
        expect(part.start).toBeGreaterThan(set.parts[index]!.end);
      });
    }
  });

  test('what is taken is gone', () => {
    const set = new ByteSet([{ start: 1, end: 3 }]);
    expect(set.take()).toEqual([{ start: 1, end: 3 }]);
    expect(set.isEmpty).toBe(true);
  });
});
