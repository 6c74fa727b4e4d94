// A compute thread that ends at one of its operations on shared memory: the environment says at which, and where that is noted. Queries of
// addresses do not reach threads.
import { appendFileSync } from 'node:fs';

const { ENDING_AT, ENDING_LOG: log } = process.env;
let left = Number(ENDING_AT);
if (!(left > 0) || log === undefined) throw new Error('it is not said where to end');
for (const name of Object.getOwnPropertyNames(Atomics)) {
  const own = Atomics[name];
  if (typeof own !== 'function') continue;
  Atomics[name] = (...values) => {
    left -= 1;
    if (left === 0) {
      appendFileSync(log, '.');
      process.exit(3);
      // process.exit lets a worker's code go on for a moment.
      for (;;);
    }
    return own(...values);
  };
}
await import('../../../dist/worker.js');
