// Finds the primes among many numbers, puts them into a pipe group by group, and takes them out again.
import { checkEqual } from '../support/checks.ts';
import { roundUp } from '../support/device.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { primesReference } from './reference.ts';

export const primeExtractionSample: Sample = {
  name: 'prime-extraction',
  title: 'Extraction of primes',
  about:
    'Picks the primes out of the first whole numbers. ' +
    'A scan numbers the primes of a work-group, which then reserves its packets of a pipe all at once; another kernel takes them out.',
  run,
};

const groupSize = 128;

async function run(context: SampleContext): Promise<SampleResult> {
  const limit = context.size === 'full' ? 200_000 : 3_001;
  const reference = timeReference(context.size, () => primesReference(limit));
  const expected = reference.result;

  const source = await context.readKernel('prime-extraction/prime-extraction.cl');
  const program = await context.compile(source, '-cl-std=CL2.0');
  const findPrimes = program.kernel('find_primes');
  const collectPrimes = program.kernel('collect_primes');
  // Below n there are less than 1.26 n / ln n primes.
  const most = Math.ceil((1.26 * limit) / Math.log(limit));
  const found = program.pipe(4, most);
  const primes = program.buffer(4 * most);
  const lost = program.buffer(4);

  context.progress(0.5, 'find_primes and collect_primes');
  const time = await timeKernel(
    context.size,
    async () => [
      await findPrimes({ global: [roundUp(limit, groupSize)], local: [groupSize] }, limit, found, lost),
      await collectPrimes({ global: [most] }, found, primes),
    ],
    () => Promise.all([primes.write(new Uint32Array(most)), lost.write(new Uint32Array(1))]),
  );
  const [missed] = await lost.read(Uint32Array);
  const collected = await primes.read(Uint32Array);
  program.release();

  // Groups come in any order.
  const output = collected.filter((prime) => prime > 0).sort();
  const equal = checkEqual(output, expected);
  const check = missed === 0 ? equal : { ok: false, detail: `the pipe was full for ${missed} primes` };
  return {
    runs: [{ kernel: 'find_primes', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`${output.length} primes below ${limit}`],
  };
}
