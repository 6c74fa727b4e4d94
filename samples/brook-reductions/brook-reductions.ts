// What a picture comes down to: three numbers, and a small grey picture of block means.
import { checkEqual } from '../support/checks.ts';
import type { Picture, SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { blockSumsReference, brightnessReference, measuresReference } from './reference.ts';

export const brookReductionsSample: StreamSample = {
  name: 'brook-reductions',
  title: 'Reductions',
  about:
    'The brightness of a photograph is summed up, its maximum found and its bright pixels counted. ' +
    'Reduced to a smaller stream, every block becomes one element: a thumbnail.',
  run,
};

const threshold = 200;

async function run(context: StreamContext): Promise<SampleResult> {
  const block = context.size === 'full' ? 16 : 4;
  const photo = cropped(await context.readPhoto(), block);
  const { width, height } = photo;
  context.progress(0.2, 'reference');
  const numbers = brightnessReference(photo);
  const measures = timeReference(context.size, () => measuresReference(numbers, threshold));
  const blocks = timeReference(context.size, () => blockSumsReference(numbers, width, block));

  context.progress(0.5, 'total, largest, is_bright');
  const module = context.brook(await context.readKernel('brook-reductions/reductions.br'));
  const { kernels, stream } = module;
  const sizes = [width, height];
  const small = [width / block, height / block];
  const pixels = streamOf(module, 'uint', sizes, photo.data);
  const [brightness, bright] = [stream('int', sizes), stream('int', sizes)];
  kernels['brightness_of']!(pixels, brightness);
  const [sum, largest, above] = [new Int32Array(1), new Int32Array(1), new Int32Array(1)];
  const time = await timeCalls(context.size, () => {
    kernels['total']!(brightness, sum);
    kernels['largest']!(brightness, largest);
    kernels['is_bright']!(brightness, threshold, bright);
    kernels['total']!(bright, above);
  });
  const output = Int32Array.of(sum[0]!, largest[0]!, above[0]!);

  context.progress(0.8, 'blocks');
  const [sums, means] = [stream('int', small), stream('uint', small)];
  const blockTime = await timeCalls(context.size, () => {
    kernels['total']!(brightness, sums);
    sums.finish();
  });
  kernels['grey_mean']!(sums, block * block, means);
  const blockSums = contentOf(sums, new Int32Array(blocks.result.length));
  const thumbnail = contentOf(means, new Uint8Array(4 * blocks.result.length));
  for (const one of [pixels, brightness, bright, sums, means]) one.release();
  const [columns = 0, rows = 0] = small;
  const picture = await context.writePicture('brook-thumbnail', {
    width: columns,
    height: rows,
    data: thumbnail,
  });
  return {
    runs: [
      {
        kernel: 'total, largest',
        ...time,
        cpuMilliseconds: measures.milliseconds,
        check: checkEqual(output, measures.result),
        output,
      },
      {
        kernel: 'total of blocks',
        ...blockTime,
        cpuMilliseconds: blocks.milliseconds,
        check: checkEqual(blockSums, blocks.result),
        output: blockSums,
      },
    ],
    pictures: [picture],
    findings: [
      `mean brightness ${(output[0]! / numbers.length).toFixed(1)}, ${output[2]} pixels above ${threshold}`,
    ],
  };
}

/** The upper left part whose sizes are multiples of `block`. */
function cropped({ width, height, data }: Picture, block: number): Picture {
  const [columns, rows] = [width - (width % block), height - (height % block)];
  const part = new Uint8Array(4 * columns * rows);
  for (let y = 0; y < rows; y++) {
    part.set(data.subarray(4 * y * width, 4 * (y * width + columns)), 4 * y * columns);
  }
  return { width: columns, height: rows, data: part };
}
