// Throws darts in one kernel and counts the hits in another; a pipe lies between them.
import { checkEqual } from '../support/checks.ts';
import { type Launch, roundUp } from '../support/device.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { dartsReference } from './reference.ts';

export const simplePipeSample: Sample = {
  name: 'simple-pipe',
  title: 'Darts through a pipe',
  about:
    'Throws darts at a square and counts those that hit the disc in it, which gives pi. ' +
    'One kernel throws, another counts; a pipe carries what hits from one to the other, however much that is.',
  run,
};

const groupSize = 64;
/** A power of two, so that squares of distances divide evenly. */
const rings = 16;

async function run(context: SampleContext): Promise<SampleResult> {
  const [count, round] = context.size === 'full' ? [1_000_000, 100_000] : [3_000, 1_100];
  const reference = timeReference(context.size, () => dartsReference(count, rings));

  const source = await context.readKernel('simple-pipe/simple-pipe.cl');
  const program = await context.compile(source, `-cl-std=CL2.0 -DRINGS=${rings}`);
  const throwDarts = program.kernel('throw_darts');
  const countRings = program.kernel('count_rings');
  // A round's hits fit in, even if every dart hits.
  const hits = program.pipe(4, round);
  const counts = program.buffer(rings * 4);
  const lost = program.buffer(4);
  const readers = groupSize * 2 * context.computeUnits;

  context.progress(0.5, 'throw_darts and count_rings');
  const time = await timeKernel(
    context.size,
    async () => {
      const launches: Promise<Launch>[] = [];
      for (let first = 0; first < count; first += round) {
        const thrown = Math.min(round, count - first);
        const range = { global: [roundUp(thrown, groupSize)], local: [groupSize] };
        launches.push(throwDarts(range, first, thrown, hits, lost));
        launches.push(countRings({ global: [readers], local: [groupSize] }, hits, counts));
      }
      return Promise.all(launches);
    },
    () => Promise.all([counts.write(new Uint32Array(rings)), lost.write(new Uint32Array(1))]),
  );
  const output = await counts.read(Uint32Array);
  const [missed] = await lost.read(Uint32Array);
  program.release();

  const equal = checkEqual(output, reference.result);
  const check = missed === 0 ? equal : { ok: false, detail: `the pipe was full for ${missed} darts` };
  const hit = output.reduce((sum, ring) => sum + ring, 0);
  return {
    runs: [{ kernel: 'count_rings', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`${hit} of ${count} darts hit the disc: pi is about ${((4 * hit) / count).toFixed(4)}`],
  };
}
