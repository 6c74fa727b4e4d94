/** Building a program of a binary: loaded, with the verifier of what binaries hold, when the first is compiled. */
import {
  type BuildResult,
  buildFromAsync,
  executableFrontEnd,
  type FrontEnd,
  linkingFrontEnd,
} from '../../build/build-program.ts';
import { BinaryError, decodeProgram, moduleSource } from '../../build/program-binary.ts';
import { withParts } from '../../parts/part.ts';
import { rest } from '../../parts/rest.ts';
import type { OpenDevice } from '../../runtime/device.ts';
import { refusalOf } from '../../runtime/no-memory.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { buildOptions, filesAreNear } from './build-options.ts';
import type { CompileOptions } from './compile.ts';

/** @throws OpenCLError CL_INVALID_BINARY */
export async function programFromBinary(
  device: OpenDevice,
  binary: Uint8Array,
  { name = 'the binary', ...options }: CompileOptions,
): Promise<BuildResult> {
  // What reads binaries does not wait for anything.
  await Promise.all([rest.ir.load(), filesAreNear() ? rest.backEnd.load() : undefined]);
  try {
    const { addressBits } = device.device.info;
    const frontEnd = await withParts(() => binaryFrontEnd(binary, buildOptions(options), addressBits));
    return await buildFromAsync(frontEnd, device);
  } catch (error) {
    if (!(error instanceof BinaryError)) throw refusalOf(error);
    throw new OpenCLError('CL_INVALID_BINARY', `${name}: ${error.message}`);
  }
}

/**
 * The front end for a binary.
 * @throws BinaryError if it holds no valid program for the address width
 */
function binaryFrontEnd(bytes: Uint8Array, options: string, addressBits: 32 | 64): FrontEnd {
  const binary = decodeProgram(bytes);
  const read = moduleSource(binary, addressBits);
  if (binary.kind === 'executable')
    return executableFrontEnd(read, bytes, options || binary.options, addressBits);
  const isLibrary = binary.kind === 'library';
  return linkingFrontEnd([{ isLibrary, module: read(), options, documentedKernels: new Set() }]);
}
