// A photograph in sepia: three kernels in a row, whose streams stay on the device.
import { checkEqual } from '../support/checks.ts';
import type { SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { contentOf, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { sepiaReference } from './reference.ts';

export const brookVectorConstructorsSample: StreamSample = {
  name: 'brook-vector-constructors',
  title: 'Vectors in kernels',
  about:
    'A photograph becomes sepia: pixels are taken apart to vectors, weighted and put together again. ' +
    'Vectors are made of scalars, scalars taken out of vectors by swizzles.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const photo = await context.readPhoto();
  const { width, height, data } = photo;
  context.progress(0.2, 'reference');
  const reference = timeReference(context.size, () => sepiaReference(photo));

  context.progress(0.5, 'unpack, tone, repack');
  const module = context.brook(await context.readKernel('brook-vector-constructors/vector-constructors.br'));
  const { kernels, stream } = module;
  const sizes = [width, height];
  const pixels = streamOf(module, 'uint', sizes, data);
  const [colours, toned, result] = [stream('int4', sizes), stream('int4', sizes), stream('uint', sizes)];
  const time = await timeCalls(context.size, () => {
    kernels['unpack']!(pixels, colours);
    kernels['tone']!(colours, toned);
    kernels['repack']!(toned, result);
    result.finish();
  });
  const output = contentOf(result, new Uint8Array(data.length));
  for (const one of [pixels, colours, toned, result]) one.release();
  const check = checkEqual(output, reference.result);
  const picture = await context.writePicture('brook-sepia', { width, height, data: output });
  return {
    runs: [{ kernel: 'tone', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [picture],
    findings: [],
  };
}
