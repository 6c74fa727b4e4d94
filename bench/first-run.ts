/**
 * How long large kernels take from their source, never seen, to the end of a first run, on our device and on another build's or the first
 * driver's, in turn. Results are checked before.
 */
import { type BenchDevice, benchDevices } from './frame/bench-device.ts';
import { largeKernels } from './large-kernels.ts';
import { alternate, type Row } from './measure.ts';

const rounds = 7;

/** @param against what our device is compared with; without it the first driver's */
export async function measureFirstRun(against?: BenchDevice): Promise<Row[] | string> {
  const [ours, firstDriver] = benchDevices(against ? ['wasm'] : []);
  if (!ours?.isOurs) throw new Error('there is no device of our own');
  const driver = against ?? firstDriver;
  const sides = driver ? [ours, driver] : [ours];
  const rows: Row[] = [];
  for (const kernel of largeKernels) {
    const benchCase = kernel.prepare('quick');
    for (const device of sides) {
      const prepared = device.prepare(kernel, benchCase, '');
      prepared.run();
      const complaint = prepared.check();
      prepared.release();
      if (complaint !== undefined) throw new Error(`${kernel.name} on ${device.name}: ${complaint}`);
    }
    const [own, other] = await alternate(
      rounds,
      ...sides.map((device) => () => device.firstRun(kernel, benchCase).ran),
    );
    rows.push({
      name: kernel.name,
      value: own!,
      unit: 'ms',
      ...(driver ? { against: { name: driver.name, value: other! } } : {}),
    });
  }
  for (const device of against ? [ours] : sides) device.release();
  return rows;
}
