/**
 * What `#pragma OPENCL EXTENSION` has switched on and off in a program so far. It matters for the types that OpenCL C has by an
 * extension alone: double before version 1.2 (OpenCL 1.1, 9.3), and half (OpenCL 1.2, 9.6 of the extensions).
 *
 * A double that no pragma has switched on is accepted, as by clang and by drivers; one behind `disable` is not. A half must be
 * switched on before version 1.2.
 */
import type { Diagnostics } from '../../source/diagnostics.ts';
import type { OpenCLVersion } from './options.ts';

const states = new WeakMap<Diagnostics, Map<string, boolean>>();
const types = ['cl_khr_fp64', 'cl_khr_fp16'];

/** Notes what a pragma says; `all` can only be disabled. */
export function switchExtension(diagnostics: Diagnostics, name: string, behaviour: string): void {
  const isOn = behaviour === 'enable' || behaviour === 'begin';
  let state = states.get(diagnostics);
  if (state === undefined) {
    state = new Map();
    states.set(diagnostics, state);
  }
  for (const type of name === 'all' ? types : [name]) state.set(type, isOn);
}

/** Whether a program may use double here, if the device has it. */
export function mayUseDouble(diagnostics: Diagnostics, version: OpenCLVersion): boolean {
  return version >= 120 || states.get(diagnostics)?.get('cl_khr_fp64') !== false;
}

/** The same for half. */
export function mayUseHalf(diagnostics: Diagnostics, version: OpenCLVersion): boolean {
  return states.get(diagnostics)?.get('cl_khr_fp16') ?? version >= 120;
}
