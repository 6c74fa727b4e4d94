/**
 * How long from the source of each measured kernel to its kernels, and to the end of a first run at the small size, on our
 * device and on another build's or the first driver's, in turn. Drivers put much of their compiling off until a kernel is launched (PoCL, all
 * that comes after its front end), so the second figure is the one in which both sides have done the same.
 */
import { type BenchDevice, benchDevices, type FirstRun } from './frame/bench-device.ts';
import { benchKernels } from './kernels/index.ts';
import { median, type Row } from './measure.ts';

const rounds = 3;

/** @param against what our device is compared with; without it the first driver's */
export async function measureKernelBuilds(against?: BenchDevice): Promise<Row[] | string> {
  const [ours, firstDriver] = benchDevices(against ? ['wasm'] : []);
  const driver = against ?? firstDriver;
  if (!ours?.isOurs || !driver) return 'no driver to compare with';
  const rows = benchKernels.map((kernel): Row[] => {
    const benchCase = kernel.prepare('quick');
    const found: FirstRun[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      for (const [side, device] of [ours, driver].entries()) {
        found[side]!.push(device.firstRun(kernel, benchCase));
      }
    }
    const row = (name: string, part: (times: FirstRun) => number): Row => ({
      name: `${kernel.name}${name}`,
      value: median(found[0]!.map(part)),
      unit: 'ms',
      against: { name: driver.name, value: median(found[1]!.map(part)) },
    });
    return [row('', ({ built }) => built), row(', and its first run', ({ ran }) => ran)];
  });
  ours.release();
  if (!against) driver.release();
  return rows.flat();
}
