/** What the access map, the dependences and the loop nests claim, against the addresses and iterations of kernels that run (access-trace.ts). */
import { describe, expect, it } from 'vitest';
import { benchKernels } from '../../../bench/kernels/index.ts';
import { compileSource } from '../../../src/build/compile-source.ts';
import { cloneModule } from '../../../src/ir/clone.ts';
import type { LaunchArgument } from '../../../src/ir/interpreter.ts';
import type * as ir from '../../../src/ir/ir.ts';
import { printModule } from '../../../src/ir/print.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { openclC } from '../../../src/target/opencl-c.ts';
import { wasm } from '../../../src/target/wasm.ts';
import { randomKernel } from '../random-kernel.ts';
import { numbers } from '../run-stages.ts';
import { checkClaims, type TraceRange, type TraceResult } from './access-trace.ts';
import { bufferBytes, randomAccesses } from './random-accesses.ts';

const ranges: readonly TraceRange[] = [
  { global: [16], local: [8] },
  { global: [8, 4], local: [4, 2] },
  { global: [8, 4, 4], local: [4, 2, 2] },
  { global: [8, 8], local: [8, 4] },
];

/** The forms of a kernel that are looked at: for work-items, for work-groups, and with vectors and several rows. */
const forms = {
  'work-items': (module: ir.Module) => optimise(module, { target: openclC }),
  'work-groups': (module: ir.Module) => optimise(module),
  vectors: (module: ir.Module) => optimise(module, { target: wasm, vectorise: { lanes: 4 } }),
} as const;

const { MILLRACE_SEEDS: seeds = '1-15' } = process.env;
const [from, to] = seeds.split('-').map(Number) as [number, number];

const input = numbers(bufferBytes / 4, 7);

function check(module: ir.Module, seed: number): TraceResult {
  const before = printModule(module);
  const kernel = module.functions.find(({ name }) => name === 'test')!;
  const output = new Uint8Array(bufferBytes);
  const result = checkClaims(module, kernel, ranges[seed % ranges.length]!, (machine) => [
    { kind: 'address', address: machine.allocate('global', new Uint8Array(input.buffer)) },
    { kind: 'address', address: machine.allocate('global', output) },
    { kind: 'bytes', bytes: new Uint8Array(Int32Array.of(1 + (seed % 6)).buffer) },
    { kind: 'local', size: 4096 },
  ]);
  if (result.wrong.length > 0) expect(result.wrong, before).toEqual([]);
  return result;
}

for (const [form, prepare] of Object.entries(forms)) {
  describe(`strides of random addresses: ${form}`, () => {
    const total = { numbers: 0, unknowns: 0, trips: 0, whole: 0, meetings: 0 };
    for (let seed = from; seed <= to; seed += 1) {
      it(`seed ${seed}`, () => {
        const module = cloneModule(randomAccesses(seed));
        prepare(module);
        const result = check(module, seed);
        for (const key of ['numbers', 'unknowns', 'trips', 'whole', 'meetings'] as const)
          total[key] += result[key];
      });
    }

    it('there was something to check', () => {
      // A map that claims nothing is never wrong.
      expect(total.numbers).toBeGreaterThan((to - from) * 100);
      expect(total.unknowns).toBeGreaterThan((to - from) * 10);
      expect(total.trips).toBeGreaterThan(to - from);
      expect(total.whole).toBeGreaterThan(to - from);
      expect(total.meetings).toBeGreaterThan((to - from) * 100);
    });
  });
}

describe('strides of the measured kernels', () => {
  let claimed = 0;
  for (const { name, source, options, prepare } of benchKernels) {
    const { buffers, images, launches } = prepare('quick');
    if (images) continue;
    it(name, () => {
      const wrong: string[] = [];
      // In the third form, what one work-item does is besides what a vector of them does.
      for (const form of ['work-items', 'vectors'] as const) {
        const { kernel: kernelName, global, local, arguments: given } = launches[0]!;
        const { module } = compileSource(source, { buildOptions: options });
        forms[form](module!);
        const kernel = module!.functions.find((fn) => fn.name === kernelName)!;
        // Few groups: what they do is much alike.
        const group = local ?? [16, 4, 1].slice(0, global.length);
        const range = { global: group.map((size, at) => Math.min(global[at]!, 2 * size)), local: group };
        const result = checkClaims(module!, kernel, range, (machine) =>
          given.map((argument): LaunchArgument => {
            if (typeof argument === 'string') {
              const data = buffers[argument]!;
              const bytes =
                typeof data === 'number' ? new Uint8Array(data) : new Uint8Array(data.slice().buffer);
              return { kind: 'address', address: machine.allocate('global', bytes) };
            }
            if ('local' in argument) return { kind: 'local', size: argument.local };
            return { kind: 'bytes', bytes: new Uint8Array(argument.slice().buffer) };
          }),
        );
        claimed += result.numbers + result.unknowns + result.whole;
        wrong.push(...result.wrong.map((what) => `${form}: ${what}`));
      }
      expect(wrong).toEqual([]);
    });
  }

  it('there was something to check', () => {
    expect(claimed).toBeGreaterThan(100_000);
  });
});

describe('strides in random control', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const module = randomKernel(seed, { freelySet: true, unrolledLoops: seed % 4 === 0 });
      forms[seed % 2 ? 'work-items' : 'work-groups'](module);
      check(module, seed);
    });
  }
});
