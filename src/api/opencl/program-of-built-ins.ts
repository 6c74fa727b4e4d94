/** clCreateProgramWithBuiltInKernels (OpenCL 1.2, 5.6.1). */

import { moduleFrontEnd } from '../../build/build-program.ts';
import { builtInKernelNames } from '../../library/index.ts';
import { builtInKernels } from '../../opencl/built-in-kernels.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CLContext } from './context.ts';
import type { CLDevice } from './platform.ts';
import { buildWork, CLProgram } from './program.ts';
import { targetDevices } from './program-state.ts';

/** See CLContext.createProgramWithBuiltInKernels. */
export function createProgramWithBuiltInKernels(
  context: CLContext,
  devices: readonly CLDevice[],
  kernelNames: string,
): CLProgram {
  if (!Array.isArray(devices)) throw new OpenCLError('CL_INVALID_VALUE', 'there is no list of devices');
  const targets = targetDevices(devices, context.devices, 'context');
  if (typeof kernelNames !== 'string') {
    throw new OpenCLError('CL_INVALID_VALUE', 'the names of the kernels are one string');
  }
  const names = new Set(kernelNames.split(';').map((name) => name.trim()));
  for (const name of names) {
    if (builtInKernelNames.includes(name)) continue;
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `there is no built-in kernel '${name}'; there are ${builtInKernelNames.join(', ')}`,
    );
  }
  const program = new CLProgram(context, targets, { kind: 'built-in' });
  const work = buildWork(
    context,
    ({ runtime }) => moduleFrontEnd(() => builtInKernels(names, runtime.info.addressBits), ''),
    new Set(),
    'CL_OUT_OF_RESOURCES',
  );
  try {
    program.fill(targets, '', work);
  } catch (error) {
    program.release();
    throw error;
  }
  return program;
}
