/** What a program is on each of its devices, and the work that changes it: builds, compilations, links. */

import type { FrontEnd, ProgramUnit } from '../../build/build-program.ts';
import type { DeviceProgram } from '../../runtime/device.ts';
import { later } from '../../runtime/host.ts';
import { refusalOf } from '../../runtime/no-memory.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { CLDevice } from './platform.ts';

/** A program that kernels can be made from. */
export interface Executable {
  readonly program: DeviceProgram;
  /** What it was built from, for its binary. */
  readonly frontEnd: FrontEnd;
  /** The kernels whose arguments clGetKernelArgInfo tells about. */
  readonly documentedKernels: ReadonlySet<string> | 'all';
}

/** A binary that a program was made from, for one device. */
export interface LoadedBinary {
  readonly bytes: Uint8Array;
  /** CL_PROGRAM_BINARY_TYPE */
  readonly type: number;
  /** What a build makes an executable of. */
  frontEnd(options: string): FrontEnd;
  /** If it is a compiled object or a library. */
  readonly unit: ProgramUnit | undefined;
}

/** What a program is on one device. */
export interface DeviceState {
  /** CL_PROGRAM_BUILD_STATUS */
  status: number;
  options: string;
  log: string;
  executable: Executable | undefined;
  unit: ProgramUnit | undefined;
  /** Of a program made from binaries. */
  readonly loaded: LoadedBinary | undefined;
}

/** What came of the work for one device: one of `executable` and `unit`, or an error with a log. */
export interface Outcome {
  readonly executable?: Executable | undefined;
  readonly unit?: ProgramUnit | undefined;
  readonly log: string;
  /** Set if the work failed. */
  readonly error?: StatusName | undefined;
}

/** Work for one device: `now` may block, `later` does not. */
export interface Work {
  now(device: CLDevice): Outcome;
  later(device: CLDevice): Promise<Outcome>;
}

export type States = ReadonlyMap<CLDevice, DeviceState>;

/** The states of a program that no device has built yet. */
export function newStates(
  devices: readonly CLDevice[],
  binaries: ReadonlyMap<CLDevice, LoadedBinary> = new Map(),
): Map<CLDevice, DeviceState> {
  const states = new Map<CLDevice, DeviceState>();
  for (const device of devices) {
    const loaded = binaries.get(device);
    states.set(device, {
      status: CL.BUILD_NONE,
      options: '',
      log: '',
      executable: undefined,
      unit: loaded?.unit,
      loaded,
    });
  }
  return states;
}

/** CL_PROGRAM_BINARY_TYPE */
export function binaryType({ executable, unit, loaded }: DeviceState): number {
  if (executable) return CL.PROGRAM_BINARY_TYPE_EXECUTABLE;
  if (!unit) return loaded?.type ?? CL.PROGRAM_BINARY_TYPE_NONE;
  return unit.isLibrary ? CL.PROGRAM_BINARY_TYPE_LIBRARY : CL.PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

/** Gives up what devices hold of a program. */
export function releaseStates(states: States): void {
  for (const state of states.values()) state.executable?.program.release();
}

/**
 * The devices a call names, without repetitions; all of them if it names none.
 * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_DEVICE
 */
export function targetDevices(
  devices: readonly CLDevice[] | null | undefined,
  allowed: readonly CLDevice[],
  owner: string,
): readonly CLDevice[] {
  if (devices === null || devices === undefined) return allowed;
  if (!Array.isArray(devices) || devices.length === 0) {
    throw new OpenCLError('CL_INVALID_VALUE', 'the list of devices is empty');
  }
  for (const device of devices) {
    if (!(device instanceof CLDevice) || !allowed.includes(device)) {
      throw new OpenCLError('CL_INVALID_DEVICE', `a device in the list is not one of the ${owner}`);
    }
  }
  return [...new Set(devices as readonly CLDevice[])];
}

/** @throws OpenCLError CL_INVALID_VALUE */
export function checkCallback(callback: unknown): void {
  if (callback !== undefined && callback !== null && typeof callback !== 'function') {
    throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
  }
}

/** @throws OpenCLError CL_INVALID_VALUE */
export function optionsText(options: unknown): string {
  if (options === undefined || options === null) return '';
  if (typeof options === 'string') return options;
  throw new OpenCLError('CL_INVALID_VALUE', 'the options are one string');
}

/** @throws OpenCLError CL_INVALID_OPERATION */
export function checkIdle(states: States, devices: readonly CLDevice[]): void {
  for (const device of devices) {
    if (states.get(device)?.status !== CL.BUILD_IN_PROGRESS) continue;
    throw new OpenCLError('CL_INVALID_OPERATION', 'a build of the program for this device is under way');
  }
}

/**
 * Does work for devices. With a callback it returns at once, the work begins in a later turn of the event loop, and the
 * callback is called when it has ended for all devices. Without one the first failure ends it.
 * @throws OpenCLError the outcome's error, with its log
 */
export function perform(
  states: States,
  devices: readonly CLDevice[],
  options: string,
  work: Work,
  whenFinished: (() => void) | undefined,
): void {
  for (const device of devices) {
    const state = states.get(device)!;
    state.executable?.program.release();
    Object.assign(state, {
      status: CL.BUILD_IN_PROGRESS,
      options,
      log: '',
      executable: undefined,
      unit: undefined,
    });
  }
  if (whenFinished) {
    const all = devices.map(async (device) => {
      await new Promise<void>(later);
      finish(states.get(device)!, await work.later(device).catch(crashed));
    });
    void Promise.all(all).then(() => whenFinished());
    return;
  }
  for (const device of devices) {
    let outcome: Outcome;
    try {
      outcome = work.now(device);
    } catch (cause) {
      const error = refusalOf(cause);
      abandon(states, devices, states.get(device)!, crashed(error));
      throw error;
    }
    if (outcome.error) {
      abandon(states, devices, states.get(device)!, outcome);
      throw new OpenCLError(outcome.error, outcome.log);
    }
    finish(states.get(device)!, outcome);
  }
}

function finish(state: DeviceState, { executable, unit, log, error }: Outcome): void {
  state.status = error ? CL.BUILD_ERROR : CL.BUILD_SUCCESS;
  Object.assign(state, { log, executable, unit });
}

/** One device failed; those that come after it are not tried. */
function abandon(states: States, devices: readonly CLDevice[], failed: DeviceState, outcome: Outcome): void {
  finish(failed, { log: outcome.log, error: outcome.error ?? 'CL_OUT_OF_HOST_MEMORY' });
  for (const device of devices) {
    const state = states.get(device)!;
    if (state.status === CL.BUILD_IN_PROGRESS) state.status = CL.BUILD_NONE;
  }
}

function crashed(error: unknown): Outcome {
  const said = refusalOf(error);
  const log = said instanceof Error ? said.message : String(said);
  return { log, error: 'CL_OUT_OF_HOST_MEMORY' };
}

/** The device as it is open in the context. */
export function opened(context: CLContext, device: CLDevice) {
  return context.runtime.opened(device.runtime);
}
