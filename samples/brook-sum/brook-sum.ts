// The smallest program with streams: read two from the host, call a kernel as a function, write the third to the host.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { sumReference } from './reference.ts';

export const brookSumSample: StreamSample = {
  name: 'brook-sum',
  title: 'Sum of streams',
  about:
    'Two planes of numbers are added element by element. The kernel names no index: ' +
    'streams come as the element of the place that a thread is for.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const [width, height] = context.size === 'full' ? [2048, 2048] : [37, 19];
  const random = createRandom(11);
  const numbers = () => Float32Array.from({ length: width * height }, () => random.between(-100, 100));
  const [a, b] = [numbers(), numbers()];

  context.progress(0.3, 'reference');
  const expected = new Float32Array(a.length);
  const reference = timeReference(context.size, () => sumReference(a, b, expected));

  context.progress(0.6, 'sum');
  const module = context.brook(await context.readKernel('brook-sum/sum.br'));
  const sizes = [width, height];
  const [first, second] = [streamOf(module, 'float', sizes, a), streamOf(module, 'float', sizes, b)];
  const result = module.stream('float', sizes);
  const time = await timeCalls(context.size, () => {
    module.kernels['sum']!(first, second, result);
    result.finish();
  });
  const output = contentOf(result, new Float32Array(a.length));
  for (const stream of [first, second, result]) stream.release();
  // One rounding on either side.
  const check = checkEqual(output, expected);
  return {
    runs: [{ kernel: 'sum', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [],
  };
}
