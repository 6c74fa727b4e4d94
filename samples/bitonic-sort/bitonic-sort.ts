// Sorts keys in place on the device. The queue keeps launches in order, so the host hands in all passes and
// waits once, for the last.
import { bitonicPlan } from '../support/bitonic-plan.ts';
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { sortReference } from './reference.ts';

export const bitonicSortSample: Sample = {
  name: 'bitonic-sort',
  title: 'Bitonic sort',
  about:
    'Sorts a million keys, more than two hundred launches one after the other. ' +
    'A sort whose comparisons do not depend on the keys: each launch compares half a million pairs at once.',
  run,
};

async function run(context: SampleContext): Promise<SampleResult> {
  const count = context.size === 'full' ? 2 ** 20 : 2 ** 7;
  context.progress(0, `making ${count.toLocaleString('en')} keys`);
  const random = createRandom(5);
  const keys = Uint32Array.from({ length: count }, () => random.next());
  const reference = timeReference(context.size, () => sortReference(keys));

  const program = await context.compile(await context.readKernel('bitonic-sort/bitonic-sort.cl'));
  const bitonicPass = program.kernel('bitonic_pass');
  const buffer = program.buffer(keys);
  const plan = bitonicPlan(count);

  context.progress(0.4, `${plan.length} launches`);
  const time = await timeKernel(
    context.size,
    () =>
      Promise.all(
        plan.map(({ stage, pass }) => bitonicPass({ global: [count / 2], local: [64] }, buffer, stage, pass)),
      ),
    () => buffer.write(keys),
  );
  const output = await buffer.read(Uint32Array);
  program.release();

  return {
    // Keys are whole numbers and the order is total: the results must be equal.
    runs: [
      {
        kernel: 'bitonic_pass',
        ...time,
        cpuMilliseconds: reference.milliseconds,
        check: checkEqual(output, reference.result),
        output,
      },
    ],
    pictures: [],
    findings: [`${plan.length} launches for ${count.toLocaleString('en')} keys`],
  };
}
