/**
 * Random OpenCL C kernels (conformance/generator) must leave the same bytes on the interpreter, which runs what the
 * front end made of them and also checks that they read nothing unwritten; as WebAssembly after every pass; with
 * optimisation off; with helpers kept as functions instead of inlined; and with work-items packed. Some three hundred run with every test run; for more, or for the one that failed:
 *
 *     MILLRACE_SEEDS=0-10000 MILLRACE_SIZE=medium npx vitest run test/fuzz/generated-programs.test.ts
 *
 * MILLRACE_SIZE is small, medium or large; without it each range of seeds has its own. A failing kernel is shrunk and
 * shown with its launch; MILLRACE_KEEP=1 shows it as it was generated. idioms.test.ts does the same with kernels in the forms that
 * people write.
 */
import { describe, expect, it } from 'vitest';
import { type GeneratedKernel, generateKernel, type Size } from '../../conformance/generator/generate.ts';
import { reduce } from '../../conformance/generator/reduce.ts';
import { cloneModule } from '../../src/ir/clone.ts';
import { optimise } from '../../src/passes/optimise.ts';
import { copyOf, difference, isAlike, type Seeds, seedsFromEnvironment } from '../support/compare-runs.ts';
import { compileForTest, runOnInterpreter, type WasmOptions, wasmRunner } from '../support/run-kernel.ts';

interface Batch extends Seeds {
  readonly size: Size;
}

function batches(): Batch[] {
  const seeds = seedsFromEnvironment();
  if (!seeds) {
    return [
      { size: 'small', from: 0, to: 220 },
      { size: 'medium', from: 0, to: 70 },
      { size: 'large', from: 0, to: 10 },
    ];
  }
  const size = (process.env['MILLRACE_SIZE'] ?? 'medium') as Size;
  return seeds.map((part) => ({ size, ...part }));
}

/** The ways of building a kernel. */
const ways: readonly (readonly [string, WasmOptions])[] = [
  ['WebAssembly', {}],
  ['WebAssembly without optimisation', { disabled: true }],
  ['WebAssembly with calls', { inlineLimit: 0 }],
];

/** Of these each kernel is built in one, in turn. */
const packedWays: readonly (readonly [string, WasmOptions])[] = [
  ['WebAssembly, packed by 4', { lanes: 4 }],
  ['WebAssembly with calls, packed by 2', { inlineLimit: 0, lanes: 2 }],
  ['WebAssembly, packed by 8, rows by 2', { lanes: 8, rows: 2 }],
  ['WebAssembly, packed where it pays', { lanes: 'chosen' }],
];

/** What goes wrong with a source, launched as the kernel it was generated for; undefined if all agree. */
function fault(
  seed: number,
  { kernel, range, arguments: args }: GeneratedKernel,
  source: string,
): string | undefined {
  let stage = 'the interpreter';
  try {
    const expected = copyOf(args);
    // Each way gets a copy of its own: the front end is the same for all.
    const module = compileForTest(source);
    runOnInterpreter(module, kernel, range, expected, {
      checkUninitialised: true,
      maximumSteps: 50_000_000,
    });
    for (const [name, options] of [...ways, packedWays[seed % packedWays.length]!]) {
      stage = name;
      const actual = copyOf(args);
      wasmRunner(cloneModule(module), options)(kernel, range, actual);
      const found = difference(expected, actual);
      if (found) return `${stage}: ${found}`;
    }
    if (seed % 4 > 0) return undefined;
    stage = 'the interpreter, packed by 2';
    const packed = cloneModule(module);
    optimise(packed, { pack: { lanes: 2 } });
    const actual = copyOf(args);
    runOnInterpreter(packed, kernel, range, actual, { checkUninitialised: true });
    const found = difference(expected, actual);
    if (found) return `${stage}: ${found}`;
  } catch (error) {
    return `${stage}: ${(error as Error).message}`;
  }
  return undefined;
}

async function report(seed: number, generated: GeneratedKernel, found: string): Promise<string> {
  const launch = `${JSON.stringify(generated.range)}`;
  const source = process.env['MILLRACE_KEEP']
    ? generated.source
    : await reduce(generated.program, (candidate) => isAlike(fault(seed, generated, candidate), found));
  return `seed ${seed}: ${fault(seed, generated, source) ?? found}\nlaunched with ${launch}\n${source}`;
}

describe('generated programs mean the same everywhere', () => {
  it.each(batches())('$size, seeds $from to $to', { timeout: 24 * 3600_000 }, async ({ size, from, to }) => {
    for (let seed = from; seed < to; seed++) {
      const generated = generateKernel(seed, { size });
      const found = fault(seed, generated, generated.source);
      if (found) throw new Error(await report(seed, generated, found));
      // The test runner wants to hear from its worker now and then.
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});

it('the same seed gives the same program', () => {
  expect(generateKernel(7).source).toBe(generateKernel(7).source);
  expect(generateKernel(7).source).not.toBe(generateKernel(8).source);
});
