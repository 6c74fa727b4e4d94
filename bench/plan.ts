/**
 * Does the planner choose what is fastest? Each kernel of the bench runs as planned, one work-item at a time, vectorised, and vectorised
 * with four rows together, each of the latter wherever that is possible; all in turn, in one process. Of the rounds the shortest counts:
 * what differs by a few parts in a hundred is compared, and a neighbour on the machine takes more than that.
 *
 * Sizes are the full ones, which the planner means: what a vector shares counts little next to the start of a launch of some microseconds.
 *
 * Variants that are the same code are one, so that chance does not decide between them.
 */
import { inspect } from 'millrace';
import { BenchDevice, firstDevices, type PreparedCase } from './frame/bench-device.ts';
import type { BenchCase, BenchKernel } from './frame/bench-kernel.ts';
import { measureKernel } from './frame/measure-kernels.ts';
import { benchKernels } from './kernels/index.ts';
import type { Row } from './measure.ts';

/** By what `MILLRACE_VECTORISE` is for it (docs/command-line.md). */
const variants = { planned: '', scalar: '0', vectorised: 'vx1', coarsened: 'vx4' } as const;
type Variant = keyof typeof variants;

/** The planner is right if its choice takes no longer than this part of the time of the fastest. */
const tolerance = 1.05;
const rounds = 15;

/** Builds programs under a wish for vectors. */
class VariantDevice extends BenchDevice {
  readonly variant: Variant;

  constructor(variant: Variant) {
    super(firstDevices()[0], undefined, variant === 'planned' ? 'Millrace' : variant);
    this.variant = variant;
  }

  override prepare(kernel: BenchKernel, benchCase: BenchCase, options: string): PreparedCase {
    // Stays so for the first run, in which what was put off is compiled.
    process.env['MILLRACE_VECTORISE'] = variants[this.variant];
    return super.prepare(kernel, benchCase, options);
  }
}

/** What is executed under each wish, as text that can be compared. */
function codeOf({ source, options: buildOptions = '' }: BenchKernel, variant: Variant): string {
  process.env['MILLRACE_VECTORISE'] = variants[variant];
  const { output, log } = inspect(source, { emit: 'wasm', buildOptions });
  if (output === undefined) throw new Error(log);
  return Buffer.from(output).toString('latin1');
}

export async function measurePlan(): Promise<Row[] | string> {
  const devices = (Object.keys(variants) as Variant[]).map((name) => new VariantDevice(name));
  const rows: Row[] = [];
  let right = 0;
  for (const kernel of benchKernels) {
    const codes = new Map(devices.map(({ variant }) => [variant, codeOf(kernel, variant)]));
    const first = (variant: Variant): Variant =>
      [...codes].find(([, code]) => code === codes.get(variant))![0];
    const different = devices.filter(({ variant }) => first(variant) === variant);
    const {
      name,
      devices: results,
      failures,
    } = measureKernel(kernel, different, {
      size: 'full',
      rounds,
      plainly: true,
    });
    const times = new Map(results.map((result) => [result.device, Math.min(...result.rounds)]));
    const planned = times.get('Millrace');
    if (planned === undefined) throw new Error(`${name}: ${Object.values(failures).join('; ')}`);
    const timeOf = (variant: Variant): number =>
      times.get(first(variant) === 'planned' ? 'Millrace' : first(variant)) ?? Number.POSITIVE_INFINITY;
    const others = devices
      .filter(({ variant }) => variant !== 'planned')
      .map(({ variant }) => ({ variant, time: timeOf(variant), isPlanned: first(variant) === 'planned' }));
    const best = others.reduce((least, one) => (one.time < least.time ? one : least));
    const isRight = planned <= best.time * tolerance;
    if (isRight) right += 1;
    const list = others.map(
      ({ variant, time, isPlanned }) => `${variant} ${isPlanned ? 'as planned' : time.toFixed(3)}`,
    );
    rows.push({
      name,
      value: planned,
      unit: 'ms',
      against: { name: best.variant, value: best.time },
      note: `${isRight ? '' : 'WRONG: '}${list.join(', ')}`,
    });
  }
  delete process.env['MILLRACE_VECTORISE'];
  for (const device of devices) device.release();
  rows.push({
    name: `right in ${right} of ${benchKernels.length}`,
    value: (100 * right) / benchKernels.length,
    unit: '%',
    note: `goal ${Math.ceil(0.9 * benchKernels.length)}: the choice takes no more than ${tolerance} of the time of the fastest`,
  });
  return rows;
}
