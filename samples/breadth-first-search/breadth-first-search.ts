// Searches a graph from one vertex: the host launches once, and level after level is launched by the device.
import { checkEqual } from '../support/checks.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { jumpsOf, makeCountry, paintDistances } from './country.ts';
import { distancesFrom } from './reference.ts';

export const breadthFirstSearchSample: Sample = {
  name: 'breadth-first-search',
  title: 'Breadth-first search through two pipes',
  needs: 'kernels that launch kernels',
  about:
    'Counts the jumps in which a frog gets to every place of a country with lakes, a graph of millions of edges. ' +
    'Each level of the search is read from one pipe and writes the next into another, and the device launches it.',
  run,
};

/** Jumps tried from each place, and how far they lead to either side. */
const tries = 10;
const reach = 9;

async function run(context: SampleContext): Promise<SampleResult> {
  const [width, height] = context.size === 'full' ? [800, 500] : [67, 41];
  context.progress(0, `${(width * height).toLocaleString('en')} places`);
  const country = makeCountry(width, height, 18);
  const graph = jumpsOf(country, tries, reach, 19);
  const root = country.land.indexOf(1);
  const reference = timeReference(context.size, () => distancesFrom(root, graph));

  const program = await context.compile(
    await context.readKernel('breadth-first-search/breadth-first-search.cl'),
    '-cl-std=CL2.0',
  );
  program.deviceQueue();
  const search = program.kernel('search_graph');
  const first = program.buffer(graph.first);
  const to = program.buffer(graph.to);
  const distances = program.buffer(width * height * 4);
  const even = program.pipe(4, width * height);
  const odd = program.pipe(4, width * height);
  context.progress(0.5, 'search_graph');
  const time = await timeKernel(
    context.size,
    async () => [await search({ global: [1] }, first, to, root, distances, even, even, odd, odd)],
    () => distances.write(new Int32Array(width * height).fill(-1)),
  );
  const output = await distances.read(Int32Array);
  program.release();

  const reached = output.reduce((count, distance) => (distance < 0 ? count : count + 1), 0);
  const land = country.land.reduce((count, isLand) => count + isLand, 0);
  const farthest = output.reduce((most, distance) => Math.max(most, distance), 0);
  return {
    runs: [
      {
        kernel: 'search_graph',
        ...time,
        cpuMilliseconds: reference.milliseconds,
        check: checkEqual(output, reference.result),
        output,
      },
    ],
    pictures: [await context.writePicture('breadth-first-search', paintDistances(country, output))],
    findings: [
      `${graph.to.length.toLocaleString('en')} jumps; ${reached.toLocaleString('en')} of ${land.toLocaleString('en')} ` +
        `places on land can be reached, the farthest in ${farthest}`,
    ],
  };
}
