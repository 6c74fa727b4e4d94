// The one place where the samples take hold of Millrace: mostly through its short form (compile a source, call a
// kernel like a function, await it), where that is not enough through the OpenCL API.
import { compile, devices, local, requestDevice, sampler } from 'millrace';
import { CL, type CLContext, CLEvent, createContext, getPlatforms } from 'millrace/opencl';

export { CL, type CLContext, CLEvent, compile, devices, local, requestDevice, sampler };

/** One of {@link devices}. */
export type Device = ReturnType<typeof devices>[number];
/** A compiled source on a device. */
export type Program = Awaited<ReturnType<typeof compile>>;
/** A kernel, called as `kernel({ global, local }, ...args)`. */
export type Kernel = ReturnType<Program['kernel']>;
/** Memory of the device. */
export type DeviceBuffer = ReturnType<Program['buffer']>;
/** An image of the device. */
export type DeviceImage = ReturnType<Program['image']>;
/** When a launch was queued, submitted, started, ended and complete, in nanoseconds. */
export type Launch = Awaited<ReturnType<Kernel>>;

/** How long a launch ran on the device, with all that it led to, in milliseconds. */
export function deviceMilliseconds(launch: Launch): number {
  return Number(launch.completed - launch.started) / 1e6;
}

/**
 * The smallest multiple of `step` that holds `count`: a launch must be made of whole work-groups, so it is
 * rounded up and the kernel skips what lies past the end.
 */
export function roundUp(count: number, step: number): number {
  return Math.ceil(count / step) * step;
}

/** An OpenCL context on the device of that name; on the default device without one. */
export function contextOn(name?: string): CLContext {
  if (name === undefined) return createContext();
  // CL_DEVICE_TYPE_ALL is without those that run no ordinary program, which the interpreter counts among.
  const types = CL.DEVICE_TYPE_CPU | CL.DEVICE_TYPE_GPU | CL.DEVICE_TYPE_ACCELERATOR | CL.DEVICE_TYPE_CUSTOM;
  const all = getPlatforms().flatMap((platform) => platform.getDevices(types));
  const device = all.find((candidate) => candidate.getInfo(CL.DEVICE_NAME) === name);
  if (!device) throw new Error(`OpenCL has no device '${name}'`);
  return createContext(device);
}

/** The times of a command of the OpenCL API, once it has ended. */
export async function launchOf(event: CLEvent): Promise<Launch> {
  await event.done;
  const [queued, submitted, started, ended, completed] = [
    CL.PROFILING_COMMAND_QUEUED,
    CL.PROFILING_COMMAND_SUBMIT,
    CL.PROFILING_COMMAND_START,
    CL.PROFILING_COMMAND_END,
    CL.PROFILING_COMMAND_COMPLETE,
  ].map((which) => event.getProfilingInfo(which));
  return {
    queued: queued!,
    submitted: submitted!,
    started: started!,
    ended: ended!,
    completed: completed!,
  };
}
