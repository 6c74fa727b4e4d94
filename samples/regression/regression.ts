// Fits a line and a parabola to clouds of a million points. The kernels reduce each cloud to one vector of
// sums per work-group; what is left fits on the back of an envelope.
import { type Curve, scatterChart } from '../support/charts.ts';
import { checkBoth, checkWithin } from '../support/checks.ts';
import { local, type Program, roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { addPartialSums, fitLine, fitParabola } from './fit.ts';
import { linearSumsReference, parabolicSumsReference } from './reference.ts';

export const regressionSample: Sample = {
  name: 'regression',
  title: 'Linear and parabolic regression',
  about:
    'Finds the line and the parabola that come nearest to a million noisy points. ' +
    'Each work-group adds up its points as a tree in local memory, and the host solves what remains.',
  run,
};

/** Points, as one array for each coordinate: that is how neighbouring work-items read neighbouring numbers. */
interface Cloud {
  readonly xs: Float32Array;
  readonly ys: Float32Array;
}

/** One kind of curve to fit. `width` is how many sums there are for a point. */
interface Model {
  readonly kernel: string;
  readonly drawing: string;
  readonly title: string;
  readonly width: number;
  readonly cloud: Cloud;
  reference(): Float64Array;
  fit(sums: ArrayLike<number>): readonly number[];
}

const groupSize = 256;

async function run(context: SampleContext): Promise<SampleResult> {
  const count = context.size === 'full' ? 1_000_003 : 1_003;
  context.progress(0, `making ${count.toLocaleString('en')} points, twice`);
  const nearLine = makeCloud(count, 6, (x) => 1.5 + 0.75 * x);
  const nearParabola = makeCloud(count, 7, (x) => 3 + 0.5 * x - 1.25 * x * x);

  const models: readonly Model[] = [
    {
      kernel: 'linear_sums',
      drawing: 'regression-line',
      title: 'Line of least squares',
      width: 4,
      cloud: nearLine,
      reference: () => linearSumsReference(nearLine.xs, nearLine.ys),
      fit: (sums) => fitLine(count, sums),
    },
    {
      kernel: 'parabolic_sums',
      drawing: 'regression-parabola',
      title: 'Parabola of least squares',
      width: 8,
      cloud: nearParabola,
      reference: () => parabolicSumsReference(nearParabola.xs, nearParabola.ys),
      fit: (sums) => fitParabola(count, sums),
    },
  ];

  const program = await context.compile(await context.readKernel('regression/regression.cl'));
  const runs: KernelRun[] = [];
  const pictures: string[] = [];
  const findings: string[] = [];
  for (const model of models) {
    context.progress(0.3 + 0.35 * runs.length, model.kernel);
    const { run, coefficients } = await runModel(context, program, model);
    runs.push(run);
    findings.push(`${model.kernel}: ${formula(coefficients)}`);
    pictures.push(await context.writeDrawing(model.drawing, draw(model, coefficients)));
  }
  program.release();
  return { runs, pictures, findings };
}

async function runModel(
  context: SampleContext,
  program: Program,
  model: Model,
): Promise<{ run: KernelRun; coefficients: readonly number[] }> {
  const { xs, ys } = model.cloud;
  const reference = timeReference(context.size, () => model.reference());

  const kernel = program.kernel(model.kernel);
  const vectorBytes = model.width * Float32Array.BYTES_PER_ELEMENT;
  const groups = Math.ceil(xs.length / groupSize);
  const xBuffer = program.buffer(xs);
  const yBuffer = program.buffer(ys);
  const partial = program.buffer(groups * vectorBytes);
  const time = await timeKernel(context.size, async () => [
    await kernel(
      { global: [roundUp(xs.length, groupSize)], local: [groupSize] },
      xBuffer,
      yBuffer,
      xs.length,
      local(groupSize * vectorBytes),
      partial,
    ),
  ]);
  const output = await partial.read(Float32Array);
  for (const buffer of [xBuffer, yBuffer, partial]) buffer.release();

  const sums = addPartialSums(output, model.width);
  const coefficients = model.fit(sums);

  // A term takes at most three roundings to make (x^4) and passes through the eight rounds of the tree, each
  // rounding off at most 2^-24 of its value. So a sum errs by at most 11 * 2^-24 (and a little, for products
  // of errors) of the sum of its terms' sizes. The host's own sums are in double precision and hardly count.
  const sizes = termSizes(model.cloud, model.width);
  const sumCheck = checkWithin(sums, reference.result, (i) => 11.01 * 2 ** -24 * sizes[i]!);
  // The equations magnify relative errors by no more than their condition number, about 10 for x spread
  // evenly over -2 to 2. With errors of 7e-7 on both sides of the equations and coefficients up to 3 that is
  // 4e-5.
  const fitCheck = checkWithin(coefficients, model.fit(reference.result), () => 1e-4);

  const check = checkBoth(sumCheck, fitCheck);
  const run = { kernel: model.kernel, ...time, cpuMilliseconds: reference.milliseconds, check, output };
  return { run, coefficients };
}

/** Points spread evenly over -2 to 2, near a curve. */
function makeCloud(count: number, seed: number, curve: (x: number) => number): Cloud {
  const random = createRandom(seed);
  const xs = new Float32Array(count);
  const ys = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const x = Math.fround(random.between(-2, 2));
    xs[i] = x;
    ys[i] = curve(x) + 0.4 * random.bell();
  }
  return { xs, ys };
}

/** The sums of the terms' sizes: what the sums would be if no term were negative. */
function termSizes(cloud: Cloud, width: number): Float64Array {
  const xs = cloud.xs.map(Math.abs);
  const ys = cloud.ys.map(Math.abs);
  return width === 4 ? linearSumsReference(xs, ys) : parabolicSumsReference(xs, ys);
}

function formula(coefficients: readonly number[]): string {
  const powers = ['', ' x', ' x^2'];
  const terms = coefficients.map((value, power) => {
    const sign = value < 0 ? '-' : '+';
    return `${power === 0 && value >= 0 ? '' : `${sign} `}${Math.abs(value).toFixed(4)}${powers[power]}`;
  });
  return `y = ${terms.join(' ')}`;
}

function draw(model: Model, coefficients: readonly number[]): string {
  const shown = Math.min(model.cloud.xs.length, 1500);
  const points = Array.from({ length: shown }, (_, i) => ({
    x: model.cloud.xs[i]!,
    y: model.cloud.ys[i]!,
    kind: 0,
  }));
  const curve: Curve = (x) => coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
  return scatterChart({
    title: `${model.title}: ${formula(coefficients)}`,
    note: `${shown.toLocaleString('en')} of ${model.cloud.xs.length.toLocaleString('en')} points shown`,
    points,
    curve,
  });
}
