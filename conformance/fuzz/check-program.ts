/**
 * Checks one kernel of `generator/generate.ts`: it must leave the same bytes and print the same on the interpreter, which runs what the
 * front end made of it and also checks that it reads nothing unwritten; as WebAssembly after every pass; with
 * optimisation off; with helpers kept as functions instead of inlined; and with work-items vectorised. Some are built with fused
 * products, too (build-fused.ts).
 */
import { cloneModule } from '../../src/ir/clone.ts';
import type { Module } from '../../src/ir/ir.ts';
import { copyOf, difference, differenceOfTexts } from '../../test/support/compare-runs.ts';
import {
  compileForTest,
  type KernelRunner,
  preparedForVectors,
  runOnInterpreter,
  vectorised,
  vectorRunner,
  type WasmOptions,
  wasmRunner,
} from '../../test/support/run-kernel.ts';
import type { GeneratedKernel } from '../generator/generate.ts';
import { buildFused } from './build-fused.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** Besides vectorising nothing, each kernel is vectorised in one of these ways, in turn. */
const vectorisedWays: readonly (readonly [string, WasmOptions])[] = [
  ['WebAssembly, vectorised by 4, the last 2 alone', { lanes: 4, fewLanes: 2 }],
  ['WebAssembly with calls, vectorised by 2', { inlineLimit: 0, lanes: 2 }],
  ['WebAssembly, vectorised by 8, rows by 2, the last 5 alone', { lanes: 8, rows: 2, fewLanes: 5 }],
  ['WebAssembly, vectorised where it pays', { lanes: 'chosen' }],
];

const checks = { checkUninitialised: true, maximumSteps: 50_000_000 };

/** What becomes of a source that is launched as the kernel of a seed; the seed also says how it is vectorised. */
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
  const [name, way] = vectorisedWays[seed % vectorisedWays.length]!;
  const ways: [string, () => KernelRunner][] = [
    ['WebAssembly', () => vectorRunner(inlined(), {})],
    ['WebAssembly without optimisation', () => wasmRunner(cloneModule(module), { disabled: true })],
    ['WebAssembly with calls', () => vectorRunner(called(), { inlineLimit: 0 })],
    [name, () => vectorRunner((way.inlineLimit === 0 ? called : inlined)(), way)],
  ];
  if (seed % 4 > 0) return ways;
  const interpreted = (): KernelRunner => {
    const module = vectorised(inlined(), { lanes: 2, fewLanes: 1 });
    return (kernel, range, args, print) =>
      runOnInterpreter(module, kernel, range, args, { checkUninitialised: true }, print);
  };
  return [...ways, ['the interpreter, vectorised by 2, the last alone', interpreted]];
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
