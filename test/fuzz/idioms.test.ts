/**
 * Random kernels in the forms that people write, each launched several times (conformance/generator/idioms.ts), must leave the same
 * bytes on the interpreter, which says which launches mean anything, and as WebAssembly, packed as the device does it and
 * with rows of several lanes together whether that pays or not. For more than run with every test run, or for the one that failed:
 *
 *     MILLRACE_SEEDS=0-10000 npx vitest run test/fuzz/idioms.test.ts
 *
 * A failing kernel is shrunk; MILLRACE_KEEP=1 shows it as it was generated.
 */
import { describe, expect, it } from 'vitest';
import type { IdiomLaunch } from '../../conformance/generator/idiom-launches.ts';
import { generateIdiom, type Idiom } from '../../conformance/generator/idioms.ts';
import { reduce } from '../../conformance/generator/reduce.ts';
import type { Module } from '../../src/ir/ir.ts';
import { copyOf, difference, isAlike, seedsFromEnvironment } from '../support/compare-runs.ts';
import {
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  type WasmOptions,
  wasmRunner,
} from '../support/run-kernel.ts';

const checks = { checkUninitialised: true, checkRaces: true, maximumSteps: 3_000_000 };

/** As the device does it, but for how many groups a thread takes at a time. */
const chosen: readonly WasmOptions[] = [
  { lanes: 'chosen' },
  { lanes: 'chosen', groupsAtOnce: 1 },
  { lanes: 'chosen', groupsAtOnce: 3 },
];

/** Each kernel is built in one of these, too. */
const forced: readonly WasmOptions[] = [
  { lanes: 4 },
  { lanes: 4, rows: 2 },
  { lanes: 2, rows: 4 },
  { lanes: 8, rows: 3, groupsAtOnce: 2 },
  { lanes: 16 },
  { lanes: 4, rows: 4 },
  {},
];

/** Launches that mean one thing only, and what they leave. */
function outcomes(module: Module, launches: readonly IdiomLaunch[]): [IdiomLaunch, TestArgument[]][] {
  return launches.flatMap((launch): [IdiomLaunch, TestArgument[]][] => {
    const args = copyOf(launch.arguments);
    try {
      runOnInterpreter(module, 'k', launch.range, args, checks);
      return [[launch, args]];
    } catch {
      return [];
    }
  });
}

/** What goes wrong with a source, launched as the kernel it was generated for; undefined if all agree. */
function fault(seed: number, { buildOptions, launches, known }: Idiom, source: string): string | undefined {
  let stage = 'the front end';
  try {
    const expected = outcomes(compileForTest(source, buildOptions), launches);
    if (expected.length === 0) return undefined;
    for (const way of [chosen[seed % chosen.length]!, forced[seed % forced.length]!]) {
      stage = JSON.stringify(way);
      const run = wasmRunner(compileForTest(source, buildOptions), {
        ...way,
        ...(known && seed % 5 > 0 ? { known } : {}),
      });
      for (const [launch, left] of expected) {
        const actual = copyOf(launch.arguments);
        run('k', launch.range, actual);
        const found = difference(left, actual);
        if (found) return `${stage}: ${found} in launch ${launches.indexOf(launch)}`;
      }
    }
  } catch (error) {
    return `${stage}: ${(error as Error).message}`;
  }
  return undefined;
}

async function report(seed: number, idiom: Idiom, found: string): Promise<string> {
  const source = process.env['MILLRACE_KEEP']
    ? idiom.source
    : await reduce(idiom.program, (candidate) => isAlike(fault(seed, idiom, candidate), found));
  const launches = idiom.launches.map(({ range, arguments: args }) => {
    const values = args.map((one) => ('bytes' in one ? new Int32Array(one.bytes.buffer)[0] : '-'));
    return `${JSON.stringify(range)} ${values.join(' ')}`;
  });
  return `seed ${seed}: ${fault(seed, idiom, source) ?? found}\n${launches.join('\n')}\n${source}${idiom.buildOptions}`;
}

describe('idioms mean the same everywhere', () => {
  it.each(seedsFromEnvironment() ?? [{ from: 0, to: 8 }])(
    'seeds $from to $to',
    {
      timeout: 24 * 3600_000,
    },
    async ({ from, to }) => {
      for (let seed = from; seed < to; seed++) {
        const idiom = generateIdiom(seed);
        const found = fault(seed, idiom, idiom.source);
        if (found) throw new Error(await report(seed, idiom, found));
        // The test runner wants to hear from its worker now and then.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  );
});

it('the same seed gives the same idiom, most of which mean something', () => {
  expect(generateIdiom(7).source).toBe(generateIdiom(7).source);
  const launches = [1, 2, 3, 4].flatMap((seed) => {
    const { source, buildOptions, launches } = generateIdiom(seed);
    return outcomes(compileForTest(source, buildOptions), launches);
  });
  expect(launches.length).toBeGreaterThan(6);
});
