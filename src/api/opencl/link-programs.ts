/** clLinkProgram (OpenCL 1.2, 5.6.3): compiled objects and libraries become an executable or a library. */

import { deviceOptions, linkingFrontEnd, type ProgramUnit } from '../../build/build-program.ts';
import { linkOpenCL } from '../../opencl/link.ts';
import { parseLinkOptions } from '../../opencl/link-options.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { checkHandle } from './handle.ts';
import type { CLDevice } from './platform.ts';
import { buildWork, CLProgram, type ProgramCallback } from './program.ts';
import { checkCallback, type Outcome, optionsText, targetDevices, type Work } from './program-state.ts';

/** Linking began and failed: there is a program, of which the log can be asked (OpenCL 1.2, 5.6.3). It is the catcher's to release. */
export class LinkError extends OpenCLError {
  readonly program: CLProgram;

  constructor(program: CLProgram, cause: OpenCLError) {
    super(cause.code, cause.message, { cause });
    this.program = program;
  }
}

/** See CLContext.linkProgram; with `keepsFailed` a failure of the linking itself is a {@link LinkError}. */
export function linkPrograms(
  context: CLContext,
  devices: readonly CLDevice[] | null | undefined,
  options: string | null | undefined,
  inputPrograms: readonly CLProgram[],
  whenFinished: ProgramCallback | undefined,
  keepsFailed = false,
): CLProgram {
  const targets = targetDevices(devices, context.devices, 'context');
  if (!Array.isArray(inputPrograms) || inputPrograms.length === 0) {
    throw new OpenCLError('CL_INVALID_VALUE', 'there is no program to link');
  }
  for (const program of inputPrograms) {
    checkHandle(program, CLProgram, 'CL_INVALID_PROGRAM');
    if (program.context !== context) {
      throw new OpenCLError('CL_INVALID_PROGRAM', 'a program belongs to another context');
    }
  }
  checkCallback(whenFinished);
  const text = optionsText(options);
  const { isLibrary, errors } = parseLinkOptions(text);
  if (errors.length > 0) throw new OpenCLError('CL_INVALID_LINKER_OPTIONS', errors.join('\n'));
  checkFinished(inputPrograms, targets);
  const units = unitsOf(inputPrograms, targets);
  // A device for which no program is compiled takes no part.
  const linked = targets.filter((device) => units.has(device));
  for (const { runtime } of linked) {
    if (runtime.info.linkerAvailable) continue;
    throw new OpenCLError('CL_LINKER_NOT_AVAILABLE', `${runtime.info.name} has no linker`);
  }
  const program = new CLProgram(context, targets, { kind: 'linked' });
  const work = isLibrary ? libraryWork(units) : executableWork(context, units);
  try {
    program.fill(linked, text, work, whenFinished);
  } catch (error) {
    if (keepsFailed && error instanceof OpenCLError && error.name === 'CL_LINK_PROGRAM_FAILURE') {
      throw new LinkError(program, error);
    }
    program.release();
    throw error;
  }
  return program;
}

/** @throws OpenCLError CL_INVALID_OPERATION */
function checkFinished(programs: readonly CLProgram[], targets: readonly CLDevice[]): void {
  for (const { states } of programs) {
    for (const device of targets) {
      if (states.get(device)?.status !== CL.BUILD_IN_PROGRESS) continue;
      throw new OpenCLError('CL_INVALID_OPERATION', 'a program is still being compiled');
    }
  }
}

/**
 * What is linked for each device: of each program its compiled object or library. Devices of which no program has one
 * are left out.
 * @throws OpenCLError CL_INVALID_OPERATION if some programs have one for a device and others have not
 */
function unitsOf(
  programs: readonly CLProgram[],
  targets: readonly CLDevice[],
): Map<CLDevice, readonly ProgramUnit[]> {
  const units = new Map<CLDevice, readonly ProgramUnit[]>();
  for (const device of targets) {
    const found = programs.flatMap(({ states }) => states.get(device)?.unit ?? []);
    if (found.length === 0) continue;
    if (found.length !== programs.length) {
      const { name } = device.runtime.info;
      const number = programs.findIndex(({ states }) => !states.get(device)?.unit) + 1;
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        `program ${number} of the list is neither a compiled object nor a library for ${name}, and others are`,
      );
    }
    units.set(device, found);
  }
  if (units.size === 0) {
    throw new OpenCLError('CL_INVALID_OPERATION', 'no program of the list has been compiled');
  }
  return units;
}

function executableWork(context: CLContext, units: ReadonlyMap<CLDevice, readonly ProgramUnit[]>): Work {
  const workFor = (device: CLDevice): Work => {
    const own = units.get(device)!;
    const frontEnd = linkingFrontEnd(own);
    return buildWork(context, () => frontEnd, documentedKernels(own), 'CL_LINK_PROGRAM_FAILURE');
  };
  return {
    now: (device) => workFor(device).now(device),
    later: (device) => workFor(device).later(device),
  };
}

function libraryWork(units: ReadonlyMap<CLDevice, readonly ProgramUnit[]>): Work {
  const now = (device: CLDevice): Outcome => {
    const own = units.get(device)!;
    const { module, log } = linkOpenCL(
      own.map((unit) => unit.module),
      true,
    );
    if (!module) return { log, error: 'CL_LINK_PROGRAM_FAILURE' };
    const unit: ProgramUnit = {
      isLibrary: true,
      module,
      // For those who link the library.
      options: deviceOptions(own),
      documentedKernels: documentedKernels(own),
    };
    return { unit, log };
  };
  return { now, later: async (device) => now(device) };
}

function documentedKernels(units: readonly ProgramUnit[]): ReadonlySet<string> {
  return new Set(units.flatMap((unit) => [...unit.documentedKernels]));
}
