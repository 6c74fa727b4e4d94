/**
 * How much faster kernels that only compute become with all threads than with one; and how much faster they could, on this machine,
 * now: as many devices of one thread each, which share nothing, run the same kernel all at once, and each takes longer than it does alone.
 * Clocks that fall with the load, processors that are halves of cores, and neighbours slow these down just as they slow a launch;
 * dividing work-groups among threads does not.
 */
import { performance } from 'node:perf_hooks';
import { CL } from 'millrace/opencl';
import { BenchDevice, firstDevices } from './frame/bench-device.ts';
import type { BenchKernel } from './frame/bench-kernel.ts';
import { kernelsCalled } from './frame/kernels-part.ts';
import { median, type Row } from './measure.ts';

/** Kernels that wait for arithmetic only. A name here is exact. */
const names = ['matmul naive', 'sgemm tiled', 'n-body', 'Mandelbrot', 'Black-Scholes', 'MD5 search'];
const rounds = 9;
const warmUpMilliseconds = 200;
/** So long do the devices of one thread each run together, in each round. */
const togetherMilliseconds = 40;

/** Measures each kernel; a text where there is only one thread. */
export async function measureScaling(): Promise<Row[] | string> {
  const [device] = firstDevices();
  const threads = Number(device.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS));
  if (threads < 2) return 'there is only one thread';
  const whole = new BenchDevice(device);
  const parts = device
    .createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 1, 0])
    .map((part) => new BenchDevice(part));
  const rows = kernelsCalled(names).map((kernel) => scalingOf(kernel, whole, parts));
  for (const each of [whole, ...parts]) each.release();
  return rows;
}

/** All in turn, a round at a time: what else the machine does changes within seconds. */
function scalingOf(kernel: BenchKernel, whole: BenchDevice, parts: readonly BenchDevice[]): Row {
  const full = kernel.prepare('full');
  const [all, one] = [whole, parts[0]!].map((device) => device.prepare(kernel, full, '')) as [Case, Case];
  // Small ones: their data fit beside one another.
  const small = kernel.prepare('quick');
  const apart = parts.map((device) => device.prepare(kernel, small, ''));
  for (const each of [all, one, ...apart]) {
    warmUp(each);
    const wrong = each.check();
    if (wrong !== undefined) throw new Error(`${kernel.name}: ${wrong}`);
  }
  const times = { one: [] as number[], all: [] as number[], apart: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.one.push(one.run().event);
    times.all.push(all.run().event);
    const [alone] = mediansOf([apart[0]!]);
    times.apart.push(mediansOf(apart).reduce((sum, time) => sum + alone! / time, 0));
  }
  for (const each of [all, one, ...apart]) each.release();
  const [value, ofOne] = [median(times.all), median(times.one)];
  const ratios = times.one.map((time, round) => time / times.all[round]!);
  const note = `${median(ratios).toFixed(1)} times as fast (${leastAndMost(ratios)})`;
  return {
    name: kernel.name,
    value,
    unit: 'ms',
    against: { name: 'one thread', value: ofOne },
    note: `${note}; ${parts.length} devices of one thread ${median(times.apart).toFixed(1)} (${leastAndMost(times.apart)})`,
  };
}

type Case = ReturnType<BenchDevice['prepare']>;

function leastAndMost(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
}

function warmUp(prepared: Case): void {
  for (const until = performance.now() + warmUpMilliseconds; performance.now() < until; ) prepared.run();
}

/** Lets each run again and again, all at the same time, for a while; each one's median. */
function mediansOf(prepared: readonly Case[]): number[] {
  const one = Math.max(0.01, prepared[0]!.run().event);
  const turns = Math.max(3, Math.ceil(togetherMilliseconds / one));
  const ends = prepared.map((each) => Array.from({ length: turns }, () => each.start()));
  return ends.map((each) => median(each.map((end) => end())));
}
