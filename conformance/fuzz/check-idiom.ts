/**
 * Checks one kernel of `generator/idioms.ts`, which is launched several times: it must leave the same bytes and print the same on the
 * interpreter, which says which launches mean anything, and as WebAssembly, vectorised as the device does it and with rows of several
 * lanes together whether that pays or not. Products are fused with sums where that changes nothing; some of the other kernels are
 * only built so (build-fused.ts).
 */
import { enableRelaxedSimd } from '../../src/cli/relaxed-simd.ts';
import type { Module } from '../../src/ir/ir.ts';
import { copyOf, difference, differenceOfTexts } from '../../test/support/compare-runs.ts';
import {
  compileForTest,
  preparedForVectors,
  runOnInterpreter,
  type TestArgument,
  vectorRunner,
  type WasmOptions,
} from '../../test/support/run-kernel.ts';
import type { IdiomLaunch } from '../generator/idiom-launches.ts';
import type { Idiom } from '../generator/idioms.ts';
import { buildFused } from './build-fused.ts';
import { failed, passed, type Verdict } from './verdict.ts';

const checks = { checkUninitialised: true, checkRaces: true, maximumSteps: 3_000_000 };

/** As the device does it, but for how many groups a thread takes at a time. */
const chosen: readonly WasmOptions[] = [
  { lanes: 'chosen' },
  { lanes: 'chosen', groupsAtOnce: 1 },
  { lanes: 'chosen', groupsAtOnce: 3 },
];

/** Each kernel is built in one of these, too; in the last nothing is vectorised. */
const forced: readonly WasmOptions[] = [
  { lanes: 4, fewLanes: 2 },
  { lanes: 4, rows: 2 },
  { lanes: 2, rows: 4, fewLanes: 1 },
  { lanes: 8, rows: 3, groupsAtOnce: 2, fewLanes: 4 },
  { lanes: 16, fewLanes: 3 },
  { lanes: 4, rows: 4 },
  {},
];

/** With more texts a launch counts as meaning nothing: there may be no room for them. */
const mostTexts = 20_000;

/** What a launch that means one thing only leaves in its arguments, and what it prints. */
export type IdiomOutcome = readonly [IdiomLaunch, readonly TestArgument[], readonly string[]];

/** The launches that mean one thing only, with what they leave and print. */
export function outcomesOf(module: Module, launches: readonly IdiomLaunch[]): IdiomOutcome[] {
  return launches.flatMap((launch): IdiomOutcome[] => {
    const args = copyOf(launch.arguments);
    const texts: string[] = [];
    try {
      runOnInterpreter(module, 'k', launch.range, args, checks, (text) => texts.push(text));
      return texts.length > mostTexts ? [] : [[launch, args, texts]];
    } catch {
      return [];
    }
  });
}

/** What becomes of a source that is launched as the idiom of a seed; the seed also says how it is vectorised. */
export function checkIdiom(
  seed: number,
  { buildOptions, launches, known, isExact }: Idiom,
  source: string,
): Verdict {
  if (isExact) enableRelaxedSimd();
  let stage = 'the front end';
  try {
    const module = compileForTest(source, buildOptions);
    const expected = outcomesOf(module, launches);
    if (expected.length === 0) return { status: 'skipped', reason: 'no launch means one thing only' };
    const knownToPasses = known && seed % 5 > 0 ? { known } : {};
    stage = 'before vectorising';
    // All that the ways have in common.
    const interchange = seed % 3 === 0;
    const prepared = preparedForVectors(module, { ...knownToPasses, interchange });
    for (const each of [chosen[seed % chosen.length]!, forced[seed % forced.length]!]) {
      const way: WasmOptions = isExact ? { ...each, fuses: true } : each;
      stage = JSON.stringify(way);
      const run = vectorRunner(prepared, { ...way, ...knownToPasses });
      for (const [launch, left, texts] of expected) {
        const actual = copyOf(launch.arguments);
        const printed: string[] = [];
        run('k', launch.range, actual, (text) => printed.push(text));
        const found = difference(left, actual) ?? differenceOfTexts(texts, printed);
        if (found) return failed(`${stage}: ${found} in launch ${launches.indexOf(launch)}`);
      }
    }
    stage = 'with products fused';
    if (!isExact) buildFused(seed, source, buildOptions);
  } catch (error) {
    return failed(`${stage}: ${(error as Error).message}`);
  }
  return passed;
}
