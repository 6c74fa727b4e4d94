/**
 * How many wavefronts a SIMD engine has in flight, and how well they hide each other's waiting.
 *
 * A thread processor has 256 general registers of 128 bits for each of the four threads that it interleaves, so that a SIMD
 * engine holds 256 divided by a kernel's registers wavefronts (the R600 and R700 manuals; the guide says only that registers decide,
 * 1.3.3.1). Hardware keeps no more than so many besides.
 */

/** Registers of each thread's share of the register file, and the most wavefronts of a SIMD engine. */
const registerFile = 256;
export const mostWavefronts = 32;

/** Engine clocks from a fetch to its data: an assumption, of the order that was measured on such cards. */
export const fetchLatency = 400;

/** A thread processor starts an instruction of each of four threads in four clocks (guide, 1.2.2). */
export const clocksPerInstruction = 4;

export function wavefronts(registers: number): number {
  return Math.max(1, Math.min(mostWavefronts, Math.floor(registerFile / Math.max(1, registers))));
}

/** Bytes of group memory of a SIMD engine, of R700 (guide, 1.2.6). */
const localMemory = 16384;

/** Groups of so many wavefronts that a SIMD engine has at a time: at least one, or none could run. */
export function groupsAtOnce(byRegisters: number, wavefrontsPerGroup: number, localBytes: number): number {
  const byMemory = localBytes === 0 ? Number.POSITIVE_INFINITY : Math.floor(localMemory / localBytes);
  return Math.max(1, Math.min(Math.floor(byRegisters / wavefrontsPerGroup), byMemory));
}

export interface Interleaving {
  /** Clocks until all wavefronts have ended, and those of them in which nothing was computed. */
  readonly clocks: number;
  readonly idle: number;
}

/**
 * Runs wavefronts in turns, as the guide's figures 1.12 and 1.13 do: one runs until it waits for memory, then the next; behind
 * the last one the first is waited for, even if another one could go on.
 * @param stretches clocks that a wavefront computes before, between and behind its waits
 * @param latency clocks of a wait
 */
export function interleave(count: number, stretches: readonly number[], latency: number): Interleaving {
  const ready = Array<number>(count).fill(0);
  let clock = 0;
  let idle = 0;
  for (const stretch of stretches) {
    for (let wavefront = 0; wavefront < count; wavefront += 1) {
      const wait = Math.max(0, ready[wavefront]! - clock);
      idle += wait;
      clock += wait + stretch;
      ready[wavefront] = clock + latency;
    }
  }
  return { clocks: clock, idle };
}
