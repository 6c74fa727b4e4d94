/**
 * What is known of optimised WebAssembly before machine code. Measured over the 108 kernels of the bench (30 November 2026, two cores of Zen 5),
 * each compiled by all three compilers in turn, twice in one process: machine code took 52 ms longer than baseline code at the first time,
 * and 26 ms at the second (medians). How large a kernel is says little about that: by the line below half of the kernels take from 0.7 to 3
 * times as long as it says at the first time. The code ran 10 and more instructions in a nanosecond in three of four kernels, 26 in the mean.
 * The less is assumed, as machine code is made too late at less cost than too early: it is faster by a third.
 */
import type { TierFigures } from '../wasm/baseline/launch-account.ts';

export const wasmFigures: TierFigures = {
  speed: 10,
  kernel: 10e6,
  instruction: 400_000,
  mostItems: 10_000_000,
};
