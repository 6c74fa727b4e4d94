// The smallest host program there is: compile, call the kernel with a number and three arrays, await.
import { checkWithin } from '../support/checks.ts';
import { roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { saxpyReference } from './reference.ts';

export const saxpySample: Sample = {
  name: 'saxpy',
  title: 'saxpy',
  about:
    'z = a x + y over ten million numbers, one work-item for each. ' +
    'The whole of a host program in three lines: compile, call, await.',
  run,
};

async function run(context: SampleContext): Promise<SampleResult> {
  // Neither count is a multiple of the work-group size, so the last work-group is partly idle.
  const count = context.size === 'full' ? 10_000_003 : 1_003;
  const groupSize = 64;

  context.progress(0, `making ${count.toLocaleString('en')} numbers`);
  const random = createRandom(1);
  const a = Math.fround(random.between(1, 2));
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    x[i] = random.between(-100, 100);
    y[i] = random.between(-100, 100);
  }

  context.progress(0.3, 'reference');
  const expected = new Float32Array(count);
  const reference = timeReference(context.size, () => saxpyReference(a, x, y, expected));

  context.progress(0.5, 'saxpy');
  const program = await context.compile(await context.readKernel('saxpy/saxpy.cl'));
  const saxpy = program.kernel('saxpy');
  const z = new Float32Array(count);
  // Typed arrays go in by themselves, and the one that the kernel may write comes back.
  const time = await timeKernel(context.size, async () => [
    await saxpy({ global: [roundUp(count, groupSize)], local: [groupSize] }, a, x, y, z, count),
  ]);
  program.release();

  // OpenCL lets a compiler fuse a * x + y (one rounding) or not (two). A rounding errs by at most 2^-24 of
  // what is rounded, the product and the sum; the reference's own rounding of the sum is the second 2^-24 of
  // it.
  const unit = 2 ** -24;
  const check = checkWithin(z, expected, (i) => {
    const product = Math.abs(a * x[i]!);
    return unit * (product + 2 * (Math.abs(expected[i]!) + unit * product));
  });
  return {
    runs: [{ kernel: 'saxpy', ...time, cpuMilliseconds: reference.milliseconds, check, output: z }],
    pictures: [],
    findings: [],
  };
}
