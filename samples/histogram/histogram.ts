// Counts the colours of the photograph with four kernels and draws the result.
import { histogramChart } from '../support/charts.ts';
import { checkEqual } from '../support/checks.ts';
import { type DeviceBuffer, type Launch, local } from '../support/device.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { addPartials, counterCount, histogramReference } from './reference.ts';

export const histogramSample: Sample = {
  name: 'histogram',
  title: 'Colour histogram',
  about:
    'Counts how often each value of red, green and blue occurs in the photograph. ' +
    'Four ways to let many work-items raise the same counters: counters for each, atomic ones for a group, groups cut to fit the device, and rectangles of an image.',
  run,
};

/** One way to count: what to launch, how many work-groups that makes, and where their counts go. */
interface Way {
  readonly kernel: string;
  readonly groups: number;
  launch(groups: number, partial: DeviceBuffer): Promise<Launch>;
}

async function run(context: SampleContext): Promise<SampleResult> {
  context.progress(0, 'reading the photograph');
  const photo = await context.readPhoto();
  const pixelCount = photo.width * photo.height;
  const reference = timeReference(context.size, () => histogramReference(photo.data));

  const program = await context.compile(await context.readKernel('histogram/histogram.cl'));
  const pixels = program.buffer(photo.data);
  const naive = program.kernel('histogram_naive');
  const atomic = program.kernel('histogram_atomic');
  const pixelsPerItem = program.kernel('histogram_pixels_per_item');

  // Sixteen sets of counters are 24 KiB, within the 32 KiB of local memory that every device has.
  const naiveSize = 16;
  const naiveCounters = local(naiveSize * counterCount * Uint16Array.BYTES_PER_ELEMENT);
  const naivePixels = context.size === 'full' ? 256 : 7;

  const atomicSize = 256;
  const atomicPixels = 256;

  // Four groups for each compute unit: enough that none waits long for the last one.
  const wantedGroups = 4 * context.computeUnits;
  const share = Math.ceil(pixelCount / (wantedGroups * atomicSize));

  const image = program.image({ ...photo, type: 'UNSIGNED_INT8' });
  const imageKernel = program.kernel('histogram_image');
  const tile = 16;
  const tiles = context.size === 'full' ? [4, 4] : [1, 2];
  const imageGroups = [photo.width, photo.height].map((size, axis) =>
    Math.ceil(size / (tile * tiles[axis]!)),
  );

  const ways: readonly Way[] = [
    {
      kernel: 'histogram_naive',
      groups: Math.ceil(pixelCount / (naiveSize * naivePixels)),
      launch: (groups, partial) =>
        naive(
          { global: [groups * naiveSize], local: [naiveSize] },
          pixels,
          pixelCount,
          naivePixels,
          naiveCounters,
          partial,
        ),
    },
    {
      kernel: 'histogram_atomic',
      groups: Math.ceil(pixelCount / (atomicSize * atomicPixels)),
      launch: (groups, partial) =>
        atomic({ global: [groups * atomicSize], local: [atomicSize] }, pixels, pixelCount, partial),
    },
    {
      kernel: 'histogram_pixels_per_item',
      groups: Math.ceil(pixelCount / (atomicSize * share)),
      launch: (groups, partial) =>
        pixelsPerItem(
          { global: [groups * atomicSize], local: [atomicSize] },
          pixels,
          pixelCount,
          share,
          partial,
        ),
    },
    {
      kernel: 'histogram_image',
      groups: imageGroups[0]! * imageGroups[1]!,
      launch: (_, partial) =>
        imageKernel(
          { global: imageGroups.map((groups) => groups * tile), local: [tile, tile] },
          image,
          tiles,
          partial,
        ),
    },
  ];

  const runs: KernelRun[] = [];
  for (const way of ways) {
    context.progress(0.3 + 0.2 * runs.length, way.kernel);
    const partial = program.buffer(way.groups * counterCount * Uint32Array.BYTES_PER_ELEMENT);
    const time = await timeKernel(context.size, async () => [await way.launch(way.groups, partial)]);
    const output = addPartials(await partial.read(Uint32Array));
    partial.release();
    runs.push({
      kernel: way.kernel,
      ...time,
      cpuMilliseconds: reference.milliseconds,
      // Counts are whole numbers, so nothing but equality will do.
      check: checkEqual(output, reference.result),
      output,
    });
  }
  program.release();

  context.progress(0.95, 'drawing');
  const drawing = await context.writeDrawing('histogram', histogramChart(reference.result));
  return { runs, pictures: [drawing], findings: [`${pixelCount.toLocaleString('en')} pixels counted`] };
}
