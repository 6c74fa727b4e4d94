// A producer and a consumer: the host makes batches while one launch, which lasts as long, sums them up.
import { checkEqual } from '../support/checks.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { energiesReference, fillBatch } from './reference.ts';

export const liveExchangeSample: Sample = {
  name: 'live-exchange',
  title: 'Host and running kernel, through fine-grained shared memory',
  needs: 'shared virtual memory',
  about:
    'Feeds a kernel that is already running: batches go through a ring of four places, with two atomic counters to tell. ' +
    'Neither side waits for a launch or a copy; each waits only for the other to be done with a place.',
  run,
};

async function run(context: SampleContext): Promise<SampleResult> {
  const [batches, length] = context.size === 'full' ? [1000, 4096] : [23, 101];
  const reference = timeReference(context.size, () => energiesReference(batches, length));

  const program = await context.compile(
    await context.readKernel('live-exchange/live-exchange.cl'),
    '-cl-std=CL2.0',
  );
  const counters = program.shared(256);
  const words = counters.view(Int32Array);
  const isConcurrent = typeof SharedArrayBuffer !== 'undefined' && words.buffer instanceof SharedArrayBuffer;
  // On one thread the kernel runs when the host has gone, so there must be a place for everything.
  const slots = isConcurrent ? 4 : batches;
  const ring = program.shared(slots * length * 4);
  const places = Array.from({ length: slots }, (_, slot) => ring.view(Int32Array, slot * length, length));
  const done = program.shared(4);
  const doneWord = done.view(Int32Array);
  const energies = program.buffer(batches * 4);
  const sum = program.kernel('batch_energies');

  const produce = async (): Promise<void> => {
    for (let batch = 0; batch < batches; batch++) {
      for (let looks = 0; Atomics.load(doneWord, 0) + slots <= batch; looks++) {
        // Where the kernel runs on this thread too, as on the interpreter, it needs its turn.
        if (looks > 100_000) await new Promise((resolve) => setTimeout(resolve));
      }
      fillBatch(places[batch % slots]!, batch);
      Atomics.store(words, 0, batch + 1);
    }
  };
  const start = () =>
    sum({ global: [1], local: [1] }, counters, done, ring, slots, length, batches, energies);
  context.progress(0.3, 'batch_energies');
  const time = await timeKernel(
    context.size,
    async () => {
      if (!isConcurrent) await produce();
      const launch = start();
      if (isConcurrent) await produce();
      return [await launch];
    },
    async () => {
      words.fill(0);
      doneWord.fill(0);
    },
  );
  const output = await energies.read(Uint32Array);
  program.release();
  const check = checkEqual(output, reference.result);
  return {
    runs: [{ kernel: 'batch_energies', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`${batches} batches of ${length} samples went through one launch`],
  };
}
