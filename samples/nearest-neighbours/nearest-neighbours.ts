// Classifies a few unknown points by their neighbours among many known ones. The known points stay on the
// device; for each unknown one there is a launch that measures and a series that sorts.
import { bitonicPlan } from '../support/bitonic-plan.ts';
import { scatterChart } from '../support/charts.ts';
import { checkBoth, checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { Check, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { type Point, packPoints, pointBytes, unpackPoints, vote } from './points.ts';
import { distancesReference, orderReference } from './reference.ts';

export const nearestNeighboursSample: Sample = {
  name: 'nearest-neighbours',
  title: 'k nearest neighbours',
  about:
    'Gives unknown points the class that most of their nearest neighbours have. ' +
    'A struct goes to a kernel by value, and a sort carries structs along with its keys.',
  run,
};

const classNames = ['a', 'b', 'c'];
const groupSize = 64;

async function run(context: SampleContext): Promise<SampleResult> {
  const full = context.size === 'full';
  const count = full ? 50_000 : 300;
  const places = 2 ** Math.ceil(Math.log2(count));
  // An odd k near the square root of the number of points is the usual advice.
  const k = full ? 223 : 17;

  context.progress(0, `making ${count.toLocaleString('en')} points`);
  // Coordinates are multiples of this. It is coarse at size small, so that some points are equally far away.
  const grid = full ? 1 / 2048 : 1 / 64;
  const points = makePoints(count, grid);
  const unknowns = (full ? [0.3, 0.45, 0.5, 0.58, 0.7] : [0.45, 0.58]).map((x, i): Point => {
    return { x: onGrid(x, grid), y: onGrid(0.35 + 0.08 * i, grid), label: 0 };
  });

  const program = await context.compile(await context.readKernel('nearest-neighbours/nearest-neighbours.cl'));
  const measure = program.kernel('knn_distances');
  const sortPass = program.kernel('knn_bitonic_pass');
  const known = program.buffer(packPoints(points));
  const distances = program.buffer(places * Float32Array.BYTES_PER_ELEMENT);
  const candidates = program.buffer(places * pointBytes);
  const plan = bitonicPlan(places);

  // Everything here is exact, so equality is asked. Coordinates are multiples of 1/2048 (or of 1/64) below
  // one; a squared difference is a whole number below 2^22 over 2^22, and the sum of two fits the 24 bits of
  // a float. Whether the compiler fuses the multiplication and the addition makes no difference then.
  const measured = { milliseconds: 0, wall: 0, cpuMilliseconds: 0 };
  const sorted = { milliseconds: 0, wall: 0, cpuMilliseconds: 0 };
  const measuredOutput = new Float32Array(unknowns.length * count);
  const sortedOutput = new Float32Array(unknowns.length * count);
  let measuredCheck: Check | undefined;
  let sortedCheck: Check | undefined;
  const findings: string[] = [];
  const classified: Point[] = [];

  for (const [i, unknown] of unknowns.entries()) {
    context.progress(0.1 + (0.85 * i) / unknowns.length, `unknown point ${i + 1} of ${unknowns.length}`);
    const packed = packPoints([unknown]);
    const launchMeasure = () =>
      measure({ global: [places], local: [groupSize] }, packed, known, count, distances, candidates);
    const launchSort = () =>
      Promise.all(
        plan.map(({ stage, pass }) =>
          sortPass({ global: [places / 2], local: [groupSize] }, distances, candidates, stage, pass),
        ),
      );

    const measureTime = await timeKernel(context.size, async () => [await launchMeasure()]);
    const unsorted = (await distances.read(Float32Array)).subarray(0, count);
    const sortTime = await timeKernel(context.size, launchSort, launchMeasure);
    const inOrder = (await distances.read(Float32Array)).subarray(0, count);
    const nearest = unpackPoints(await candidates.read(Uint8Array), k);

    const reference = timeReference(context.size, () => distancesReference(unknown, points));
    const order = timeReference(context.size, () => orderReference(reference.result, points));
    const expectedLabels = Array.from(order.result.subarray(0, k), (place) => points[place]!.label);
    const expectedDistances = Float32Array.from(order.result, (place) => reference.result[place]!);

    const labels = nearest.map((point) => point.label);
    const distancesOfNearest = distancesReference(unknown, nearest);
    measuredCheck = both(measuredCheck, checkEqual(unsorted, reference.result));
    sortedCheck = both(sortedCheck, checkEqual(inOrder, expectedDistances));
    // The points must have come along with their distances, and with their labels.
    sortedCheck = both(sortedCheck, checkEqual(distancesOfNearest, expectedDistances.subarray(0, k)));
    sortedCheck = both(sortedCheck, checkEqual(labels, expectedLabels));

    add(measured, measureTime, reference.milliseconds);
    add(sorted, sortTime, order.milliseconds);
    measuredOutput.set(unsorted, i * count);
    sortedOutput.set(inOrder, i * count);
    const label = vote(labels);
    classified.push({ ...unknown, label });
    const tally = classNames.map((name, index) => `${name} ${labels.filter((l) => l === index).length}`);
    findings.push(
      `(${unknown.x.toFixed(2)}, ${unknown.y.toFixed(2)}) is of class ${classNames[label]}: ${tally.join(', ')} of ${k}`,
    );
  }
  program.release();

  const drawing = await context.writeDrawing('nearest-neighbours', draw(points, classified));
  return {
    runs: [
      { kernel: 'knn_distances', ...measured, check: summary(measuredCheck), output: measuredOutput },
      { kernel: 'knn_bitonic_pass', ...sorted, check: summary(sortedCheck), output: sortedOutput },
    ],
    pictures: [drawing],
    findings,
  };

  function summary(check: Check | undefined): Check {
    if (check === undefined) return { ok: false, detail: 'nothing was classified' };
    if (!check.ok) return check;
    return { ok: true, detail: `${unknowns.length} x ${count.toLocaleString('en')} numbers equal` };
  }
}

function both(one: Check | undefined, other: Check): Check {
  return one === undefined ? other : checkBoth(one, other);
}

function add(
  total: { milliseconds: number; wall: number; cpuMilliseconds: number },
  time: { milliseconds: number; wall: number },
  cpuMilliseconds: number,
): void {
  total.milliseconds += time.milliseconds;
  total.wall += time.wall;
  total.cpuMilliseconds += cpuMilliseconds;
}

/** Three clouds that overlap. */
function makePoints(count: number, grid: number): Point[] {
  const random = createRandom(8);
  const centres = [
    { x: 0.35, y: 0.35 },
    { x: 0.65, y: 0.4 },
    { x: 0.5, y: 0.7 },
  ];
  return Array.from({ length: count }, (): Point => {
    const label = random.below(centres.length);
    const centre = centres[label]!;
    const x = onGrid(centre.x + 0.12 * random.bell(), grid);
    const y = onGrid(centre.y + 0.12 * random.bell(), grid);
    return { x, y, label };
  });
}

/** The nearest multiple of the grid from 0 up to, not including, 1. */
function onGrid(value: number, grid: number): number {
  return Math.min(1 / grid - 1, Math.max(0, Math.round(value / grid))) * grid;
}

function draw(points: readonly Point[], classified: readonly Point[]): string {
  const shown = Math.min(points.length, 2500);
  return scatterChart({
    title: 'Unknown points and the class that their neighbours gave them',
    note: `class a blue, b orange, c green; ${shown.toLocaleString('en')} of ${points.length.toLocaleString('en')} known points shown`,
    points: points.slice(0, shown).map((point) => ({ x: point.x, y: point.y, kind: point.label })),
    marks: classified.map((point) => ({ x: point.x, y: point.y, kind: point.label })),
  });
}
