// Scattering: a permutation in two calls for half of the numbers each, and a picture that is turned.
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { type BrookModule, contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { placeReference, turnReference } from './reference.ts';

export const brookScatterSample: StreamSample = {
  name: 'brook-scatter',
  title: 'Scattering',
  about:
    'Kernels that choose where they write: numbers are shuffled, a photograph is turned. ' +
    'The shuffle comes in two calls, each with half of the numbers: parts of streams are streams.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const module = context.brook(await context.readKernel('brook-scatter/scatter.br'));
  const shuffled = await shuffle(context, module);
  context.progress(0.6, 'turn');
  const photo = await context.readPhoto();
  const { width, height, data } = photo;
  const reference = timeReference(context.size, () => turnReference(photo));
  const pixels = streamOf(module, 'uint', [width, height], data);
  const turned = module.stream('uint', [height, width]);
  const turn = module.kernels['turn']!;
  const time = await timeCalls(context.size, () => {
    // Threads stand on the picture, not on what it becomes.
    turn.domainSize(width, height);
    turn(pixels, height, turned);
    turned.finish();
  });
  const output = contentOf(turned, new Uint8Array(data.length));
  for (const stream of [pixels, turned]) stream.release();
  const check = checkEqual(output, reference.result.data);
  const picture = await context.writePicture('brook-turned', { width: height, height: width, data: output });
  const run = { kernel: 'turn', ...time, cpuMilliseconds: reference.milliseconds, check, output };
  return { runs: [shuffled, run], pictures: [picture], findings: [] };
}

async function shuffle(context: StreamContext, module: BrookModule): Promise<KernelRun> {
  const count = context.size === 'full' ? 2_000_000 : 1_000;
  const random = createRandom(16);
  const values = Float32Array.from({ length: count }, () => random.between(0, 1));
  const places = Int32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [places[last], places[other]] = [places[other]!, places[last]!];
  }
  const expected = new Float32Array(count);
  context.progress(0.2, 'place_at');
  const reference = timeReference(context.size, () => placeReference(places, values, expected));

  const [to, from] = [streamOf(module, 'int', [count], places), streamOf(module, 'float', [count], values)];
  const result = module.stream('float', [count]);
  const half = count / 2;
  const placeAt = module.kernels['place_at']!;
  const time = await timeCalls(context.size, () => {
    for (const begin of [0, half]) {
      const [start, end] = [[begin], [begin + half]];
      // As many threads as there are elements in the parts, not in the array that they write to.
      placeAt.domainSize(half);
      placeAt(to.domain(start, end), from.domain(start, end), result);
    }
    result.finish();
  });
  const output = contentOf(result, new Float32Array(count));
  for (const stream of [to, from, result]) stream.release();
  const check = checkEqual(output, expected);
  return { kernel: 'place_at', ...time, cpuMilliseconds: reference.milliseconds, check, output };
}
