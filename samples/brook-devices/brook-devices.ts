// One picture by several devices: strips lie on a pile, and each device takes the next one when it is done with the last.
import type { Check, SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { checkStream, type Stream } from '../support/streams.ts';
import { timeCalls, timeReference } from '../support/timing.ts';
import { escapeTimesReference } from './reference.ts';

export const brookDevicesSample: StreamSample = {
  name: 'brook-devices',
  title: 'Several devices',
  about:
    'The Mandelbrot set in strips that all devices take from one pile, the fast one more of them than the slow one. ' +
    'Streams and kernels belong to a device; isSync() tells the host who is free.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  const [width, strips, rows] = context.size === 'full' ? [768, 144, 4] : [24, 4, 4];
  const height = strips * rows;
  const scale = 3 / width;
  const corner = [-2.1, -(height * scale) / 2].map(Math.fround) as [number, number];
  const exact = Math.fround(scale);
  context.progress(0.1, 'reference');
  const reference = timeReference(context.size, () => escapeTimesReference(width, height, exact, corner));

  context.progress(0.3, 'escape_times');
  const source = await context.readKernel('brook-devices/devices.br');
  const output = new Int32Array(width * height);
  let shares: readonly number[] = [];
  const time = await timeCalls(context.size, async () => {
    const pile = Array.from({ length: strips }, (_, strip) => strip * rows);
    const workers = context.streamDevices.map((device) => {
      const module = context.brook(source, { device });
      return { module, strip: module.stream('int', [width, rows]), isBusy: false, done: 0, top: 0 };
    });
    while (pile.length > 0 || workers.some(({ isBusy }) => isBusy)) {
      for (const worker of workers) {
        if (worker.isBusy && !worker.strip.isSync()) continue;
        if (worker.isBusy) worker.done++;
        const top = pile.pop();
        worker.isBusy = top !== undefined;
        if (top === undefined) continue;
        worker.module.kernels['escape_times']!(top, exact, corner, worker.strip);
        worker.strip.write(output.subarray(top * width, (top + rows) * width), 'async');
      }
      // Devices that share this thread go on meanwhile.
      await new Promise((resolve) => setTimeout(resolve));
    }
    for (const { strip } of workers) giveBack(strip);
    shares = workers.map(({ done }) => done);
  });
  const names = context.streamDevices.map(({ name }) => name);
  return {
    runs: [
      {
        kernel: 'escape_times',
        ...time,
        cpuMilliseconds: reference.milliseconds,
        check: checkMostly(output, reference.result),
        output,
      },
    ],
    pictures: [await context.writePicture('brook-devices', pictureOf(output, width, height))],
    findings: [shares.map((share, index) => `${share} strips by ${names[index]}`).join(', ')],
  };
}

function giveBack(strip: Stream): void {
  checkStream(strip);
  strip.release();
}

/**
 * Where a product and a sum are rounded once (which OpenCL allows) orbits that are close to the border may escape at another turn:
 * one pixel of two hundred is let off.
 */
function checkMostly(actual: Int32Array, expected: Int32Array): Check {
  const wrong = actual.reduce((count, value, index) => count + (value === expected[index] ? 0 : 1), 0);
  const detail = `${actual.length.toLocaleString('en')} numbers, ${wrong} differ by rounding`;
  return { ok: wrong <= actual.length / 200, detail };
}

function pictureOf(turns: Int32Array, width: number, height: number) {
  const data = new Uint8Array(4 * turns.length);
  for (const [index, turn] of turns.entries()) {
    const shade = turn === 255 ? 0 : Math.min(255, 40 + 6 * turn);
    data.set([shade >> 2, shade >> 1, shade, 255], 4 * index);
  }
  return { width, height, data };
}
