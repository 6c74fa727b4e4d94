// Filters the photograph five ways. The source goes to the device once; every filter writes a picture.
import { checkEqual } from '../support/checks.ts';
import { type DeviceBuffer, type Launch, roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, Picture, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import {
  bellWeights,
  brightnessReference,
  convolutionReference,
  meanReference,
  medianReference,
  sobelReference,
} from './reference.ts';

export const imageFiltersSample: Sample = {
  name: 'image-filters',
  title: 'Image filters',
  about:
    'Brightness, mean, Gaussian, median and Sobel filters on the photograph, one work-item for each pixel. ' +
    'The median gets a copy with wrong pixels sprinkled over it, and takes them out again.',
  run,
};

/** One filter: its kernel, its reference and the picture it works on. */
interface Filter {
  readonly kernel: string;
  readonly picture: string;
  readonly source: Picture;
  launch(target: DeviceBuffer): Promise<Launch>;
  reference(): Uint8Array;
}

async function run(context: SampleContext): Promise<SampleResult> {
  context.progress(0, 'reading the photograph');
  const photo = await context.readPhoto();
  const { width, height } = photo;
  const speckled = sprinkle(photo);
  const radius = 3;
  const weights = bellWeights(radius);

  const program = await context.compile(await context.readKernel('image-filters/image-filters.cl'));
  const photoBuffer = program.buffer(photo.data);
  const speckledBuffer = program.buffer(speckled.data);
  const weightBuffer = program.buffer(weights);
  const target = program.buffer(photo.data.byteLength);

  const size = { global: [roundUp(width, 16), roundUp(height, 8)], local: [16, 8] };
  const brightness = program.kernel('brightness_filter');
  const mean = program.kernel('mean_filter');
  const convolution = program.kernel('convolution_filter');
  const median = program.kernel('median_filter');
  const sobel = program.kernel('sobel_filter');

  // Why equality is asked of each, although two use single precision:
  // - brightness, mean and median compute with whole numbers.
  // - the convolution's weights are whole numbers over 4096, so each partial sum is a whole number below 2^20
  //   over 4096 and fits a float exactly; so does the half that is added for rounding.
  // - Sobel takes the root of a whole number m, exact as a float. Rounding the root can go wrong only near k
  //   + 1/2 with k < 255 (beyond, it saturates); (k + 1/2)^2 is a quarter away from any whole number, so the
  //   root is at least 1/4 / 511 = 4.8e-4 from k + 1/2. OpenCL's sqrt errs by at most 3 ulp and the sum by
  //   half a one: 5.4e-5.
  const filters: readonly Filter[] = [
    ...[70, -70].map((change) => ({
      kernel: 'brightness_filter',
      picture: change > 0 ? 'filter-brighter' : 'filter-darker',
      source: photo,
      launch: (to: DeviceBuffer) => brightness(size, photoBuffer, to, width, height, change),
      reference: () => brightnessReference(photo, change),
    })),
    {
      kernel: 'mean_filter',
      picture: 'filter-mean',
      source: photo,
      launch: (to) => mean(size, photoBuffer, to, width, height, radius),
      reference: () => meanReference(photo, radius),
    },
    {
      kernel: 'convolution_filter',
      picture: 'filter-gaussian',
      source: photo,
      launch: (to) => convolution(size, photoBuffer, to, width, height, weightBuffer, radius),
      reference: () => convolutionReference(photo, weights, radius),
    },
    {
      kernel: 'median_filter',
      picture: 'filter-median',
      source: speckled,
      launch: (to) => median(size, speckledBuffer, to, width, height),
      reference: () => medianReference(speckled),
    },
    {
      kernel: 'sobel_filter',
      picture: 'filter-sobel',
      source: photo,
      launch: (to) => sobel(size, photoBuffer, to, width, height),
      reference: () => sobelReference(photo),
    },
  ];

  const runs: KernelRun[] = [];
  const pictures = [await context.writePicture('filter-speckled', speckled)];
  for (const filter of filters) {
    context.progress(0.1 + (0.9 * runs.length) / filters.length, `${filter.kernel}: reference`);
    const reference = timeReference(context.size, () => filter.reference());
    context.progress(0.2 + (0.9 * runs.length) / filters.length, filter.kernel);
    const time = await timeKernel(context.size, async () => [await filter.launch(target)]);
    const output = await target.read(Uint8Array);
    runs.push({
      kernel: filter.kernel,
      ...time,
      cpuMilliseconds: reference.milliseconds,
      check: checkEqual(output, reference.result),
      output,
    });
    pictures.push(await context.writePicture(filter.picture, { width, height, data: output }));
  }
  program.release();
  return { runs, pictures, findings: [`${width} x ${height} pixels, windows of 7 x 7 and 3 x 3`] };
}

/** A copy in which one pixel in fifty is black or white. */
function sprinkle(photo: Picture): Picture {
  const random = createRandom(4);
  const data = photo.data.slice();
  for (let i = 0; i < data.length; i += 4) {
    const draw = random.below(100);
    if (draw < 2) data.fill(draw === 0 ? 0 : 255, i, i + 3);
  }
  return { width: photo.width, height: photo.height, data };
}
