/**
 * Checks one kernel of `generator/generate.ts`: it must leave the same bytes and print the same on the interpreter, which runs what the
 * front end made of it and also checks that it reads nothing unwritten; as WebAssembly after every pass; with
 * optimisation off; with helpers kept as functions instead of inlined; and with work-items packed. Some are built with fused
 * products, too (build-fused.ts).
 */
import { cloneModule } from '../../src/ir/clone.ts';
import type { Module } from '../../src/ir/ir.ts';
import { copyOf, difference, differenceOfTexts } from '../../test/support/compare-runs.ts';
import {
  compileForTest,
  type KernelRunner,
  packed,
  preparedForVectors,
  runOnInterpreter,
  vectorRunner,
  type WasmOptions,
  wasmRunner,
} from '../../test/support/run-kernel.ts';
import type { GeneratedKernel } from '../generator/generate.ts';
import { buildFused } from './build-fused.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** Beside packing nothing, each kernel is packed in one of these ways, in turn. */
const packedWays: readonly (readonly [string, WasmOptions])[] = [
  ['WebAssembly, packed by 4, the last 2 alone', { lanes: 4, fewLanes: 2 }],
  ['WebAssembly with calls, packed by 2', { inlineLimit: 0, lanes: 2 }],
  ['WebAssembly, packed by 8, rows by 2, the last 5 alone', { lanes: 8, rows: 2, fewLanes: 5 }],
  ['WebAssembly, packed where it pays', { lanes: 'chosen' }],
];

const checks = { checkUninitialised: true, maximumSteps: 50_000_000 };

/** What becomes of a source that is launched as the kernel of a seed; the seed also says how it is packed. */
export function checkProgram(
  seed: number,
  { kernel, range, arguments: args }: GeneratedKernel,
  source: string,
): Verdict {
  let stage = 'the interpreter';
  try {
    const expected = copyOf(args);
    const module = compileForTest(source);
    const texts: string[] = [];
    runOnInterpreter(module, kernel, range, expected, checks, (text) => texts.push(text));
    for (const [name, run] of waysOf(seed, module)) {
      stage = name;
      const actual = copyOf(args);
      const printed: string[] = [];
      run()(kernel, range, actual, (text) => printed.push(text));
      const found = difference(expected, actual) ?? differenceOfTexts(texts, printed);
      if (found) return failed(`${stage}: ${found}`);
    }
    stage = 'with products fused';
    buildFused(seed, source);
  } catch (error) {
    return failed(`${stage}: ${(error as Error).message}`);
  }
  return passed;
}

/** The ways of running the kernels of a module, which stays as it is. What several of them begin with is done once. */
function waysOf(seed: number, module: Module): [string, () => KernelRunner][] {
  // Not where the interpreter runs what comes out, which launches as the host does.
  const inlined = once(() => preparedForVectors(module, { interchange: seed % 4 === 1 }));
  const called = once(() => preparedForVectors(module, { inlineLimit: 0 }));
  const [name, way] = packedWays[seed % packedWays.length]!;
  const ways: [string, () => KernelRunner][] = [
    ['WebAssembly', () => vectorRunner(inlined(), {})],
    ['WebAssembly without optimisation', () => wasmRunner(cloneModule(module), { disabled: true })],
    ['WebAssembly with calls', () => vectorRunner(called(), { inlineLimit: 0 })],
    [name, () => vectorRunner((way.inlineLimit === 0 ? called : inlined)(), way)],
  ];
  if (seed % 4 > 0) return ways;
  const interpreted = (): KernelRunner => {
    const module = packed(inlined(), { lanes: 2, fewLanes: 1 });
    return (kernel, range, args, print) =>
      runOnInterpreter(module, kernel, range, args, { checkUninitialised: true }, print);
  };
  return [...ways, ['the interpreter, packed by 2, the last alone', interpreted]];
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
