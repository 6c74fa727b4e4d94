/** An order in which a sample of a launch's groups is like the launch. */

/** The numbers below `count`, each once, the first of them far apart: what is first in a launch may not be like the rest. */
export function* spread(count: number): Generator<number, void> {
  const bits = Math.ceil(Math.log2(Math.max(count, 2)));
  // An odd factor visits every number below the power of two; this one is near the golden ratio of it.
  const step = (Math.floor(2 ** bits * 0.618) | 1) >>> 0;
  for (let turn = 0, at = 2 ** (bits - 1); turn < 2 ** bits; turn += 1, at = (at + step) % 2 ** bits) {
    if (at < count) yield at;
  }
}
