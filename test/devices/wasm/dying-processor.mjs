// A command processor that dies the next time it sleeps after it has copied 13 bytes: with an error, or at once where
// vanishing-processor.mjs imports it.
const copyWithin = Uint8Array.prototype.copyWithin;
const wait = Atomics.wait;
let armed = false;
/** process.exit lets a worker's code go on for a moment. */
function leave() {
  process.exit(3);
  for (;;);
}
Uint8Array.prototype.copyWithin = function (target, start, end) {
  if (end - start === 13) armed = true;
  return copyWithin.call(this, target, start, end);
};
Atomics.wait = (...rest) => {
  if (!armed) return wait(...rest);
  if (globalThis.vanishes) leave();
  throw new Error('made to fail');
};
await import('../../../dist/processor.js');
