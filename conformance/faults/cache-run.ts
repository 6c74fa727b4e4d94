/**
 * A process of shared-cache.ts: builds programs in a cache that others use at the same time, empties the cache now and then, and is killed at
 * one of its calls of the disk if its arguments say so, in the middle of a write for instance.
 */
import { clearCache } from 'millrace';
import { Random } from '../../test/support/random.ts';
import { buildNumber } from './cache-builds.ts';
import { watchDisk } from './disk-calls.ts';
import { sharedNumbers } from './shared-cache.ts';

const [seed, builds, end, part] = process.argv.slice(2).map(Number) as [number, number, number, number];
const random = new Random(seed);

let left = end;
watchDisk((_name, values, own) => {
  left -= 1;
  if (left !== 0) return;
  const [path, content, how] = values;
  // What a write has done by then.
  if (content instanceof Uint8Array) own(path, content.subarray(0, Math.floor(content.length * part)), how);
  process.kill(process.pid, 'SIGKILL');
});

for (let build = 0; build < builds; build += 1) {
  if (random.below(12) === 0) clearCache();
  else buildNumber(random.below(sharedNumbers));
}
console.log('fate: all right');
process.exit(0);
