// Many binary searches at once, in an array that kernels read anywhere.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { searchReference } from './reference.ts';

export const brookBinarySearchSample: StreamSample = {
  name: 'brook-binary-search',
  title: 'Binary search with streams',
  about:
    'Each thread searches one key among sorted numbers. A kernel calls another one; ' +
    'places beyond the ends of an array read its first or last element, so that nothing has to be watched.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const [count, keyCount] = context.size === 'full' ? [1_000_000, 2_000_000] : [1_000, 333];
  const random = createRandom(15);
  // Gaps of 1 to 3, so that about half of all numbers are there.
  let last = 0;
  const sorted = Int32Array.from({ length: count }, () => {
    last += 1 + random.below(3);
    return last;
  });
  const keys = Int32Array.from({ length: keyCount }, () => random.below(last + 10));

  context.progress(0.3, 'reference');
  const reference = timeReference(context.size, () => searchReference(keys, sorted));

  context.progress(0.6, 'search');
  const module = context.brook(await context.readKernel('brook-binary-search/binary-search.br'));
  const wanted = streamOf(module, 'int', [keyCount], keys);
  const numbers = streamOf(module, 'int', [count], sorted);
  const found = module.stream('int', [keyCount]);
  const steps = Math.floor(Math.log2(count)) + 1;
  const time = await timeCalls(context.size, () => {
    module.kernels['search']!(wanted, numbers, count, steps, found);
    found.finish();
  });
  const output = contentOf(found, new Int32Array(keyCount));
  for (const stream of [wanted, numbers, found]) stream.release();
  const check = checkEqual(output, reference.result);
  const hits = output.reduce((sum, place) => sum + (place >= 0 ? 1 : 0), 0);
  return {
    runs: [{ kernel: 'search', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`${hits.toLocaleString('en')} of ${keyCount.toLocaleString('en')} keys are there`],
  };
}
