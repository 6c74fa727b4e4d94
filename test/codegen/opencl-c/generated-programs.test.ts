/** Random OpenCL C programs leave the same bytes after a way through the IR and back, with and without the passes. */
import { expect, it } from 'vitest';
import { generateKernel, type Size } from '../../../conformance/generator/generate.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { runOnInterpreter, type TestArgument } from '../../support/run-kernel.ts';
import { roundTrip, written } from './round-trip.ts';

const batches: readonly { size: Size; from: number; to: number; addressBits: 32 | 64 }[] = [
  { size: 'small', from: 0, to: 50, addressBits: 32 },
  { size: 'small', from: 50, to: 100, addressBits: 64 },
  { size: 'medium', from: 100, to: 110, addressBits: 64 },
];

it.each(batches)('$size, seeds $from to $to, $addressBits bits', { timeout: 300_000 }, (batch) => {
  const { size, from, to, addressBits } = batch;
  for (let seed = from; seed < to; seed += 1) {
    const generated = generateKernel(seed, { size });
    const { module, log } = compileOpenCL(generated.source, { addressBits });
    if (!module) throw new Error(log);
    const run = (program: typeof module): TestArgument[] => {
      const args = generated.arguments.map((argument) =>
        'buffer' in argument ? { buffer: argument.buffer.slice() } : argument,
      );
      runOnInterpreter(program, generated.kernel, generated.range, args);
      return args;
    };
    const expected = run(module);
    for (const optimised of [false, true]) {
      const actual = run(roundTrip(module, optimised));
      const differs = actual.some(
        (argument, index) =>
          'buffer' in argument &&
          Buffer.compare(argument.buffer, (expected[index] as { buffer: Uint8Array }).buffer) !== 0,
      );
      if (differs) expect.fail(`seed ${seed}\n${generated.source}\n${written(module, optimised)}`);
    }
  }
});
