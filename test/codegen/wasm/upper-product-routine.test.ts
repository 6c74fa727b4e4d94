/** What a machine's instruction for upper halves of products takes the place of: the routine does the same, as WebAssembly. */
import { expect, it } from 'vitest';
import { compileModule } from '../../../src/codegen/wasm/module/compile-module.ts';
import { upperProductName } from '../../../src/codegen/wasm/vector/upper-product-routine.ts';
import {
  buffer,
  compileForTest,
  type KernelEngine,
  wasmEngine,
  wasmRunner,
} from '../../support/run-kernel.ts';

const names = new Set([upperProductName('s'), upperProductName('u')]);

/** WebAssembly, which calls the routines. */
const engine: KernelEngine = (module, options) => {
  const own = { ...options, ownRoutines: names };
  expect(new TextDecoder().decode(compileModule(module, own).bytes)).toContain('upper_product_16_');
  return wasmEngine(module, own);
};

it.each([
  ['short', Int16Array],
  ['ushort', Uint16Array],
] as const)('divides every %s by constants', (type, ArrayOf) => {
  const divisors = [3, 7, 10, 100, 641, 32767];
  const count = 65536;
  const source = `kernel void k(global const ${type} *x, global ${type} *y) {
    uint i = get_global_id(0);
    ${divisors.map((divisor, at) => `y[${count * at} + i] = x[i] / (${type})${divisor};`).join('\n')}
  }`;
  const x = new ArrayOf(count).map((_, at) => at);
  const y = new ArrayOf(count * divisors.length);
  const run = wasmRunner(compileForTest(source), { lanes: 8, engine });
  run('k', { global: [count], local: [64] }, [buffer(x), buffer(y)]);
  divisors.forEach((divisor, at) => {
    const expected = x.map((value) => Math.trunc(value / divisor));
    expect(y.subarray(count * at, count * (at + 1)), `by ${divisor}`).toEqual(expected);
  });
});
