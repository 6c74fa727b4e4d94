/** The runtime's functions (guide, B.3): system, devices, resources, contexts, modules, computation. */

import { begin } from '../../build/machine.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import * as C from './constants.ts';
import { bytesGiven, listed, nameGiven, structureGiven } from './error.ts';
import type { ResourceData } from './formats.ts';
import { checkNoFlags } from './launch.ts';
import { output, system } from './process-system.ts';
import type * as S from './structures.ts';

type Result = C.CALresult;

/** ALREADY if it was called before, ERROR if there are no devices. */
export function calInit(): Result {
  begin();
  return calledByProgram('CAL', 'calInit', [], () => system.run(() => system.init()));
}

/** Ends all contexts, frees all resources, closes all devices. calInit may follow again. */
export function calShutdown(): Result {
  return calledByProgram('CAL', 'calShutdown', [], () => system.run(() => system.shutdown()));
}

/** Major, minor, implementation. */
export function calGetVersion(): [Result, number, number, number] {
  return calledByProgram('CAL', 'calGetVersion', [], () => {
    const [result, version] = output([0, 0, 0] as const, () => system.getVersion());
    return [result, ...version];
  });
}

/** About the last function that was called, this one and those of the compiler apart. */
export function calGetErrorString(): string {
  return system.errorText;
}

export function calDeviceGetCount(): [Result, number] {
  return calledByProgram('CAL', 'calDeviceGetCount', [], () => output(0, () => system.deviceCount()));
}

/** INVALID_PARAMETER for an ordinal that there is not. */
export function calDeviceGetInfo(ordinal: number): [Result, S.CALdeviceinfo | undefined] {
  return calledByProgram('CAL', 'calDeviceGetInfo', [ordinal], () =>
    output<S.CALdeviceinfo | undefined>(undefined, () => ({ ...system.deviceKind(ordinal).info })),
  );
}

/** INVALID_PARAMETER for an ordinal that there is not. */
export function calDeviceGetAttribs(ordinal: number): [Result, S.CALdeviceattribs | undefined] {
  return calledByProgram('CAL', 'calDeviceGetAttribs', [ordinal], () =>
    output<S.CALdeviceattribs | undefined>(undefined, () => ({ ...system.deviceKind(ordinal).attribs })),
  );
}

/** INVALID_PARAMETER for a device that is not open. */
export function calDeviceGetStatus(device: S.CALdevice): [Result, S.CALdevicestatus | undefined] {
  return calledByProgram('CAL', 'calDeviceGetStatus', [device], () =>
    output<S.CALdevicestatus | undefined>(undefined, () => system.deviceStatus(device)),
  );
}

/** INVALID_PARAMETER for an ordinal that there is not; ERROR if the device is open. */
export function calDeviceOpen(ordinal: number): [Result, S.CALdevice] {
  return calledByProgram('CAL', 'calDeviceOpen', [ordinal], () =>
    output(0, () => system.deviceOpen(ordinal)),
  );
}

/** Ends the device's contexts and frees its resources. ERROR if it is not open. */
export function calDeviceClose(device: S.CALdevice): Result {
  return calledByProgram('CAL', 'calDeviceClose', [device], () =>
    system.run(() => system.deviceClose(device)),
  );
}

/** BAD_HANDLE; ERROR if there is no such memory; WARNING for a global buffer whose width is no multiple of 64. */
export function calResAllocLocal2D(
  device: S.CALdevice,
  width: number,
  height: number,
  format: C.CALformat,
  flags: number,
): [Result, S.CALresource] {
  return calledByProgram('CAL', 'calResAllocLocal2D', [device, width, height, format, flags], () =>
    output(0, () => system.resources.allocateLocal(device, { dimensions: 2, width, height, format, flags })),
  );
}

/** As {@link calResAllocLocal2D}. */
export function calResAllocLocal1D(
  device: S.CALdevice,
  width: number,
  format: C.CALformat,
  flags: number,
): [Result, S.CALresource] {
  return calledByProgram('CAL', 'calResAllocLocal1D', [device, width, format, flags], () =>
    output(0, () =>
      system.resources.allocateLocal(device, { dimensions: 1, width, height: 1, format, flags }),
    ),
  );
}

/** Memory of the system for several devices; `deviceCount` of them count. Results as of {@link calResAllocLocal2D}. */
export function calResAllocRemote2D(
  sharedDevices: readonly S.CALdevice[],
  deviceCount: number,
  width: number,
  height: number,
  format: C.CALformat,
  flags: number,
): [Result, S.CALresource] {
  return calledByProgram(
    'CAL',
    'calResAllocRemote2D',
    [sharedDevices, deviceCount, width, height, format, flags],
    () => {
      const wanted = { dimensions: 2, width, height, format, flags } as const;
      return output(0, () => system.resources.allocateRemote(listed(sharedDevices, deviceCount), wanted));
    },
  );
}

