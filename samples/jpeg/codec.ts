// JPEG with a device: the host reads and writes files (read-file.ts, write-file.ts), kernels do the blocks and the pixels.
import { type DeviceBuffer, type Launch, type Program, roundUp } from '../support/device.ts';
import type { Picture } from '../support/sample.ts';
import type { JpegComponent, JpegFile } from './read-file.ts';
import { quantisationFor } from './tables.ts';

export interface EncodeOptions {
  /** 1 to 100. */
  readonly quality: number;
  /** `4:2:0` has a fourth of the samples of colour. */
  readonly sampling: '4:4:4' | '4:2:0' | 'grey';
  /** Units of the scan between restart markers; default none. */
  readonly restartInterval?: number;
}

/** Luminance and the differences to blue and red, of red, green, blue and 1. */
export const componentWeights = [
  [0.299, 0.587, 0.114, 0],
  [-0.168736, -0.331264, 0.5, 128],
  [0.5, -0.418688, -0.081312, 128],
] as const;

/** What a picture's components will be, with coefficients of 0. */
export function emptyFile({ width, height }: Picture, options: EncodeOptions): JpegFile {
  const { quality, sampling, restartInterval = 0 } = options;
  const [luma, chroma] = quantisationFor(quality);
  const factor = sampling === '4:2:0' ? 2 : 1;
  const [unitsWide, unitsHigh] = [Math.ceil(width / (8 * factor)), Math.ceil(height / (8 * factor))];
  const component = (own: number, quantisation: Uint16Array): JpegComponent => {
    const [blocksWide, blocksHigh] = [unitsWide * own, unitsHigh * own];
    const coefficients = new Int16Array(blocksWide * blocksHigh * 64);
    return { across: own, down: own, quantisation, blocksWide, blocksHigh, coefficients };
  };
  const first = component(factor, luma);
  const components = sampling === 'grey' ? [first] : [first, component(1, chroma), component(1, chroma)];
  return { width, height, components, restartInterval };
}

/** How many pixels one sample of a component stands for, across and down. */
export function shrinkOf({ components }: JpegFile, { across, down }: JpegComponent): [number, number] {
  const most = (of: 'across' | 'down'): number => Math.max(...components.map((one) => one[of]));
  return [most('across') / across, most('down') / down];
}

const blockRange = ({ blocksWide, blocksHigh }: JpegComponent) => ({
  global: [roundUp(blocksWide, 8), roundUp(blocksHigh, 4)],
  local: [8, 4],
});

/** Computes the coefficients of a picture into those of a file. */
export async function encodeOn(
  program: Program,
  pixels: DeviceBuffer,
  file: JpegFile,
): Promise<readonly Launch[]> {
  const kernel = program.kernel('encode_blocks');
  const launches: Launch[] = [];
  for (const [index, component] of file.components.entries()) {
    const { quantisation, coefficients, blocksWide, blocksHigh } = component;
    const steps = program.buffer(quantisation);
    const target = program.buffer(coefficients.byteLength);
    const weights = componentWeights[index]!;
    const shrink = shrinkOf(file, component);
    launches.push(
      await kernel(
        blockRange(component),
        pixels,
        file.width,
        file.height,
        [...weights],
        shrink,
        steps,
        target,
        blocksWide,
        blocksHigh,
      ),
    );
    coefficients.set(await target.read(Int16Array));
    steps.release();
    target.release();
  }
  return launches;
}

/** Computes a file's planes of samples. */
export async function decodePlanes(
  program: Program,
  { components }: JpegFile,
): Promise<{ readonly planes: readonly DeviceBuffer[]; readonly launches: readonly Launch[] }> {
  const kernel = program.kernel('decode_blocks');
  const planes: DeviceBuffer[] = [];
  const launches: Launch[] = [];
  for (const component of components) {
    const { quantisation, coefficients, blocksWide, blocksHigh } = component;
    const [source, steps] = [program.buffer(coefficients), program.buffer(quantisation)];
    const plane = program.buffer(coefficients.length);
    planes.push(plane);
    launches.push(await kernel(blockRange(component), source, steps, plane, blocksWide, blocksHigh));
    source.release();
    steps.release();
  }
  return { planes, launches };
}

/** Makes pixels of planes. */
export function combineOn(
  program: Program,
  file: JpegFile,
  planes: readonly DeviceBuffer[],
  target: DeviceBuffer,
): Promise<Launch> {
  const { width, height, components } = file;
  const [luma, chroma = luma] = components as readonly [JpegComponent, ...JpegComponent[]];
  const [first, second = first, third = first] = planes as readonly [DeviceBuffer, ...DeviceBuffer[]];
  const pitches = [0, 1, 2].map((index) => (components[index] ?? luma).blocksWide * 8);
  return program.kernel('combine_planes')(
    { global: [roundUp(width, 16), roundUp(height, 8)], local: [16, 8] },
    first,
    second,
    third,
    target,
    width,
    height,
    pitches,
    shrinkOf(file, luma),
    shrinkOf(file, chroma),
    components.length,
  );
}

/** A file's picture. */
export async function decodeOn(program: Program, file: JpegFile): Promise<Picture> {
  const { width, height } = file;
  const { planes } = await decodePlanes(program, file);
  const target = program.buffer(width * height * 4);
  await combineOn(program, file, planes, target);
  const data = await target.read(Uint8Array);
  for (const buffer of [...planes, target]) buffer.release();
  return { width, height, data };
}
