// A long stream in tiles: while one tile is computed, the host has the next one made and takes the one before.
import { checkEqual } from '../support/checks.ts';
import type { SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { type BrookModule, checkStream, streamOf } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { stepsToOneReference } from './reference.ts';

export const brookTilesSample: StreamSample = {
  name: 'brook-tiles',
  title: 'Tiles, one after another',
  about:
    'Reads, kernels and writes return before they are done, in the order of the calls for each stream. ' +
    'A pipeline of four tiles overlaps what the host prepares with what the device computes.',
  run,
};

const tiles = 4;

async function run(context: StreamContext): Promise<SampleResult> {
  const count = context.size === 'full' ? 1_000_000 : 1_000;
  const length = count / tiles;
  context.progress(0.2, 'reference');
  const reference = timeReference(context.size, () => stepsToOneReference(startsFrom(1, count)));
  context.progress(0.5, 'steps_to_one');
  const module = context.brook(await context.readKernel('brook-tiles/tiles.br'));
  const output = new Int32Array(count);
  let readyEarly = 0;
  const time = await timeCalls(context.size, () => {
    readyEarly = pipeline(module, output, length);
  });
  const whole = await timeCalls(context.size, () => {
    const [from, to] = [
      streamOf(module, 'uint', [count], startsFrom(1, count)),
      module.stream('int', [count]),
    ];
    module.kernels['steps_to_one']!(from, to);
    to.write(new Int32Array(count));
    from.release();
    to.release();
  });
  const check = checkEqual(output, reference.result);
  return {
    runs: [{ kernel: 'steps_to_one', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [
      `in one piece ${whole.wall.toFixed(1)} ms; ${readyEarly} of ${tiles} tiles were ready when the last one was asked for`,
    ],
  };
}

/** All tiles on their way, then all awaited. How many had ended before the first wait. */
function pipeline(module: BrookModule, output: Int32Array, length: number): number {
  const running = Array.from({ length: tiles }, (_, tile) => {
    const [from, to] = [module.stream('uint', [length]), module.stream('int', [length])];
    const part = output.subarray(tile * length, (tile + 1) * length);
    from.read(startsFrom(1 + tile * length, length));
    module.kernels['steps_to_one']!(from, to);
    to.write(part, 'async');
    return { from, to };
  });
  const ready = running.filter(({ to }) => to.isSync()).length;
  for (const { from, to } of running) {
    to.finish();
    checkStream(to);
    from.release();
    to.release();
  }
  return ready;
}

/** Consecutive numbers. */
function startsFrom(first: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, index) => first + index);
}
