/** Stores of vectors under masks, lane by lane: what is stored is used before the lanes' branches too. */
import { expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../../../support/run-kernel.ts';

/** Some lanes store side by side, and all over the place. */
const stores = (type: string): string => `
kernel void test(int n, global const ${type} *in, global ${type} *near, global ${type} *far) {
  int i = get_global_id(0);
  ${type} x = in[i] * in[i] - in[i];
  if ((i ^ n) % 3 != 0) {
    near[i] = x;
    far[i * n % 32] = x;
  }
}`;

it('ask the value for something where they ask the mask', () => {
  const module = compileForTest(stores('float'));
  optimise(module, { target: wasm, vectorise: { lanes: 8 } });
  const text = listModule(compileModule(module, { shared: false }).bytes);
  // Two registers of four lanes: the near store asks whether all or any take part, and each register; the far one each register.
  expect(text.match(/i32x4\.bitmask/g)).toHaveLength(6);
  const both =
    /i32x4\.bitmask\n(\s+(?!if)\S.*\n){0,2}\s+v128\.xor\n\s+i8x16\.bitmask\n\s+i32\.const 16\n\s+i32\.shl\n\s+i32\.or\n/g;
  expect(text.match(both)).toHaveLength(1);
});

it.each([
  ['char', (values: number[]) => Int8Array.from(values)],
  ['short', (values: number[]) => Int16Array.from(values)],
  ['int', (values: number[]) => Int32Array.from(values)],
  ['float', (values: number[]) => Float32Array.from(values)],
  ['long', (values: number[]) => BigInt64Array.from(values.map(BigInt))],
] as const)('leave the other lanes alone, of %s', (type, make) => {
  const module = compileForTest(stores(type));
  const numbers = Array.from({ length: 32 }, (_, at) => ((at * 37) % 23) - 11);
  const run = (isVectorised: boolean): unknown[] => {
    const [near, far] = [make(Array(32).fill(99)), make(Array(32).fill(99))];
    const parameters = [value.int(5), buffer(make(numbers)), buffer(near), buffer(far)];
    const range = { global: [32], local: [32] };
    if (isVectorised) wasmRunner(cloneModule(module), { lanes: 8 })('test', range, parameters);
    else runOnInterpreter(module, 'test', range, parameters);
    return [near, far];
  };
  expect(run(true)).toEqual(run(false));
});
