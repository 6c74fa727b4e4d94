// Primes in plain TypeScript: the sieve of Eratosthenes.

/** All primes below a limit, the least first. */
export function primesReference(limit: number): Uint32Array {
  const isComposite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let n = 2; n < limit; n++) {
    if (isComposite[n]) continue;
    primes.push(n);
    for (let multiple = n * n; multiple < limit; multiple += n) isComposite[multiple] = 1;
  }
  return Uint32Array.from(primes);
}
