// One launch, and then the device launches by itself what each key needs.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { placesReference } from './reference.ts';

export const deviceSearchSample: Sample = {
  name: 'device-search',
  title: 'Search by kernels that launch kernels',
  needs: 'kernels that launch kernels',
  about:
    'Looks keys up in four million sorted numbers, 64 parts at a time: the work-item that finds the right part ' +
    'launches a work-group for it, from the device, until a single number is left.',
  run,
};

const groupSize = 64;
const none = 2 ** 32 - 1;

async function run(context: SampleContext): Promise<SampleResult> {
  const [count, asked] = context.size === 'full' ? [4_000_037, 500] : [5003, 19];
  const random = createRandom(16);
  // Steps of 1 to 3: a third or so of all keys are not there.
  let last = 0;
  const sorted = Uint32Array.from({ length: count }, () => {
    last += 1 + random.below(3);
    return last;
  });
  const keys = Uint32Array.from({ length: asked }, () => random.below(last + 10));
  const reference = timeReference(context.size, () => placesReference(sorted, keys, none));

  const program = await context.compile(
    await context.readKernel('device-search/device-search.cl'),
    '-cl-std=CL2.0',
  );
  program.deviceQueue();
  const find = program.kernel('find_keys');
  const [numbers, keyBuffer, places] = [
    program.buffer(sorted),
    program.buffer(keys),
    program.buffer(asked * 4),
  ];
  context.progress(0.5, 'find_keys');
  const time = await timeKernel(
    context.size,
    async () => [
      await find({ global: [asked * groupSize], local: [groupSize] }, numbers, count, keyBuffer, places),
    ],
    () => places.write(new Uint32Array(asked).fill(none)),
  );
  const output = await places.read(Uint32Array);
  program.release();
  const check = checkEqual(output, reference.result);
  const found = output.filter((place) => place !== none).length;
  return {
    runs: [{ kernel: 'find_keys', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`${found} of ${asked} keys are there`],
  };
}
