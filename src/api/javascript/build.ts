/** Building a program for the short form: loaded when something is first compiled. */
import { type BuildResult, buildFromAsync } from '../../build/build-program.ts';
import { withParts } from '../../parts/part.ts';
import { rest } from '../../parts/rest.ts';
import type { OpenDevice } from '../../runtime/device.ts';
import { environment, machineModule } from '../../runtime/host.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CompileOptions } from './compile.ts';

/** `reader` is the module that reads OpenCL C, which is loaded only for this. */
export async function programFromSource(
  device: OpenDevice,
  source: string,
  { name, files, ...options }: CompileOptions,
  reader: typeof import('../../build/source-front-end.ts'),
): Promise<BuildResult> {
  await loadNearRest();
  const input = { source, options: buildOptions(options), name, files };
  return buildFromAsync(await withParts(() => reader.sourceFrontEnd(input, device.device)), device);
}

/**
 * `reader` is the module that reads binaries, which is loaded only for this.
 * @throws OpenCLError CL_INVALID_BINARY
 */
export async function programFromBinary(
  device: OpenDevice,
  binary: Uint8Array,
  { name = 'the binary', ...options }: CompileOptions,
  reader: typeof import('./binary.ts'),
): Promise<BuildResult> {
  // What reads binaries does not wait for anything.
  await Promise.all([rest.ir.load(), loadNearRest()]);
  try {
    const { addressBits } = device.device.info;
    const frontEnd = await withParts(() => reader.binaryFrontEnd(binary, buildOptions(options), addressBits));
    return await buildFromAsync(frontEnd, device);
  } catch (error) {
    if (!(error instanceof reader.BinaryError)) throw error;
    throw new OpenCLError('CL_INVALID_BINARY', `${name}: ${error.message}`);
  }
}

/** Whether Millrace's files lie on a disk: in Node. MILLRACE_REST=apart has tests load what a page does. */
function filesAreNear(): boolean {
  return machineModule('node:fs') !== undefined && environment('MILLRACE_REST') !== 'apart';
}

/** Where files lie on a disk the rest of the compiler is loaded at once: kernels can then be compiled when they are first launched. */
async function loadNearRest(): Promise<void> {
  if (filesAreNear()) await Promise.all([rest.frontEnd.load(), rest.backEnd.load()]);
}

/** As clBuildProgram takes them. */
function buildOptions({ options, strict, check, budget }: CompileOptions): string {
  const words = options ? [options] : [];
  if (strict ?? check) words.push('-millrace-strict');
  if (budget !== undefined) words.push(`-millrace-budget=${budget}`);
  return words.join(' ');
}
