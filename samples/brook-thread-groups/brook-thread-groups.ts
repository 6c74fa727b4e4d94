// Threads that share data: running sums within groups of 64.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { runningSumsReference } from './reference.ts';

export const brookThreadGroupsSample: StreamSample = {
  name: 'brook-thread-groups',
  title: 'Thread groups',
  about:
    'Groups of 64 threads put their elements into an array that they share, wait for each other, ' +
    'and sum up what those before them have brought.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const [width, height] = context.size === 'full' ? [1024, 512] : [128, 3];
  const random = createRandom(17);
  const numbers = Int32Array.from({ length: 4 * width * height }, () => random.below(1000) - 500);
  context.progress(0.3, 'reference');
  const reference = timeReference(context.size, () => runningSumsReference(numbers, 64));
  context.progress(0.6, 'running_sums');
  const module = context.brook(await context.readKernel('brook-thread-groups/thread-groups.br'));
  const sizes = [width, height];
  const elements = streamOf(module, 'int4', sizes, numbers);
  const sums = module.stream('int4', sizes);
  const time = await timeCalls(context.size, () => {
    module.kernels['running_sums']!(elements, sums);
    sums.finish();
  });
  const output = contentOf(sums, new Int32Array(numbers.length));
  for (const stream of [elements, sums]) stream.release();
  const check = checkEqual(output, reference.result);
  return {
    runs: [{ kernel: 'running_sums', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [],
  };
}
