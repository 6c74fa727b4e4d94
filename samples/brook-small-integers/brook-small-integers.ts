// Streams of 8 and of 16 bits: half and a quarter of the memory of ints, and of what goes through it.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { type BrookModule, contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { addReference } from './reference.ts';

export const brookSmallIntegersSample: StreamSample = {
  name: 'brook-small-integers',
  title: 'Sums of small integers',
  about:
    'Sums of 8 and of 16 bits that overflow now and then. Brook+ computes in the type of its operands, ' +
    'so that short vectors of the machine hold as many numbers as fit.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const count = context.size === 'full' ? 8_000_001 : 1_001;
  const module = context.brook(await context.readKernel('brook-small-integers/small-integers.br'));
  context.progress(0.2, 'add_bytes');
  const bytes = await runOne(context, module, 'add_bytes', 'char', Int8Array, count);
  context.progress(0.6, 'add_shorts');
  const shorts = await runOne(context, module, 'add_shorts', 'short', Int16Array, count);
  return { runs: [bytes, shorts], pictures: [], findings: [] };
}

async function runOne(
  { size }: StreamContext,
  module: BrookModule,
  kernel: string,
  type: string,
  Numbers: typeof Int8Array | typeof Int16Array,
  count: number,
): Promise<KernelRun> {
  const random = createRandom(12);
  const numbers = () => new Numbers(count).map(() => random.below(65536));
  const [a, b, expected] = [numbers(), numbers(), new Numbers(count)];
  const reference = timeReference(size, () => addReference(a, b, expected));
  const [first, second] = [streamOf(module, type, [count], a), streamOf(module, type, [count], b)];
  const result = module.stream(type, [count]);
  const time = await timeCalls(size, () => {
    module.kernels[kernel]!(first, second, result);
    result.finish();
  });
  const output = contentOf(result, new Numbers(count));
  for (const stream of [first, second, result]) stream.release();
  const check = checkEqual(output, expected);
  return { kernel, ...time, cpuMilliseconds: reference.milliseconds, check, output };
}