/** As {@link calResAllocRemote2D}. */
export function calResAllocRemote1D(
  sharedDevices: readonly S.CALdevice[],
  deviceCount: number,
  width: number,
  format: C.CALformat,
  flags: number,
): [Result, S.CALresource] {
  return calledByProgram(
    'CAL',
    'calResAllocRemote1D',
    [sharedDevices, deviceCount, width, format, flags],
    () => {
      const wanted = { dimensions: 1, width, height: 1, format, flags } as const;
      return output(0, () => system.resources.allocateRemote(listed(sharedDevices, deviceCount), wanted));
    },
  );
}

/** BAD_HANDLE; BUSY while a context has a memory handle for it. */
export function calResFree(resource: S.CALresource): Result {
  return calledByProgram('CAL', 'calResFree', [resource], () =>
    system.run(() => system.resources.free(resource)),
  );
}

/**
 * The resource's elements, row after row, and the pitch: elements from a row to the next. The array is the resource itself and
 * no copy. BAD_HANDLE; ALREADY if it is mapped.
 */
export function calResMap(
  resource: S.CALresource,
  flags: number,
): [Result, data: ResourceData | undefined, pitch: number] {
  return calledByProgram('CAL', 'calResMap', [resource, flags], () => {
    let pitch = 0;
    const [result, data] = output<ResourceData | undefined>(undefined, () => {
      const mapped = system.resource(resource);
      checkNoFlags(flags, 'calResMap');
      const elements = mapped.map();
      pitch = mapped.shape.pitch;
      return elements;
    });
    return [result, data, pitch];
  });
}

/** calResMap for threads that must not wait: resolves when the commands that use the resource have ended. */
export async function calAwaitMap(
  resource: S.CALresource,
  flags: number,
): Promise<[Result, data: ResourceData | undefined, pitch: number]> {
  const [found, commands] = output<readonly Promise<void>[]>([], () =>
    system.resource(resource).commands.map((command) => command.ended),
  );
  if (found !== C.CAL_RESULT_OK) return [found, undefined, 0];
  await Promise.all(commands);
  return calResMap(resource, flags);
}

/** BAD_HANDLE; ERROR if it is not mapped. */
export function calResUnmap(resource: S.CALresource): Result {
  return calledByProgram('CAL', 'calResUnmap', [resource], () =>
    system.run(() => system.resource(resource).unmap()),
  );
}

/** BAD_HANDLE for a device that is not open. */
export function calCtxCreate(device: S.CALdevice): [Result, S.CALcontext] {
  return calledByProgram('CAL', 'calCtxCreate', [device], () =>
    output(0, () => system.contexts.create(device)),
  );
}

/** Ends it when its commands have ended: modules are unloaded, memory handles released. BAD_HANDLE. */
export function calCtxDestroy(context: S.CALcontext): Result {
  return calledByProgram('CAL', 'calCtxDestroy', [context], () =>
    system.run(() => system.contexts.destroy(context)),
  );
}

/** A resource for a context. BAD_HANDLE, also for remote memory that the context's device does not share. */
export function calCtxGetMem(context: S.CALcontext, resource: S.CALresource): [Result, S.CALmem] {
  return calledByProgram('CAL', 'calCtxGetMem', [context, resource], () =>
    output(0, () => system.contexts.getMem(context, resource)),
  );
}

/** BAD_HANDLE. */
export function calCtxReleaseMem(context: S.CALcontext, mem: S.CALmem): Result {
  return calledByProgram('CAL', 'calCtxReleaseMem', [context, mem], () =>
    system.run(() => system.contexts.releaseMem(context, mem)),
  );
}

/** Binds memory to a symbol; 0 unbinds. BAD_HANDLE; BAD_NAME_TYPE if the symbol is a sampler. */
export function calCtxSetMem(context: S.CALcontext, name: S.CALname, mem: S.CALmem): Result {
  return calledByProgram('CAL', 'calCtxSetMem', [context, name, mem], () =>
    system.run(() => system.contexts.setMem(context, name, mem)),
  );
}

/** BAD_HANDLE; ERROR if the device cannot run what the image holds. */
export function calModuleLoad(context: S.CALcontext, image: S.CALimage): [Result, S.CALmodule] {
  return calledByProgram('CAL', 'calModuleLoad', [context, image], () =>
    output(0, () => system.modules.load(context, image)),
  );
}

/** Its names and functions end with it. BAD_HANDLE. */
export function calModuleUnload(context: S.CALcontext, module: S.CALmodule): Result {
  return calledByProgram('CAL', 'calModuleUnload', [context, module], () =>
    system.run(() => system.modules.unload(context, module)),
  );
}

/** The function `main`. BAD_HANDLE; ERROR for other names. */
export function calModuleGetEntry(
  context: S.CALcontext,
  module: S.CALmodule,
  procName: string,
): [Result, S.CALfunc] {
  return calledByProgram('CAL', 'calModuleGetEntry', [context, module, procName], () =>
    output(0, () => system.modules.entry(context, module, nameGiven(procName))),
  );
}

