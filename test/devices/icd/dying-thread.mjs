// A native device's thread that dies the next time it sleeps after it has copied 13 bytes: with an error, or at once
// where vanishing-thread.mjs imports it.
const copyWithin = Uint8Array.prototype.copyWithin;
const wait = Atomics.wait;
let armed = false;
Uint8Array.prototype.copyWithin = function (target, start, end) {
  if (end - start === 13) armed = true;
  return copyWithin.call(this, target, start, end);
};
Atomics.wait = (...rest) => {
  if (!armed) return wait(...rest);
  if (!globalThis.vanishes) throw new Error('made to fail');
  process.exit(3);
  // process.exit lets a worker's code go on for a moment.
  for (;;);
};
await import('../../../dist/icd.js');
