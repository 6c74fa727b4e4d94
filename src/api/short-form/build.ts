/** Building a program for the short form: loaded when something is first compiled. */
import type { OpenDevice } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { type BuildResult, binaryFrontEnd, buildFromAsync } from '../build-program.ts';
import { BinaryError } from '../program-binary.ts';
import type { CompileOptions } from './short-form.ts';

/** `reader` is the module that reads OpenCL C, which is loaded only for this. */
export function programFromSource(
  device: OpenDevice,
  source: string,
  { options = '', strict, check, name, files }: CompileOptions,
  reader: typeof import('../source-front-end.ts'),
): Promise<BuildResult> {
  const buildOptions = `${options}${(strict ?? check) ? ' -millrace-strict' : ''}`;
  const input = { source, options: buildOptions, name, files };
  return buildFromAsync(reader.sourceFrontEnd(input, device.device), device);
}

/** @throws OpenCLError CL_INVALID_BINARY */
export function programFromBinary(
  device: OpenDevice,
  binary: Uint8Array,
  { options = '', strict, check, name = 'the binary' }: CompileOptions,
): Promise<BuildResult> {
  const buildOptions = `${options}${(strict ?? check) ? ' -millrace-strict' : ''}`;
  try {
    const frontEnd = binaryFrontEnd(binary, buildOptions, device.device.info.addressBits);
    return buildFromAsync(frontEnd, device);
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error;
    throw new OpenCLError('CL_INVALID_BINARY', `${name}: ${error.message}`);
  }
}
