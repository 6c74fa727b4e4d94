/** The CAL of JavaScript: one for the process, as the libraries of C are. */

import { allDevices } from '../../build/all-devices.ts';
import { environment } from '../../runtime/host.ts';
import type * as C from './constants.ts';
import type { ProgramInfo } from './function-info.ts';
import type { CALcontext, CALfunc, CALmodule } from './structures.ts';
import { CalSystem } from './system.ts';

let chosen: string | undefined;

export const system = new CalSystem({
  devices: allDevices,
  get chosen() {
    return chosen ?? environment('MILLRACE_CAL_DEVICES');
  },
});

/**
 * Says which devices the next calInit finds: parts of their names with commas between (`HD 4870, interpreter`), in the order in
 * which they are to be; undefined for all. The variable MILLRACE_CAL_DEVICES does the same from outside. Not a function of CAL.
 */
export function calChooseDevices(names: string | undefined): void {
  chosen = names;
}

/** The name of a device, for people: CALdeviceinfo has none. Not a function of CAL. */
export function calDeviceName(ordinal: number): [C.CALresult, string] {
  return output('', () => system.deviceKind(ordinal).name);
}

/** What a program takes of the device: more than calModuleGetFuncInfo has room for. Not a function of CAL. */
export function calProgramInfo(
  context: CALcontext,
  module: CALmodule,
  func: CALfunc,
): [C.CALresult, ProgramInfo | undefined] {
  return output<ProgramInfo | undefined>(undefined, () => system.modules.programInfo(context, module, func));
}

/** A result and one output, which is `none` if the function fails. */
export function output<T>(none: T, call: () => T): [C.CALresult, T] {
  let value = none;
  const result = system.run(() => {
    value = call();
  });
  return [result, value];
}
