/** Runs a kernel of OpenCL C 2.0 in every form that there is, and expects the same of all. */
import { expect } from 'vitest';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  type TestRange,
  wasmRunner,
} from './run-kernel.ts';

type Numbers =
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array
  | Uint16Array;

const forms = [
  ['after all passes', {}],
  ['with the fewest passes', { disabled: true, verify: false }],
  ['with helpers that stay functions', { inlineLimit: 0, verify: false }],
  ['in vectors of 4', { lanes: 4, verify: false }],
  ['in vectors of 8', { lanes: 8, verify: false }],
  ['in vectors of 8, two rows at a time', { lanes: 8, rows: 2 }],
] as const;

/**
 * Runs kernel `k`, whose first argument is where it leaves its results, on the interpreter and as WebAssembly.
 * @param expected what it must leave there; the array is not changed
 * @param args makes the other arguments anew for each run
 * @param which `some forms`: only after all passes and in vectors of 8, for the second to last of many that are alike
 */
export function expectEverywhere(
  source: string,
  range: TestRange,
  expected: Numbers,
  args: () => readonly TestArgument[] = () => [],
  which: 'every form' | 'some forms' = 'every form',
): void {
  const options = '-cl-std=CL2.0';
  const fresh = (): Numbers => {
    const out = expected.slice();
    new Uint8Array(out.buffer).fill(0x5a);
    return out;
  };
  const interpreted = fresh();
  runOnInterpreter(compileForTest(source, options), 'k', range, [buffer(interpreted), ...args()]);
  expect([...interpreted], 'on the interpreter').toEqual([...expected]);
  for (const [name, form] of which === 'every form' ? forms : [forms[0], forms[4]]) {
    const out = fresh();
    wasmRunner(compileForTest(source, options), form)('k', range, [buffer(out), ...args()]);
    expect([...out], name).toEqual([...expected]);
  }
}
