/**
 * Ways through folders that are gone. A C library keeps the way to its current folder as the program came to it, `foo/bar/../..`; where `bar` has been
 * removed since, the way still leads back.
 */

/**
 * How many names it takes until a way is back from a folder; undefined if it does not come back.
 * @param names behind the folder's own: of `bar/../x` they are `..` and `x`, and it takes one
 */
export function namesUntilBack(names: readonly string[]): number | undefined {
  let depth = 1;
  for (const [at, name] of names.entries()) {
    depth += name === '..' ? -1 : 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
