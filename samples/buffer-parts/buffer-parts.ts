// Makes a puzzle of the photograph without a kernel, by copies of rectangles from one buffer to another; then
// colours three stretches of it, each of which its launch knows only as a buffer of its own. It uses the whole
// OpenCL API, as the short form has neither.
import { checkEqual } from '../support/checks.ts';
import { CL, type CLContext, CLEvent, type Launch, launchOf, roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { type Move, type Part, puzzleReference, tintReference } from './reference.ts';

export const bufferPartsSample: Sample = {
  name: 'buffer-parts',
  title: 'Rectangles and parts of buffers',
  about:
    'Cuts the photograph into tiles and shuffles them, by copies of rectangles alone; then colours three stretches of it. ' +
    'A rectangle has an origin, a size and the pitch of its rows; a sub-buffer is a part of a buffer with the rights of a whole one.',
  run,
};

const colours = [
  [200, 60, 60, 255],
  [60, 180, 90, 255],
  [70, 90, 220, 255],
] as const;

async function run(context: SampleContext): Promise<SampleResult> {
  context.progress(0, 'reading the photograph');
  const photo = await context.readPhoto();
  const { width, height } = photo;
  const tiles = context.size === 'full' ? ([12, 8] as const) : ([4, 3] as const);
  const tile = [Math.floor(width / tiles[0]), Math.floor(height / tiles[1])] as const;
  const moves = shuffled(tiles);
  const opencl = context.openContext();
  try {
    const parts = thirds(opencl, width * height);
    const shuffledPhoto = puzzleReference(photo, moves, tile);
    const reference = timeReference(context.size, () => tintReference(shuffledPhoto, parts));

    context.progress(0.4, 'tint_part');
    const queue = opencl.createCommandQueue(undefined, CL.QUEUE_PROFILING_ENABLE);
    const source = opencl.createBuffer(
      CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR,
      photo.data.length,
      photo.data,
    );
    const target = opencl.createBuffer(CL.MEM_READ_WRITE, photo.data.length);
    const program = opencl.createProgram(await context.readKernel('buffer-parts/buffer-parts.cl'));
    program.build();
    const kernel = program.createKernel('tint_part');

    const puzzle = async (): Promise<void> => {
      queue.enqueueFillBuffer(target, Uint8Array.of(0), 0, photo.data.length);
      const size = [tile[0] * 4, tile[1], 1];
      const pitch = width * 4;
      for (const { from, to } of moves) {
        // Origins count bytes along a row, and rows.
        const [a, b] = [from, to].map(([x, y]) => [x * tile[0] * 4, y * tile[1], 0]);
        queue.enqueueCopyBufferRect(source, target, a!, b!, size, pitch, 0, pitch, 0);
      }
      await queue.finished();
    };
    const tint = async (): Promise<readonly Launch[]> => {
      const events = parts.map(({ first, count, colour }) => {
        const part = target.createSubBuffer(CL.MEM_READ_WRITE, first * 4, count * 4);
        kernel.setArg(0, part);
        kernel.setArg(1, Uint32Array.of(count));
        kernel.setArg(2, Uint8Array.from(colour));
        const event = new CLEvent();
        queue.enqueueNDRangeKernel(kernel, 1, null, [roundUp(count, 64)], [64], null, event);
        // The launch keeps the part until it ends.
        part.release();
        return event;
      });
      return Promise.all(events.map(launchOf));
    };
    const time = await timeKernel(context.size, tint, puzzle);

    const output = new Uint8Array(photo.data.length);
    const read = new CLEvent();
    queue.enqueueReadBuffer(target, false, 0, output.length, output, null, read);
    await read.done;
    return {
      runs: [
        {
          kernel: 'tint_part',
          ...time,
          cpuMilliseconds: reference.milliseconds,
          check: checkEqual(output, reference.result),
          output,
        },
      ],
      pictures: [await context.writePicture('buffer-parts', { width, height, data: output })],
      findings: [
        `${moves.length} tiles of ${tile[0]} x ${tile[1]} pixels, moved by as many copies of rectangles`,
        `3 sub-buffers, of ${parts.map(({ count }) => count).join(', ')} pixels`,
      ],
    };
  } finally {
    opencl.releaseAll();
  }
}

/** Every tile goes to another's place. */
function shuffled([columns, rows]: readonly [number, number]): Move[] {
  const random = createRandom(2013);
  const places = Array.from({ length: columns * rows }, (_, index) => index);
  for (let last = places.length - 1; last > 0; last--) {
    const other = random.below(last);
    [places[last], places[other]] = [places[other]!, places[last]!];
  }
  const placeOf = (index: number) => [index % columns, Math.floor(index / columns)] as const;
  return places.map((to, from) => ({ from: placeOf(from), to: placeOf(to) }));
}

/** Three parts of the pixels. A sub-buffer begins where the device allows it (CL_DEVICE_MEM_BASE_ADDR_ALIGN, in bits). */
function thirds(opencl: CLContext, pixelCount: number): Part[] {
  const bits = Math.max(
    ...opencl.devices.map((device) => Number(device.getInfo(CL.DEVICE_MEM_BASE_ADDR_ALIGN))),
  );
  const step = bits / 8 / 4;
  const starts = [0, 1, 2].map((part) => roundUp(Math.floor((pixelCount * part) / 3), step));
  return starts.map((first, part) => ({
    first,
    count: (starts[part + 1] ?? pixelCount) - first,
    colour: colours[part]!,
  }));
}
