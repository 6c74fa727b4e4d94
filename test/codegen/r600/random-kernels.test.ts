/**
 * Made-up kernels, compiled for RV670 and RV770: the validator must find nothing wrong with what the scheduler and the allocator made,
 * and the programs must leave the same bytes as the IR's interpreter, which runs what the front end delivered.
 *
 * MILLRACE_SEEDS=0-5000 tries so many.
 */
import { describe, expect, it } from 'vitest';
import { R600Error } from '../../../src/codegen/r600/error.ts';
import { printProgram } from '../../../src/codegen/r600/print.ts';
import { validate } from '../../../src/codegen/r600/validate.ts';
import { chip, compileR600, kernelOf, runOnR600 } from '../../support/r600.ts';
import { buffer, compileForTest, runOnInterpreter, value } from '../../support/run-kernel.ts';
import { Numbers, randomKernel } from './random-kernel.ts';

const [from = 0, to = from + 1] = (process.env['MILLRACE_SEEDS'] ?? '0-8').split('-').map(Number);

function launchArguments(seed: number, items: number) {
  const numbers = new Numbers(seed + 1);
  const given = Int32Array.from({ length: 8 }, () => numbers.below(200) - 100);
  return {
    out: new Int32Array(items * 2),
    reals: new Float32Array(items * 4),
    given,
    int: numbers.below(100) - 50,
    float: numbers.below(64) / 8 - 4,
  };
}

describe('made-up kernels on the R600 family', () => {
  it('are valid programs that do what the IR does', () => {
    let compiled = 0;
    for (let seed = from; seed < to; seed += 1) {
      const { source, items } = randomKernel(seed);
      const range = { global: [items], local: [items] };
      const run = (how: (args: Parameters<typeof runOnInterpreter>[3]) => void): [number[], number[]] => {
        const { out, reals, given, int, float } = launchArguments(seed, items);
        how([buffer(out), buffer(reals), buffer(given), value.int(int), value.float(float)]);
        // Zeros of either sign are equal, and so are all NaNs.
        return [[...out], [...reals].map((one) => (one === 0 ? 0 : one))];
      };
      const expected = run((args) =>
        runOnInterpreter(compileForTest(source, '-cl-opt-disable'), 'k', range, args),
      );
      const kernel = kernelOf(source);
      for (const name of ['RV670', 'RV770'] as const) {
        let program: ReturnType<typeof compileR600>;
        try {
          program = compileR600(kernel, chip(name));
        } catch (error) {
          if (error instanceof R600Error && error.isShortage) continue;
          throw new Error(`seed ${seed}: ${(error as Error).stack}\n${source}`);
        }
        compiled += 1;
        const problems = validate(program);
        if (problems.length > 0)
          expect.fail(`seed ${seed}: ${problems.join('\n')}\n${source}\n${printProgram(program)}`);
        const actual = run((args) => runOnR600(kernel, program, range, args));
        expect(actual, `seed ${seed} on ${name}\n${source}\n${printProgram(program)}`).toEqual(expected);
      }
    }
    expect(compiled).toBeGreaterThan((to - from) * 1.5);
  });
});
