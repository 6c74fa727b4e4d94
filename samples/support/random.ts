// The samples' own source of numbers: small, seeded, the same on every machine, so that an input, a picture
// or a failed check can be had again. Only integer arithmetic and exactly rounded operations are used,
// because Math.log and Math.cos may differ between engines.

/** A stream of pseudo-random numbers that its seed alone decides. */
export interface Random {
  /** The next integer of 32 bits, 0 to 4294967295. */
  next(): number;
  /** An integer from 0 to `limit` - 1; `limit` is at most 2^32. */
  below(limit: number): number;
  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number;
  /** A bell-shaped number of mean 0 and standard deviation 1, never beyond 6 in size. */
  bell(): number;
}

/** Makes a stream: a counter that steps by an odd constant, its bits mixed by multiply and shift. */
export function createRandom(seed: number): Random {
  let counter = seed >>> 0;

  function next(): number {
    counter = (counter + 0x9e3779b9) >>> 0;
    let bits = counter;
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return (bits ^ (bits >>> 16)) >>> 0;
  }

  return {
    next,
    below: (limit) => Math.floor((next() / 2 ** 32) * limit),
    between: (low, high) => low + (next() / 2 ** 32) * (high - low),
    bell: () => {
      // Twelve uniform numbers have variance 12 * 1/12 = 1 together, and their sum is close to a normal one.
      let sum = -6;
      for (let i = 0; i < 12; i++) sum += next() / 2 ** 32;
      return sum;
    },
  };
}
