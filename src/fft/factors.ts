/** Into which passes a length is divided. */

/** Primes that have a pass; a length with another one is computed as a convolution (bluestein.ts). */
const primes = [2, 3, 5, 7, 11, 13];

export function isSmooth(n: number): boolean {
  let rest = n;
  for (const prime of primes) while (rest % prime === 0) rest /= prime;
  return rest === 1;
}

/** The smallest length from `n` on that has passes and is not odd: products of few small primes lie close to each other. */
export function smoothFrom(n: number): number {
  let length = n + (n % 2);
  while (!isSmooth(length)) length += 2;
  return length;
}

/** The radices of a smooth length, in the order of the passes. Powers of two go by eights: more would not fit into registers. */
export function radicesOf(n: number): number[] {
  const radices: number[] = [];
  let rest = n;
  let twos = 0;
  while (rest % 2 === 0) {
    rest /= 2;
    twos += 1;
  }
  // Fours in place of a single two.
  while (twos > 0) {
    const bits = twos === 4 || twos === 2 ? 2 : Math.min(twos, 3);
    radices.push(2 ** bits);
    twos -= bits;
  }
  for (const prime of primes.slice(1).reverse()) {
    while (rest % prime === 0) {
      radices.push(prime);
      rest /= prime;
    }
  }
  return radices.length > 0 ? radices : [1];
}

/** cos and sin of 2 pi k / n, by the eighth of the circle that the angle is in: exact where they are 0, 1 and equal. */
export function unitRoot(k: number, n: number): readonly [cos: number, sin: number] {
  const turn = ((k % n) + n) % n;
  const eighth = Math.floor((8 * turn) / n);
  const within = (a: number): readonly [number, number] => {
    if (8 * a === n) return [Math.SQRT1_2, Math.SQRT1_2];
    const angle = (2 * Math.PI * a) / n;
    return [Math.cos(angle), Math.sin(angle)];
  };
  switch (eighth) {
    case 0:
      return within(turn);
    case 1: {
      const [c, s] = within(n / 4 - turn);
      return [s, c];
    }
    case 2: {
      const [c, s] = within(turn - n / 4);
      return [-s, c];
    }
    case 3: {
      const [c, s] = within(n / 2 - turn);
      return [-c, s];
    }
    case 4: {
      const [c, s] = within(turn - n / 2);
      return [-c, -s];
    }
    case 5: {
      const [c, s] = within((3 * n) / 4 - turn);
      return [-s, -c];
    }
    case 6: {
      const [c, s] = within(turn - (3 * n) / 4);
      return [s, -c];
    }
    default: {
      const [c, s] = within(n - turn);
      return [c, -s];
    }
  }
}
