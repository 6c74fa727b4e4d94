/** The functions of the extensions (guide, B.4), and those that ask for them. */
import type { HostBytes } from '../../runtime/device-memory.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import type * as C from './constants.ts';
import { arrayGiven, listed } from './error.ts';
import { checkProcedure, notSupported, supportedExtension } from './extensions.ts';
import { output, system } from './process-system.ts';
import {
  calCtxRunProgramGrid,
  calCtxRunProgramGridArray,
  calModuleGetFuncInfo,
} from './runtime-functions.ts';
import type * as S from './structures.ts';

type Result = C.CALresult;

/** A function of an extension. */
export type CALextproc = (...args: never[]) => unknown;

/** OK or NOT_SUPPORTED. */
export function calExtSupported(extid: C.CALextid): Result {
  return calledByProgram('CAL', 'calExtSupported', [extid], () => {
    return system.run(() => {
      system.checkReady();
      supportedExtension(extid);
    });
  });
}

/** Major and minor. NOT_SUPPORTED. */
export function calExtGetVersion(extid: C.CALextid): [Result, number, number] {
  return calledByProgram('CAL', 'calExtGetVersion', [extid], () => {
    const [result, version] = output([0, 0] as const, () => {
      system.checkReady();
      return supportedExtension(extid).version;
    });
    return [result, version[0], version[1]];
  });
}

/** A function by its name. NOT_SUPPORTED if the extension or the function is not there. */
export function calExtGetProc(extid: C.CALextid, procName: string): [Result, CALextproc | undefined] {
  return calledByProgram('CAL', 'calExtGetProc', [extid, procName], () => {
    return output<CALextproc | undefined>(undefined, () => {
      system.checkReady();
      checkProcedure(extid, procName);
      return procedures()[procName];
    });
  });
}

/** There is no Direct3D: NOT_SUPPORTED; BAD_HANDLE for a device that is not open. */
export function calD3D9Associate(device: S.CALdevice, _d3dDevice: unknown): Result {
  return calledByProgram('CAL', 'calD3D9Associate', [device, _d3dDevice], () => withoutDirect3D(device));
}

/** As {@link calD3D9Associate}. */
export function calD3D9MapSurface(
  device: S.CALdevice,
  _surface: unknown,
  _shareHandle: unknown,
): [Result, S.CALresource] {
  return calledByProgram('CAL', 'calD3D9MapSurface', [device, _surface, _shareHandle], () => [
    withoutDirect3D(device),
    0,
  ]);
}

/** As {@link calD3D9Associate}. */
export function calD3D10Associate(device: S.CALdevice, _d3dDevice: unknown): Result {
  return calledByProgram('CAL', 'calD3D10Associate', [device, _d3dDevice], () => withoutDirect3D(device));
}

/** As {@link calD3D9Associate}. */
export function calD3D10MapResource(
  device: S.CALdevice,
  _resource: unknown,
  _shareHandle: unknown,
): [Result, S.CALresource] {
  return calledByProgram('CAL', 'calD3D10MapResource', [device, _resource, _shareHandle], () => [
    withoutDirect3D(device),
    0,
  ]);
}

function withoutDirect3D(device: S.CALdevice): Result {
  return system.run(() => {
    system.checkDevice(device);
    throw notSupported('Direct3D');
  });
}

/** BAD_HANDLE; INVALID_PARAMETER for a type that there is not. */
export function calCtxCreateCounter(context: S.CALcontext, type: C.CALcountertype): [Result, S.CALcounter] {
  return calledByProgram('CAL', 'calCtxCreateCounter', [context, type], () =>
    output(0, () => system.extensions.createCounter(context, type)),
  );
}

/** BAD_HANDLE; BUSY between begin and end. */
export function calCtxDestroyCounter(context: S.CALcontext, counter: S.CALcounter): Result {
  return calledByProgram('CAL', 'calCtxDestroyCounter', [context, counter], () =>
    system.run(() => system.extensions.destroyCounter(context, counter)),
  );
}

/** BAD_HANDLE; ALREADY if it was begun. */
export function calCtxBeginCounter(context: S.CALcontext, counter: S.CALcounter): Result {
  return calledByProgram('CAL', 'calCtxBeginCounter', [context, counter], () =>
    system.run(() => system.extensions.counter(context, counter).begin()),
  );
}

