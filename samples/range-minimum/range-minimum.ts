// Builds the rows of a sparse table by as many launches, then answers all ranges in one.
import { checkEqual } from '../support/checks.ts';
import { roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { leastFromReference, leastReference } from './reference.ts';

export const rangeMinimumSample: Sample = {
  name: 'range-minimum',
  title: 'Range minimum query',
  needs: 'shared virtual memory',
  about:
    'Finds the least number of thousands of ranges, each by two look-ups in a table that launches have prepared. ' +
    'The table is a list of pointers to rows, as a parameter `global const int *global const *`.',
  run,
};

const groupSize = 64;

async function run(context: SampleContext): Promise<SampleResult> {
  const [count, asked, longest] = context.size === 'full' ? [262_157, 20_000, 20_000] : [519, 97, 519];
  const random = createRandom(13);
  const numbers = Int32Array.from({ length: count }, () => random.next() | 0);
  const ranges = new Uint32Array(2 * asked);
  for (let i = 0; i < asked; i++) {
    const first = random.below(count);
    ranges[2 * i] = first;
    ranges[2 * i + 1] = Math.min(count - 1, first + random.below(longest));
  }
  const rowCount = 32 - Math.clz32(count);
  const width = 2 ** (rowCount - 1);
  const rowReference = timeReference(context.size, () => leastFromReference(numbers, width));
  const reference = timeReference(context.size, () => leastReference(numbers, ranges));

  const program = await context.compile(
    await context.readKernel('range-minimum/range-minimum.cl'),
    '-cl-std=CL2.0',
  );
  const [widen, answer] = [program.kernel('widen_row'), program.kernel('least_of_ranges')];
  const rows = Array.from({ length: rowCount }, () => program.shared(count * 4));
  rows[0]!.view(Int32Array).set(numbers);
  const table = program.shared(rowCount * 4);
  table.view(Uint32Array).set(rows.map(({ address }) => address));
  const rangeBuffer = program.buffer(ranges);
  const least = program.buffer(asked * 4);
  const local = [groupSize];

  context.progress(0.4, 'widen_row');
  const built = await timeKernel(context.size, () =>
    Promise.all(
      rows
        .slice(1)
        .map((row, k) => widen({ global: [roundUp(count, groupSize)], local }, rows[k]!, 2 ** k, count, row)),
    ),
  );
  context.progress(0.7, 'least_of_ranges');
  const answered = await timeKernel(context.size, async () => [
    await answer({ global: [roundUp(asked, groupSize)], local }, table, rangeBuffer, asked, least),
  ]);

  const output = rows[rowCount - 1]!.view(Int32Array).slice();
  const answers = await least.read(Int32Array);
  program.release();
  const runs: KernelRun[] = [
    {
      kernel: 'widen_row',
      ...built,
      cpuMilliseconds: rowReference.milliseconds,
      check: checkEqual(output, rowReference.result),
      output,
    },
    {
      kernel: 'least_of_ranges',
      ...answered,
      cpuMilliseconds: reference.milliseconds,
      check: checkEqual(answers, reference.result),
      output: answers,
    },
  ];
  return {
    runs,
    pictures: [],
    findings: [`${rowCount} rows for ${count} numbers; the widest has the least of ${width}`],
  };
}
