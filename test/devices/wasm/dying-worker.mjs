// A compute thread that ends in the middle of a work-group of the kernel `trap`.
const { Instance } = WebAssembly;
function leave() {
  process.exit(3);
  // process.exit lets a worker's code go on for a moment.
  for (;;);
}
WebAssembly.Instance = class {
  constructor(...rest) {
    const { exports } = new Instance(...rest);
    this.exports = { ...exports, k_trap: leave };
  }
};
await import('../../../dist/worker.js');
