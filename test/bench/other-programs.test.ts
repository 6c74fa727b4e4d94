/** What other programs take of the machine beside what is measured: parts of time, and when the bench speaks of them. */
import { describe, expect, it } from 'vitest';
import { spoiltBy } from '../../bench/frame/kernels-part.ts';
import type { KernelResult } from '../../bench/frame/measure-kernels.ts';
import { OtherPrograms, type ProcessorTimes } from '../../bench/frame/other-programs.ts';

/** Gives these, one after another. */
function readings(...times: readonly (readonly [busy: number, own: number, all: number])[]) {
  const left = times.map(([busy, own, all]): ProcessorTimes => ({ busy, own, all }));
  return () => left.shift()!;
}

function kernel(name: string, others?: number): KernelResult {
  const result = { name, size: '', work: { unit: 'GB/s', amount: 1 }, devices: [], failures: {} } as const;
  return others === undefined ? result : { ...result, others };
}

describe('other programs', () => {
  it('have what is busy and not ours, of all processors', () => {
    // A second on two processors, of which we had 700 ms and others 500; before that they had more.
    const others = new OtherPrograms(readings([5000, 100, 4000], [6200, 800, 6000]));
    expect(others.during(() => 'done')).toBe('done');
    expect(others.share).toBe(0.25);
  });

  it('count only while something is measured, and each time for as long as it took', () => {
    const others = new OtherPrograms(
      readings([0, 0, 0], [100, 100, 300], [900, 100, 1000], [1000, 100, 1100]),
    );
    others.during(() => {});
    others.during(() => {});
    expect(others.share).toBe(100 / 400);
  });

  it('never have less than nothing, though systems count coarsely', () => {
    const others = new OtherPrograms(readings([0, 0, 0], [10, 17, 20]));
    expect(others.share).toBe(0);
    others.during(() => {});
    expect(others.share).toBe(0);
  });
});

describe('the line behind the table', () => {
  it('is there if a kernel had much company, and names the one that had most', () => {
    const line = spoiltBy([kernel('a', 0.02), kernel('b', 0.31), kernel('c', 0.62), kernel('old')]);
    expect(line).toContain('2 of 4 kernels');
    expect(line).toContain('62 % (c)');
    expect(spoiltBy([kernel('a', 0.4)])).toContain('each kernel');
  });

  it('is not there else', () => {
    expect(spoiltBy([kernel('a', 0.1), kernel('b', 0), kernel('old')])).toBeUndefined();
    expect(spoiltBy([])).toBeUndefined();
  });
});
