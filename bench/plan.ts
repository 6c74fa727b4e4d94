/**
 * Does the planner choose what is fastest? Each kernel of the bench runs as planned, one work-item at a time, vectorised without
 * rows, and with four rows together wherever that is possible; all four in turn, in one process.
 */
import { BenchDevice, firstDevices, type PreparedCase } from './frame/bench-device.ts';
import type { BenchCase, BenchKernel } from './frame/bench-kernel.ts';
import { measureKernel } from './frame/measure-kernels.ts';
import { benchKernels } from './kernels/index.ts';
import type { Row } from './measure.ts';

/** By what `MILLRACE_VECTORISE` is for it (docs/command-line.md). */
const variants = { planned: '', scalar: '0', vectorised: 'x1', coarsened: 'x4' } as const;

/** The planner is right if its choice takes no longer than this part of the time of the fastest. */
const tolerance = 1.05;

/** Builds programs under a wish for vectors. */
class VariantDevice extends BenchDevice {
  readonly #wish: string;

  constructor(name: keyof typeof variants) {
    super(firstDevices()[0], undefined, name === 'planned' ? 'Millrace' : name);
    this.#wish = variants[name];
  }

  override prepare(kernel: BenchKernel, benchCase: BenchCase, options: string): PreparedCase {
    // Stays so for the first run, in which what was put off is compiled.
    process.env['MILLRACE_VECTORISE'] = this.#wish;
    return super.prepare(kernel, benchCase, options);
  }
}

export async function measurePlan(): Promise<Row[] | string> {
  const devices = (Object.keys(variants) as (keyof typeof variants)[]).map((name) => new VariantDevice(name));
  const rows: Row[] = [];
  for (const kernel of benchKernels) {
    const { name, devices: results, failures } = measureKernel(kernel, devices, { size: 'quick', rounds: 9 });
    const planned = results.find(({ device }) => device === 'Millrace');
    const others = results.filter(({ device }) => device !== 'Millrace');
    const best = others.reduce((least, one) => (one.event < least.event ? one : least), others[0]!);
    if (!planned || !best) throw new Error(`${name}: ${Object.values(failures).join('; ')}`);
    const isRight = planned.event <= best.event * tolerance;
    const times = others.map(({ device, event }) => `${device} ${event.toFixed(3)}`).join(', ');
    rows.push({
      name,
      value: planned.event,
      unit: 'ms',
      against: { name: best.device, value: best.event },
      note: `${isRight ? '' : 'WRONG: '}${times}`,
    });
  }
  delete process.env['MILLRACE_VECTORISE'];
  for (const device of devices) device.release();
  return rows;
}