/** A symbol: `i0`, `o0`, `cb0`, `x0`, `g`, or `s0` for a sampler. BAD_HANDLE; ERROR if the program has it not. */
export function calModuleGetName(
  context: S.CALcontext,
  module: S.CALmodule,
  symbolName: string,
): [Result, S.CALname] {
  return calledByProgram('CAL', 'calModuleGetName', [context, module, symbolName], () =>
    output(0, () => system.modules.name(context, module, nameGiven(symbolName))),
  );
}

/** BAD_HANDLE. */
export function calModuleGetFuncInfo(
  context: S.CALcontext,
  module: S.CALmodule,
  func: S.CALfunc,
): [Result, S.CALfuncInfo | undefined] {
  return calledByProgram('CAL', 'calModuleGetFuncInfo', [context, module, func], () =>
    output<S.CALfuncInfo | undefined>(undefined, () => system.modules.functionInfo(context, module, func)),
  );
}

/** An image from the bytes that calclImageWrite gives. ERROR if they are none. */
export function calImageRead(buffer: Uint8Array, size?: number): [Result, S.CALimage] {
  return calledByProgram('CAL', 'calImageRead', [buffer, size], () => {
    return output(0, () => {
      system.checkReady();
      return system.compiler.readImage(bytesGiven(buffer).subarray(0, size));
    });
  });
}

/** ERROR if it is no image. */
export function calImageFree(image: S.CALimage): Result {
  return calledByProgram('CAL', 'calImageFree', [image], () => {
    return system.run(() => {
      system.checkReady();
      system.compiler.freeImage(image);
    });
  });
}

/**
 * A pixel program over a rectangle of its outputs. It begins with the next calCtxIsEventDone or calCtxFlush. BAD_HANDLE; ERROR if
 * something is not bound or is mapped.
 */
export function calCtxRunProgram(
  context: S.CALcontext,
  func: S.CALfunc,
  domain: S.CALdomain,
): [Result, S.CALevent] {
  return calledByProgram('CAL', 'calCtxRunProgram', [context, func, domain], () =>
    output(0, () => system.modules.runProgram(context, func, structureGiven(domain, 'domain'))),
  );
}

/** A compute program in a grid of groups. ERROR also for a function that is none. */
export function calCtxRunProgramGrid(context: S.CALcontext, grid: S.CALprogramGrid): [Result, S.CALevent] {
  return calledByProgram('CAL', 'calCtxRunProgramGrid', [context, grid], () =>
    output(0, () => system.modules.runGrids(context, [gridGiven(grid)])),
  );
}

/** Several grids one after another, with one event. */
export function calCtxRunProgramGridArray(
  context: S.CALcontext,
  array: S.CALprogramGridArray,
): [Result, S.CALevent] {
  return calledByProgram('CAL', 'calCtxRunProgramGridArray', [context, array], () =>
    output(0, () => system.modules.runGrids(context, listed(array?.gridArray).map(gridGiven))),
  );
}

function gridGiven(grid: S.CALprogramGrid): S.CALprogramGrid {
  const { gridBlock, gridSize } = structureGiven(grid, 'grid');
  structureGiven(gridBlock, 'size of groups');
  structureGiven(gridSize, 'size of a grid');
  return grid;
}

/** A copy, which begins at once. BAD_HANDLE; ERROR if sizes or formats differ. */
export function calMemCopy(
  context: S.CALcontext,
  source: S.CALmem,
  target: S.CALmem,
  flags: number,
): [Result, S.CALevent] {
  return calledByProgram('CAL', 'calMemCopy', [context, source, target, flags], () =>
    output(0, () => system.modules.copy(context, source, target, flags)),
  );
}

/**
 * OK when the command has ended, PENDING before; ERROR if it failed, BAD_HANDLE. What waits in the context's queue begins. A
 * loop that asks again and again does not let a page's threads start: there, await {@link calAwaitEvent}.
 */
export function calCtxIsEventDone(context: S.CALcontext, event: S.CALevent): Result {
  return calledByProgram('CAL', 'calCtxIsEventDone', [context, event], () =>
    system.ask(() => system.context(context).isEventDone(event)),
  );
}

/** Resolves when the command has ended: OK, or ERROR if it failed. BAD_HANDLE. Not a function of CAL. */
export async function calAwaitEvent(context: S.CALcontext, event: S.CALevent): Promise<Result> {
  const [found, ended] = output(Promise.resolve(), () => system.context(context).eventEnded(event));
  if (found !== C.CAL_RESULT_OK) return found;
  try {
    await ended;
  } catch {
    // The same that calCtxIsEventDone says.
  }
  return calCtxIsEventDone(context, event);
}

/** What waits in the context's queue begins. ERROR for a context that there is not. */
export function calCtxFlush(context: S.CALcontext): Result {
  return calledByProgram('CAL', 'calCtxFlush', [context], () =>
    system.run(() => system.modules.flush(context)),
  );
}
