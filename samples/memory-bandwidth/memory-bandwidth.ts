// Reads, writes and copies as much as does not fit into a cache, and says how fast.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { readReference, writeReference } from './reference.ts';

export const memoryBandwidthSample: Sample = {
  name: 'memory-bandwidth',
  title: 'Bandwidth of global memory',
  about:
    'Reads, writes and copies 64 MiB in vectors of four, neighbours side by side. ' +
    'What other kernels move in a second can be held against these figures.',
  run,
};

const groupSize = 64;
const lanes = 4;

async function run(context: SampleContext): Promise<SampleResult> {
  const [items, times] = context.size === 'full' ? [65_536, 64] : [128, 3];
  const length = items * lanes * times;
  const random = createRandom(14);
  const numbers = Uint32Array.from({ length }, () => random.next());
  const program = await context.compile(await context.readKernel('memory-bandwidth/memory-bandwidth.cl'));
  const source = program.buffer(numbers);
  const target = program.buffer(length * 4);
  const sums = program.buffer(items * lanes * 4);
  const range = { global: [items], local: [groupSize] };
  const value = 1234;
  const row = items * lanes;

  const read = program.kernel('read_vectors');
  const write = program.kernel('write_vectors');
  const copy = program.kernel('copy_vectors');
  const ways = [
    {
      kernel: 'read_vectors',
      bytes: length * 4,
      launch: () => read(range, source, items, times, sums),
      result: () => sums.read(Uint32Array),
      reference: () => readReference(numbers, row),
    },
    {
      kernel: 'write_vectors',
      bytes: length * 4,
      launch: () => write(range, target, items, times, value),
      result: () => target.read(Uint32Array),
      reference: () => writeReference(length, row, value),
    },
    {
      kernel: 'copy_vectors',
      bytes: length * 8,
      launch: () => copy(range, source, items, times, target),
      result: () => target.read(Uint32Array),
      reference: () => numbers.slice(),
    },
  ];
  const runs: KernelRun[] = [];
  const findings: string[] = [];
  for (const { kernel, bytes, launch, result, reference } of ways) {
    context.progress(0.2 + 0.25 * runs.length, kernel);
    const expected = timeReference(context.size, reference);
    const time = await timeKernel(context.size, async () => [await launch()]);
    const output = await result();
    const check = checkEqual(output, expected.result);
    runs.push({ kernel, ...time, cpuMilliseconds: expected.milliseconds, check, output });
    // A few kilobytes say nothing about memory.
    if (context.size === 'full') {
      findings.push(`${kernel}: ${(bytes / time.milliseconds / 1e6).toFixed(1)} GB/s`);
    }
  }
  program.release();
  return { runs, pictures: [], findings };
}
