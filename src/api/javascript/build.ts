/** Building a program for the short form: loaded when something is first compiled. */

import { type BuildResult, buildFromAsync } from '../../build/build-program.ts';
import type { OpenDevice } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CompileOptions } from './compile.ts';

/** `reader` is the module that reads OpenCL C, which is loaded only for this. */
export function programFromSource(
  device: OpenDevice,
  source: string,
  { name, files, ...options }: CompileOptions,
  reader: typeof import('../../build/source-front-end.ts'),
): Promise<BuildResult> {
  const input = { source, options: buildOptions(options), name, files };
  return buildFromAsync(reader.sourceFrontEnd(input, device.device), device);
}

/**
 * `reader` is the module that reads binaries, which is loaded only for this.
 * @throws OpenCLError CL_INVALID_BINARY
 */
export function programFromBinary(
  device: OpenDevice,
  binary: Uint8Array,
  { name = 'the binary', ...options }: CompileOptions,
  reader: typeof import('./binary.ts'),
): Promise<BuildResult> {
  try {
    const frontEnd = reader.binaryFrontEnd(binary, buildOptions(options), device.device.info.addressBits);
    return buildFromAsync(frontEnd, device);
  } catch (error) {
    if (!(error instanceof reader.BinaryError)) throw error;
    throw new OpenCLError('CL_INVALID_BINARY', `${name}: ${error.message}`);
  }
}

/** As clBuildProgram takes them. */
function buildOptions({ options, strict, check, budget }: CompileOptions): string {
  const words = options ? [options] : [];
  if (strict ?? check) words.push('-millrace-strict');
  if (budget !== undefined) words.push(`-millrace-budget=${budget}`);
  return words.join(' ');
}
