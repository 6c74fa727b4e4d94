/** The guide's numbers (1.2.1, 1.3.2, 3.4.2), and others worked out by hand. */
import { describe, expect, it } from 'vitest';
import { type Card, cards } from '../../src/model/cards.ts';
import { estimate } from '../../src/model/estimate.ts';
import { interleave, wavefronts } from '../../src/model/occupancy.ts';

const card = (name: string) => cards.find((one) => one.name === name)!;
const million = 1e6;

/** Five slots of each VLIW instruction (1.2.1). */
const streamCores = ({ simds, threadProcessors }: Card) => simds * threadProcessors * 5;
/** A multiplication and an addition in each slot of each clock (3.4.2). */
const gigaflops = (one: Card, engineClock = one.engineClock) => (streamCores(one) * 2 * engineClock) / 1000;

describe("the guide's example", () => {
  const hd3870 = card('HD 3870');

  it('has 320 stream cores, and 512 GFLOPS at 800 MHz', () => {
    expect(streamCores(hd3870)).toBe(320);
    expect(gigaflops(hd3870, 800)).toBe(512);
    expect(gigaflops(hd3870)).toBe(496);
    expect(streamCores(card('HD 4870'))).toBe(800);
    expect(gigaflops(card('HD 4870'))).toBe(1200);
  });

  it('takes 0.04, 0.16 and 0.056 ms, and is bound by fetches', () => {
    const parts = estimate(hd3870, 2 * million, { instructions: 1, fetches: 1, memoryBits: 16 });
    expect(parts.alu * 1e3).toBeCloseTo(0.04032, 5);
    expect(parts.fetch * 1e3).toBeCloseTo(0.16129, 5);
    expect(parts.memory * 1e3).toBeCloseTo(0.05556, 5);
    expect(parts.total).toBe(parts.fetch);
    expect(parts.bound).toBe('fetch');
  });

  it('is bound by arithmetic from four instructions a fetch on', () => {
    const bounds = [3, 4, 5].map(
      (instructions) => estimate(hd3870, million, { instructions, fetches: 1, memoryBits: 0 }).bound,
    );
    expect(bounds).toEqual(['fetch', 'ALU', 'ALU']);
  });

  it('moves twice as much with GDDR5', () => {
    const copy = { instructions: 0, fetches: 0, memoryBits: 64 };
    // 64 bits * 1e6 / (256 bits * 900 MHz * 4)
    expect(estimate(card('HD 4870'), million, copy).memory * 1e6).toBeCloseTo(69.444, 3);
    expect(estimate(card('HD 4850'), million, copy).memory * 1e6).toBeCloseTo(125.881, 3);
  });
});

describe('wavefronts', () => {
  it('share 256 registers', () => {
    expect([1, 8, 10, 64, 124, 200].map(wavefronts)).toEqual([32, 32, 25, 4, 2, 1]);
  });

  it('hide the waits of each other, if there are enough of them', () => {
    // The guide's figure 1.12: four threads that compute for 20 cycles; the first one's data is there in time.
    expect(interleave(4, [20, 20], 60)).toEqual({ clocks: 160, idle: 0 });
    // Figure 1.13: it is not, and all wait for the first: 40 cycles once.
    expect(interleave(4, [20, 20], 100)).toEqual({ clocks: 200, idle: 40 });
    // One alone waits out everything.
    expect(interleave(1, [10, 10, 10], 50)).toEqual({ clocks: 130, idle: 100 });
  });
});
