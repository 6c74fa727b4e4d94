/** clCreateProgramWithBinary (OpenCL 1.2, 5.6.1). */

import {
  deviceBinaryFrontEnd,
  executableFrontEnd,
  linkingFrontEnd,
  type ProgramUnit,
} from '../../build/build-program.ts';
import { isProgramBinary } from '../../build/is-program-binary.ts';
import { BinaryError, type BinaryKind, decodeProgram, moduleSource } from '../../build/program-binary.ts';
import { refusalOf } from '../../runtime/no-memory.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import type { CLDevice } from './platform.ts';
import { CLProgram } from './program.ts';
import { type LoadedBinary, targetDevices } from './program-state.ts';

const types: Readonly<Record<BinaryKind, number>> = {
  object: CL.PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
  library: CL.PROGRAM_BINARY_TYPE_LIBRARY,
  executable: CL.PROGRAM_BINARY_TYPE_EXECUTABLE,
};

/** See CLContext.createProgramWithBinary. */
export function createProgramWithBinary(
  context: CLContext,
  devices: readonly CLDevice[],
  binaries: readonly Uint8Array[],
  binaryStatus: number[] | null | undefined,
): CLProgram {
  if (!Array.isArray(devices)) throw new OpenCLError('CL_INVALID_VALUE', 'there is no list of devices');
  const targets = targetDevices(devices, context.devices, 'context');
  if (!Array.isArray(binaries) || binaries.length !== devices.length) {
    throw new OpenCLError('CL_INVALID_VALUE', 'there must be as many binaries as devices');
  }
  const loaded = new Map<CLDevice, LoadedBinary>();
  const statuses: number[] = [];
  let problem: OpenCLError | undefined;
  devices.forEach((device, index) => {
    try {
      loaded.set(device, load(device, binaries[index]));
      statuses.push(CL.SUCCESS);
    } catch (cause) {
      const error = refusalOf(cause);
      if (!(error instanceof OpenCLError)) throw error;
      statuses.push(error.code);
      problem ??= error;
    }
  });
  if (Array.isArray(binaryStatus)) binaryStatus.splice(0, binaryStatus.length, ...statuses);
  if (problem) throw problem;
  return new CLProgram(context, targets, { kind: 'binary', binaries: loaded });
}

/** @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_BINARY */
function load(device: CLDevice, given: Uint8Array | undefined): LoadedBinary {
  const { addressBits, name } = device.runtime.info;
  if (!(given instanceof Uint8Array) || given.length === 0) {
    throw new OpenCLError('CL_INVALID_VALUE', `the binary for ${name} is empty or no Uint8Array`);
  }
  // The host may change its array afterwards.
  const bytes = given.slice();
  // A driver's own binary, which the driver judges when it builds it.
  if (device.runtime.compilesSource && !isProgramBinary(bytes)) {
    const type = CL.PROGRAM_BINARY_TYPE_EXECUTABLE;
    return { bytes, type, unit: undefined, frontEnd: (options) => deviceBinaryFrontEnd(bytes, options) };
  }
  try {
    const binary = decodeProgram(bytes);
    const read = moduleSource(binary, addressBits);
    const type = types[binary.kind];
    if (binary.kind === 'executable') {
      const frontEnd = (options: string) =>
        executableFrontEnd(read, bytes, options || binary.options, addressBits);
      return { bytes, type, unit: undefined, frontEnd };
    }
    const unit: ProgramUnit = {
      isLibrary: binary.kind === 'library',
      module: read(),
      options: binary.options,
      documentedKernels: new Set(),
    };
    return { bytes, type, unit, frontEnd: () => linkingFrontEnd([unit]) };
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error;
    throw new OpenCLError('CL_INVALID_BINARY', `the binary for ${name}: ${error.message}`);
  }
}
