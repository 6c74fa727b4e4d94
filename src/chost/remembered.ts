/** What other compilers made of what Millrace gave them, kept in the build cache where there is one (docs/build-cache.md). */
import { buildCache } from '../build/cache/build-cache.ts';
import { keyOf } from '../build/cache/hash.ts';

/** The bytes that `make` gives for these texts, from the cache if they are there. */
export function remembered(texts: readonly string[], make: () => Uint8Array): Uint8Array {
  const cache = buildCache();
  const key = keyOf(['made elsewhere', ...texts]);
  const known = cache?.read(key);
  if (known) return known.slice();
  const made = make();
  cache?.write(key, made);
  return made;
}
