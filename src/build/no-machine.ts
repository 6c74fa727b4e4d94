/** A page in the place of a machine: machine.ts, where there is neither a disk nor an environment. */
import type { CacheInfo } from './cache/build-cache.ts';
import type * as machine from './machine.ts';

/** There is nothing to begin. */
export function begin(): void {}

export function cacheInfo(): CacheInfo {
  return { enabled: false, folder: undefined, entries: 0, bytes: 0 };
}

export function clearCache(): number {
  return 0;
}

export const cachedCode: typeof machine.cachedCode = () => undefined;

export const cachedFrontEnd: typeof machine.cachedFrontEnd = (input, _addressBits, frontEndWith) =>
  frontEndWith(input.files);
