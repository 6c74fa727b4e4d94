/**
 * Checks one kernel of `generator/pointers.ts`: it must leave the same bytes on the interpreter, which also checks that it keeps to
 * its promises, and as WebAssembly in several ways, with memory that begins at the least address that a device may have, at that of a
 * program in C, and between.
 */
import { copyOf, difference } from '../../test/support/compare-runs.ts';
import {
  compileForTest,
  type KernelRunner,
  preparedForVectors,
  runOnInterpreter,
  vectorRunner,
  type WasmOptions,
  wasmRunner,
} from '../../test/support/run-kernel.ts';
import type { MovedPointers } from '../generator/pointers.ts';
import { failed, passed, type Verdict } from './verdict.ts';

const checks = { checkUninitialised: true, checkRaces: true, maximumSteps: 20_000_000 };

const lowestAddresses = [1 << 20, 65536, 1024] as const;

/** In one of these each kernel is vectorised, besides the one that the device chooses. */
const forced: readonly WasmOptions[] = [
  { lanes: 4, fewLanes: 2 },
  { lanes: 16 },
  { lanes: 8, rows: 2 },
  { lanes: 2 },
];

/** What becomes of a source that is launched as the kernel of a seed; the seed also says how it is run. */
export function checkPointers(
  seed: number,
  { range, arguments: args }: MovedPointers,
  source: string,
): Verdict {
  let stage = 'the interpreter';
  try {
    const module = compileForTest(source);
    const expected = copyOf(args);
    runOnInterpreter(module, 'k', range, expected, checks);
    stage = 'before vectorising';
    // The passes are those of all kernels; what is asked here is what code generation does with constants.
    const verify = seed % 8 === 0;
    const prepared = preparedForVectors(module, { interchange: seed % 5 === 1, verify });
    const turn = (by: number): number => lowestAddresses[(seed + by) % lowestAddresses.length]!;
    const vectorisedAs = (way: WasmOptions) => (): KernelRunner => vectorRunner(prepared, { ...way, verify });
    const ways: [WasmOptions, (way: WasmOptions) => () => KernelRunner][] = [
      [{ lowestAddress: turn(0) }, vectorisedAs],
      [{ lanes: 'chosen', lowestAddress: turn(1) }, vectorisedAs],
      [{ lanes: 'chosen', lowestAddress: turn(2) }, vectorisedAs],
      [{ ...forced[seed % forced.length], lowestAddress: turn(0) }, vectorisedAs],
      [
        seed % 2 === 0
          ? { disabled: true, lowestAddress: turn(2) }
          : { inlineLimit: 0, lanes: 4, lowestAddress: turn(2) },
        (way) => () => wasmRunner(compileForTest(source), { ...way, verify }),
      ],
    ];
    for (const [way, make] of ways) {
      stage = `WebAssembly, ${JSON.stringify(way)}`;
      const actual = copyOf(args);
      make(way)()('k', range, actual);
      const found = difference(expected, actual);
      if (found) return failed(`${stage}: ${found}`);
    }
  } catch (error) {
    return failed(`${stage}: ${(error as Error).message}`);
  }
  return passed;
}
