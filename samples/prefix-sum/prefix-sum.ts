// The sums of each work-group first, then the joining of parts in as many launches as the number of groups can be halved.
import { checkEqual } from '../support/checks.ts';
import type { Launch } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { partSumsReference, prefixSumReference } from './reference.ts';

export const prefixSumSample: Sample = {
  name: 'prefix-sum',
  title: 'Prefix sum with work-group functions',
  about:
    'Makes the running sums of four million numbers from those of its work-groups. ' +
    'The built-in scan replaces local memory and its barriers, the built-in broadcast a variable that all read.',
  run,
};

const groupSize = 256;

async function run(context: SampleContext): Promise<SampleResult> {
  const count = context.size === 'full' ? 4_194_381 : 2_571;
  const random = createRandom(15);
  const numbers = Uint32Array.from({ length: count }, () => random.below(1000));
  const parts = timeReference(context.size, () => partSumsReference(numbers, groupSize));
  const whole = timeReference(context.size, () => prefixSumReference(numbers));

  const program = await context.compile(
    await context.readKernel('prefix-sum/prefix-sum.cl'),
    '-cl-std=CL2.0',
  );
  const [scan, join] = [program.kernel('scan_groups'), program.kernel('join_parts')];
  const input = program.buffer(numbers);
  const sums = program.buffer(count * 4);
  const groups = Math.ceil(count / groupSize);
  const local = [groupSize];
  const scanGroups = () => scan({ global: [groups * groupSize], local }, input, count, sums);

  context.progress(0.3, 'scan_groups');
  const scanned = await timeKernel(context.size, async () => [await scanGroups()]);
  const partSums = await sums.read(Uint32Array);

  context.progress(0.6, 'join_parts');
  let stages = 0;
  while (2 ** stages < groups) stages++;
  const joined = await timeKernel(
    context.size,
    () => {
      const launches: Promise<Launch>[] = [];
      for (let stage = 0; stage < stages; stage++) {
        const pairs = Math.ceil(groups / 2 ** (stage + 1));
        launches.push(join({ global: [pairs * 2 ** stage * groupSize], local }, sums, count, stage));
      }
      return Promise.all(launches);
    },
    scanGroups,
  );
  const output = await sums.read(Uint32Array);
  program.release();
  const runs: KernelRun[] = [
    {
      kernel: 'scan_groups',
      ...scanned,
      cpuMilliseconds: parts.milliseconds,
      check: checkEqual(partSums, parts.result),
      output: partSums,
    },
    {
      kernel: 'join_parts',
      ...joined,
      cpuMilliseconds: whole.milliseconds,
      check: checkEqual(output, whole.result),
      output,
    },
  ];
  return { runs, pictures: [], findings: [`${groups} work-groups were joined in ${stages} launches`] };
}
