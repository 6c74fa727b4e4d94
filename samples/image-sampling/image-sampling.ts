// Turns, blurs and mirrors the photograph as an image. It goes to the device once in each of two formats: bytes
// that kernels see as 0 to 1, for filters between pixels, and bytes that they see as integers. A few of its pixels,
// much enlarged, show what each kind of sampler answers.
import { bellWeights, convolutionReference } from '../image-filters/reference.ts';
import { checkEqual, checkWithin } from '../support/checks.ts';
import { type DeviceImage, type Launch, roundUp, sampler } from '../support/device.ts';
import type { Check, KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import {
  type ExploredSampler,
  mirrorReference,
  rotateReference,
  samplersReference,
  thinned,
} from './reference.ts';

export const imageSamplingSample: Sample = {
  name: 'image-sampling',
  title: 'Images and samplers',
  about:
    'The photograph as an image: turned by 20 degrees, blurred, and mirrored into a pattern. ' +
    'Samplers answer what is between pixels and what is outside the picture; one picture shows all their kinds.',
  run,
};

interface Step {
  readonly kernel: string;
  readonly picture: string;
  readonly target: DeviceImage;
  launch(): Promise<readonly Launch[]>;
  reference(): Uint8Array;
  check(actual: Uint8Array, expected: Uint8Array): Check;
}

/** Every kind of sampler that says what is outside a picture, each with a cell of so many pixels. */
function samplersToShow([width, height]: readonly [number, number]): readonly ExploredSampler[] {
  const filters = ['nearest', 'linear'] as const;
  const addressings = ['clamp', 'clamp-to-edge', 'repeat', 'mirrored-repeat'] as const;
  return filters.flatMap((filter, row) =>
    addressings.map((addressing, column) => ({
      addressing,
      filter,
      corner: [column * width, row * height] as const,
    })),
  );
}

async function run(context: SampleContext): Promise<SampleResult> {
  context.progress(0, 'reading the photograph');
  const photo = await context.readPhoto();
  const { width, height } = photo;
  const angle = (20 * Math.PI) / 180;
  const direction = [Math.cos(angle), Math.sin(angle)];
  const times = 3;
  const radius = 3;
  const weights = bellWeights(radius);

  const program = await context.compile(await context.readKernel('image-sampling/image-sampling.cl'));
  const colours = program.image({ ...photo, type: 'UNORM_INT8' });
  const bytes = program.image({ ...photo, type: 'UNSIGNED_INT8' });
  const colourTarget = program.image({ width, height, type: 'UNORM_INT8' });
  const byteTarget = program.image({ width, height, type: 'UNSIGNED_INT8' });

  const size = { global: [roundUp(width, 16), roundUp(height, 8)], local: [16, 8] };
  const rotate = program.kernel('rotate_image');
  const convolve = program.kernel('convolve_image');
  const mirror = program.kernel('mirror_image');
  const between = sampler({ filter: 'linear', addressing: 'clamp' });
  const mirrored = sampler({ filter: 'linear', addressing: 'mirrored-repeat', normalized: true });

  const thumbnail = thinned(photo, 24, 16);
  // Multiples of the work-groups' sizes.
  const cellSize = context.size === 'full' ? ([192, 128] as const) : ([48, 32] as const);
  const explored = samplersToShow(cellSize);
  const few = program.image({ ...thumbnail, type: 'UNORM_INT8' });
  const cells = program.image({ width: 4 * cellSize[0], height: 2 * cellSize[1], type: 'UNORM_INT8' });
  const explore = program.kernel('explore_sampler');

  // Graphics cards weigh the four pixels of a linear filter with 8 bits of fraction: half a 256th wrong in each
  // direction, of at most 255, and half a step for rounding; single precision adds far less. That is below 2.
  const nearly = (actual: Uint8Array, expected: Uint8Array): Check => checkWithin(actual, expected, () => 2);
  const steps: readonly Step[] = [
    {
      kernel: 'rotate_image',
      picture: 'image-rotated',
      target: colourTarget,
      launch: async () => [await rotate(size, colours, colourTarget, between, direction)],
      reference: () => rotateReference(photo, direction[0]!, direction[1]!),
      check: nearly,
    },
    {
      // Exact for the reasons given at the image filters.
      kernel: 'convolve_image',
      picture: 'image-convolved',
      target: byteTarget,
      launch: async () => [await convolve(size, bytes, byteTarget, weights, radius)],
      reference: () => convolutionReference(photo, weights, radius),
      check: checkEqual,
    },
    {
      kernel: 'mirror_image',
      picture: 'image-mirrored',
      target: colourTarget,
      launch: async () => [await mirror(size, colours, colourTarget, mirrored, times)],
      reference: () => mirrorReference(photo, times),
      check: nearly,
    },
    {
      kernel: 'explore_sampler',
      picture: 'image-samplers',
      target: cells,
      launch: () => {
        const launches = explored.map(({ addressing, filter, corner }) => {
          const kind = sampler({ addressing, filter, normalized: true });
          return explore({ global: [...cellSize], local: [16, 8] }, few, cells, kind, corner, cellSize);
        });
        return Promise.all(launches);
      },
      reference: () => samplersReference(thumbnail, explored, cellSize, cells.width),
      check: nearly,
    },
  ];

  const runs: KernelRun[] = [];
  const pictures: string[] = [];
  for (const step of steps) {
    context.progress(0.1 + (0.9 * runs.length) / steps.length, `${step.kernel}: reference`);
    const reference = timeReference(context.size, () => step.reference());
    context.progress(0.2 + (0.9 * runs.length) / steps.length, step.kernel);
    const time = await timeKernel(context.size, () => step.launch());
    const output = await step.target.read(Uint8Array);
    runs.push({
      kernel: step.kernel,
      ...time,
      cpuMilliseconds: reference.milliseconds,
      check: step.check(output, reference.result),
      output,
    });
    const { width, height } = step.target;
    pictures.push(await context.writePicture(step.picture, { width, height, data: output }));
  }
  program.release();
  return {
    runs,
    pictures,
    findings: [
      `${width} x ${height} pixels, turned by 20 degrees, mirrored ${times} times`,
      'samplers, from left to right: clamp, clamp to edge, repeat, mirrored repeat; above nearest, below linear',
    ],
  };
}
