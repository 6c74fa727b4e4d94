// Steps to 1 in plain TypeScript.

/** For each number how often it is halved, or tripled and one added, until it is 1, in 32 bits. */
export function stepsToOneReference(starts: Uint32Array): Int32Array {
  return Int32Array.from(starts, (start) => {
    let n = start;
    let count = 0;
    while (n > 1) {
      n = n % 2 === 0 ? n / 2 : (3 * n + 1) >>> 0;
      count++;
    }
    return count;
  });
}
