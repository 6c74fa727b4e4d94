// Segments the photograph: from each seed a region grows as far as the brightness stays near the seed's.
import { checkEqual } from '../support/checks.ts';
import type { Launch } from '../support/device.ts';
import type { Picture, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { regionsReference } from './reference.ts';

export const regionGrowingSample: Sample = {
  name: 'region-growing',
  title: 'Region growing, step by step on the device',
  needs: 'kernels that launch kernels',
  about:
    'Segments the photograph into regions of similar brightness around two dozen seeds. ' +
    'Each step launches the next one, as large as what it has gained, without the host.',
  run,
};

const tolerance = 26;

async function run(context: SampleContext): Promise<SampleResult> {
  const photo = await context.readPhoto();
  const { width, height } = photo;
  const light = brightness(photo);
  // Seeds in a row and in a column.
  const [across, down] = context.size === 'full' ? [6, 4] : [2, 1];
  const seeds = Array.from({ length: across * down }, (_, i) => {
    const x = Math.floor((((i % across) + 0.5) * width) / across);
    const y = Math.floor(((Math.floor(i / across) + 0.5) * height) / down);
    return y * width + x;
  });
  const reference = timeReference(context.size, () => regionsReference(light, width, seeds, tolerance));

  const program = await context.compile(
    await context.readKernel('region-growing/region-growing.cl'),
    '-cl-std=CL2.0',
  );
  program.deviceQueue();
  const grow = program.kernel('grow_region');
  const pixels = program.buffer(light);
  const labels = program.buffer(light.length * 4);
  const fronts = program.buffer(light.length * 8);
  const counts = program.buffer(8);
  context.progress(0.4, 'grow_region');
  const time = await timeKernel(
    context.size,
    () =>
      Promise.all(
        seeds.map(
          (seed, index): Promise<Launch> =>
            grow({ global: [1] }, pixels, width, height, seed, tolerance, index + 1, labels, fronts, counts),
        ),
      ),
    () => labels.write(new Int32Array(light.length)),
  );
  const output = await labels.read(Int32Array);
  program.release();
  const regions = new Set(output);
  regions.delete(0);
  return {
    runs: [
      {
        kernel: 'grow_region',
        ...time,
        cpuMilliseconds: reference.milliseconds,
        check: checkEqual(output, reference.result),
        output,
      },
    ],
    pictures: [await context.writePicture('region-growing', painted(photo, output))],
    findings: [`${regions.size} regions from ${seeds.length} seeds`],
  };
}

/** Brightness from 0 to 255, as the eye weighs red, green and blue. */
function brightness({ data }: Picture): Uint8Array {
  const light = new Uint8Array(data.length / 4);
  for (let i = 0; i < light.length; i++) {
    light[i] = (77 * data[4 * i]! + 150 * data[4 * i + 1]! + 29 * data[4 * i + 2]!) >> 8;
  }
  return light;
}

/** The picture with every region in a colour of its own, mixed with what is there; the rest dark. */
function painted(photo: Picture, labels: Int32Array): Picture {
  const data = new Uint8Array(photo.data.length);
  labels.forEach((label, i) => {
    const share = label === 0 ? 0 : 0.5;
    for (let channel = 0; channel < 3; channel++) {
      // Angles apart on a circle of colours.
      const colour = 128 + 127 * Math.cos(label * 2.4 + channel * 2.1);
      data[4 * i + channel] = 0.45 * photo.data[4 * i + channel]! + share * colour;
    }
    data[4 * i + 3] = 255;
  });
  return { width: photo.width, height: photo.height, data };
}