/** BAD_HANDLE; ERROR if it was not begun. */
export function calCtxEndCounter(context: S.CALcontext, counter: S.CALcounter): Result {
  return calledByProgram('CAL', 'calCtxEndCounter', [context, counter], () =>
    system.run(() => system.extensions.counter(context, counter).end()),
  );
}

/** From 0 to 1. BAD_HANDLE; PENDING until what it counts has ended. */
export function calCtxGetCounter(context: S.CALcontext, counter: S.CALcounter): [Result, number] {
  return calledByProgram('CAL', 'calCtxGetCounter', [context, counter], () =>
    output(0, () => system.extensions.counter(context, counter).value),
  );
}

/**
 * One value, four of BORDER_COLOR, nine of DEFAULT; null with DEFAULT for what holds at first. BAD_HANDLE; INVALID_PARAMETER
 * without values; ERROR for a parameter or values that there are not.
 */
export function calCtxSetSamplerParams(
  context: S.CALcontext,
  name: S.CALname,
  param: C.CALsamplerParameter,
  vals: ArrayLike<number> | null,
): Result {
  return calledByProgram('CAL', 'calCtxSetSamplerParams', [context, name, param, vals], () =>
    system.run(() => system.extensions.setSampler(context, name, param, vals ? Array.from(vals) : undefined)),
  );
}

/** Results as of {@link calCtxSetSamplerParams}. */
export function calCtxGetSamplerParams(
  context: S.CALcontext,
  name: S.CALname,
  param: C.CALsamplerParameter,
): [Result, Float32Array] {
  return calledByProgram('CAL', 'calCtxGetSamplerParams', [context, name, param], () =>
    output(new Float32Array(0), () => Float32Array.from(system.extensions.getSampler(context, name, param))),
  );
}

/**
 * Sleeps until the commands of all events have ended. BAD_HANDLE; ERROR if one failed, and on a page's main thread, which must not
 * sleep: there, await {@link calAwaitEvent}. Flags say how to wait, which here is always the same: 0 and 1, INVALID_PARAMETER otherwise.
 */
export function calCtxWaitForEvents(context: S.CALcontext, events: readonly S.CALevent[], flags = 0): Result {
  return calledByProgram('CAL', 'calCtxWaitForEvents', [context, events, flags], () =>
    system.run(() => system.extensions.waitForEvents(context, listed(events), flags)),
  );
}

/**
 * A resource whose elements lie in an array of the program. Programs see what is in it when they begin; what they change is in it
 * when they have ended. `size` in bytes. BAD_HANDLE; INVALID_PARAMETER for sizes that the device has not and for arrays that
 * do not begin at a multiple of 256 bytes; ERROR if the width is no multiple of 64 or `size` too small.
 */
export function calResCreate2D(
  device: S.CALdevice,
  mem: HostBytes,
  width: number,
  height: number,
  format: C.CALformat,
  size: number,
  flags: number,
): [Result, S.CALresource] {
  return calledByProgram('CAL', 'calResCreate2D', [device, mem, width, height, format, size, flags], () => {
    const wanted = { dimensions: 2, width, height, format, flags } as const;
    return output(0, () => system.resources.createResource(device, arrayGiven(mem), wanted, size));
  });
}

/** As {@link calResCreate2D}. */
export function calResCreate1D(
  device: S.CALdevice,
  mem: HostBytes,
  width: number,
  format: C.CALformat,
  size: number,
  flags: number,
): [Result, S.CALresource] {
  return calledByProgram('CAL', 'calResCreate1D', [device, mem, width, format, size, flags], () => {
    const wanted = { dimensions: 1, width, height: 1, format, flags } as const;
    return output(0, () => system.resources.createResource(device, arrayGiven(mem), wanted, size));
  });
}

/** What calExtGetProc gives. */
function procedures(): Readonly<Record<string, CALextproc>> {
  return {
    calCtxCreateCounter,
    calCtxDestroyCounter,
    calCtxBeginCounter,
    calCtxEndCounter,
    calCtxGetCounter,
    calResCreate1D,
    calResCreate2D,
    calCtxRunProgramGrid,
    calCtxRunProgramGridArray,
    calModuleGetFuncInfo,
    calCtxSetSamplerParams,
    calCtxGetSamplerParams,
    calCtxWaitForEvents,
  };
}
