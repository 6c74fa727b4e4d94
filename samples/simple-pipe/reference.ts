// The darts of simple-pipe in plain TypeScript, counted as they are thrown.

/** How many of `count` darts lie in each of so many rings of a disc, from its middle outwards; the rings have the same area. */
export function dartsReference(count: number, rings: number): Uint32Array {
  const counts = new Uint32Array(rings);
  const radius = 2 ** 15;
  for (let id = 0; id < count; id++) {
    const n = scattered(id + 1);
    const x = (n << 16) >> 16;
    const y = n >> 16;
    const square = x * x + y * y;
    if (square < radius * radius) counts[Math.floor((square / (radius * radius)) * rings)]!++;
  }
  return counts;
}

/** A number of 32 bits that looks random. */
function scattered(seed: number): number {
  let n = seed | 0;
  n ^= n << 13;
  n ^= n >>> 17;
  n ^= n << 5;
  return Math.imul(n, 0x9e3779b1);
}
