// The one place where the samples take hold of Millrace, through its short form: compile a source, call a
// kernel like a function, await it.
import { compile, devices, local, sampler } from 'millrace';

export { compile, devices, local, sampler };

/** A compiled source on a device. */
export type Program = Awaited<ReturnType<typeof compile>>;
/** A kernel, called as `kernel({ global, local }, ...args)`. */
export type Kernel = ReturnType<Program['kernel']>;
/** Memory of the device. */
export type DeviceBuffer = ReturnType<Program['buffer']>;
/** An image of the device. */
export type DeviceImage = ReturnType<Program['image']>;
/** When a launch was queued, submitted, started and ended, in nanoseconds. */
export type Launch = Awaited<ReturnType<Kernel>>;

/** How long a launch ran on the device, in milliseconds. */
export function deviceMilliseconds(launch: Launch): number {
  return Number(launch.ended - launch.started) / 1e6;
}

/**
 * The smallest multiple of `step` that holds `count`: a launch must be made of whole work-groups, so it is
 * rounded up and the kernel skips what lies past the end.
 */
export function roundUp(count: number, step: number): number {
  return Math.ceil(count / step) * step;
}
