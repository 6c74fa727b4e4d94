/** What a machine's instruction for masked stores takes the place of: the routine does the same, as WebAssembly. */
import { expect, it } from 'vitest';
import { maskedStoreName } from '../../../src/codegen/wasm/memory/masked-store-routine.ts';
import { compileModule } from '../../../src/codegen/wasm/module/compile-module.ts';
import {
  buffer,
  compileForTest,
  type KernelEngine,
  wasmEngine,
  wasmRunner,
} from '../../support/run-kernel.ts';

const names = new Set([8, 16, 32, 64].map(maskedStoreName));

/** WebAssembly, which calls the routines. */
const engine: KernelEngine = (module, options) => {
  const own = { ...options, ownRoutines: names };
  expect(new TextDecoder().decode(compileModule(module, own).bytes)).toContain('masked_store_');
  return wasmEngine(module, own);
};

it.each([
  ['char', Int8Array],
  ['short', Int16Array],
  ['int', Int32Array],
  ['float', Float32Array],
  ['long', BigInt64Array],
] as const)('stores those lanes of %s that the mask chooses, and no others', (type, ArrayOf) => {
  const source = `kernel void k(global const uchar *mask, global ${type} *x) {
    uint i = get_global_id(0);
    if (mask[i]) x[i] = i + 1;
  }`;
  const count = 96;
  // All, none, and every third: full, empty and mixed registers.
  const mask = Uint8Array.from({ length: count }, (_, at) =>
    at < 32 ? 1 : at < 64 ? 0 : at % 3 === 0 ? 1 : 0,
  );
  for (const lanes of [4, 8] as const) {
    const module = compileForTest(source);
    const x = new ArrayOf(count);
    wasmRunner(module, { lanes, engine })('k', { global: [count], local: [count] }, [
      buffer(mask),
      buffer(x),
    ]);
    expect([...x].map(Number)).toEqual([...mask].map((chosen, at) => (chosen ? at + 1 : 0)));
  }
});
