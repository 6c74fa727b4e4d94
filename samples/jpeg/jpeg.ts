// The photograph as a JPEG file and back. The device transforms blocks and makes pixels; the host, which has the rest, writes the file in
// code words and reads it again.
import { checkWithin } from '../support/checks.ts';
import type { DeviceBuffer } from '../support/device.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { combineOn, decodePlanes, emptyFile, encodeOn } from './codec.ts';
import { readJpeg } from './read-file.ts';
import { coefficientsReference, pixelsReference, planeReference, signalToNoise } from './reference.ts';
import { writeJpeg } from './write-file.ts';

export const jpegSample: Sample = {
  name: 'jpeg',
  title: 'JPEG',
  about:
    'Encodes the photograph as a baseline JPEG file and decodes it again: the transforms, the colours and the ' +
    'sampling on the device, a work-item for a block or a pixel, the code words on the host.',
  run,
};

const quality = 85;

// What is compared has been rounded from sums in single precision, the reference's from sums in double: where a sum lies within their
// difference of a half they may round to neighbours. Sums are of magnitude below 2^12 (coefficients before quantisation, at most 1024
// times eight) with some thirty roundings, so they differ by less than 30 * 2^12 * 2^-24 = 0.0074.
const half = 0.5 + 0.0074;

async function run(context: SampleContext): Promise<SampleResult> {
  context.progress(0, 'reading the photograph');
  const photo = await context.readPhoto();
  const program = await context.compile(await context.readKernel('jpeg/jpeg.cl'));
  const runs: KernelRun[] = [];

  context.progress(0.1, 'encode_blocks');
  const file = emptyFile(photo, { quality, sampling: '4:2:0', restartInterval: 64 });
  const source = program.buffer(photo.data);
  const encoding = await timeKernel(context.size, () => encodeOn(program, source, file));
  const coefficients = joined(
    file.components.map((component) => component.coefficients),
    Int16Array,
  );
  context.progress(0.2, 'encode_blocks: reference');
  const expected = timeReference(context.size, () =>
    file.components.map((_, index) => coefficientsReference(photo, file, index)),
  );
  runs.push({
    kernel: 'encode_blocks',
    ...encoding,
    cpuMilliseconds: expected.milliseconds,
    check: checkWithin(coefficients, joined(expected.result, Float64Array), () => half),
    output: coefficients,
  });

  context.progress(0.5, 'writing and reading the file');
  const bytes = writeJpeg(file);
  const read = readJpeg(bytes);

  context.progress(0.6, 'decode_blocks');
  let planes: readonly DeviceBuffer[] = [];
  const decoding = await timeKernel(context.size, async () => {
    for (const plane of planes) plane.release();
    const made = await decodePlanes(program, read);
    planes = made.planes;
    return made.launches;
  });
  const samples = await Promise.all(planes.map((plane) => plane.read(Uint8Array)));
  const expectedPlanes = timeReference(context.size, () => read.components.map(planeReference));
  const allSamples = joined(samples, Uint8Array);
  runs.push({
    kernel: 'decode_blocks',
    ...decoding,
    cpuMilliseconds: expectedPlanes.milliseconds,
    check: checkWithin(allSamples, joined(expectedPlanes.result, Float64Array), () => half),
    output: allSamples,
  });

  context.progress(0.8, 'combine_planes');
  const target = program.buffer(photo.data.byteLength);
  const combining = await timeKernel(context.size, async () => [
    await combineOn(program, read, planes, target),
  ]);
  const output = await target.read(Uint8Array);
  const expectedPixels = timeReference(context.size, () => pixelsReference(read, samples));
  runs.push({
    kernel: 'combine_planes',
    ...combining,
    cpuMilliseconds: expectedPixels.milliseconds,
    check: checkWithin(output, expectedPixels.result, () => half),
    output,
  });
  program.release();

  const { width, height } = photo;
  const decoded = { width, height, data: output };
  const bits = ((bytes.length * 8) / (width * height)).toFixed(2);
  return {
    runs,
    pictures: [await context.writePicture('jpeg', decoded)],
    findings: [
      `quality ${quality}, 4:2:0: ${bytes.length.toLocaleString('en')} bytes, ${bits} bits a pixel`,
      `${signalToNoise(photo, decoded).toFixed(1)} dB to the photograph`,
    ],
  };
}

/** Arrays one behind the other, in one of the given kind. */
function joined<Kind extends Int16Array | Uint8Array | Float64Array>(
  parts: readonly Kind[],
  make: new (length: number) => Kind,
): Kind {
  const all = new make(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
