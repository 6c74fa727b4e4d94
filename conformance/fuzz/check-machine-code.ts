/**
 * Checks machine code against WebAssembly, which the interpreter has checked in the same way with other seeds: that takes a fraction of the
 * time that the interpreter needs. Only kernels that mean one thing come here. Who is wrong where both differ, the check with the
 * interpreter says.
 */
import { cloneModule } from '../../src/ir/clone.ts';
import type { Module } from '../../src/ir/ir.ts';
import { nativeKernelEngine } from '../../test/codegen/x64/engine.ts';
import { copyOf, difference, differenceOfTexts } from '../../test/support/compare-runs.ts';
import {
  compileForTest,
  type KernelRunner,
  preparedForVectors,
  type TestArgument,
  type TestRange,
  vectorRunner,
  type WasmOptions,
  wasmEngine,
  wasmRunner,
} from '../../test/support/run-kernel.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** A launch with one meaning. */
export interface PlainLaunch {
  readonly kernel: string;
  readonly range: TestRange;
  readonly arguments: readonly TestArgument[];
}

/** Besides as the device does it, each kernel is run in one of these ways. */
const forced: readonly WasmOptions[] = [
  { lanes: 16, fewLanes: 3 },
  { lanes: 8, rows: 2 },
  { disabled: true },
  { inlineLimit: 0, lanes: 8 },
  {},
  { lanes: 16, rows: 2, groupsAtOnce: 1 },
  { lanes: 4, rows: 4 },
];

/** One kernel in so many has its IR verified after each pass. */
const verifiedEvery = 8;

/** What becomes of a source that is launched as the kernel of a seed; the seed also says how it is run, and for which processor. */
export function checkMachineCode(seed: number, launch: PlainLaunch, source: string): Verdict {
  let stage = 'the front end';
  try {
    const module = compileForTest(source);
    const verify = seed % verifiedEvery === 0;
    stage = 'WebAssembly';
    const expected = ran(launch, runnerFor(module, { engine: wasmEngine, lanes: 'chosen', verify: false }));
    // As processors have AVX-512 or not.
    const engine = nativeKernelEngine(...(seed % 2 === 0 ? [false] : []));
    const prepared = new Map<number | undefined, Module>();
    for (const way of [{ lanes: 'chosen' } as const, forced[seed % forced.length]!]) {
      stage = `machine code, ${JSON.stringify(way)}`;
      const actual = ran(launch, runnerFor(module, { ...way, engine, verify }, prepared));
      const found = difference(expected.args, actual.args) ?? differenceOfTexts(expected.texts, actual.texts);
      if (found) return failed(`${stage}: ${found}, against WebAssembly`);
    }
  } catch (error) {
    return failed(`${stage}: ${(error as Error).message}`);
  }
  return passed;
}

/** @param prepared what ways have in common for one engine, by how much is inlined */
function runnerFor(
  module: Module,
  way: WasmOptions,
  prepared = new Map<number | undefined, Module>(),
): KernelRunner {
  if (way.disabled) return wasmRunner(cloneModule(module), way);
  let common = prepared.get(way.inlineLimit);
  if (!common) {
    common = preparedForVectors(module, way);
    prepared.set(way.inlineLimit, common);
  }
  return vectorRunner(common, way);
}

function ran(
  { kernel, range, arguments: args }: PlainLaunch,
  run: KernelRunner,
): { readonly args: readonly TestArgument[]; readonly texts: readonly string[] } {
  const own = copyOf(args);
  const texts: string[] = [];
  run(kernel, range, own, (text) => texts.push(text));
  return { args: own, texts };
}
