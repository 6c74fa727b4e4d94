/**
 * What a program's handles stand for, and whether CAL is initialized: the parts of the system (system.ts) share it. Each finder fails
 * with CAL_RESULT_BAD_HANDLE for what is no such object, or one of another context.
 */
import * as C from './constants.ts';
import { CalContext, Mem } from './context.ts';
import { CalDevice } from './device.ts';
import type { DeviceKind } from './devices.ts';
import { badHandle, CalError } from './error.ts';
import type { Handles } from './handles.ts';
import { Func, Module, Name } from './module.ts';
import { Resource } from './resource.ts';
import type * as S from './structures.ts';

export class Registry {
  readonly handles: Handles;
  /** The devices, from calInit to calShutdown. */
  kinds: readonly DeviceKind[] | undefined;
  /** What the function that runs warns of: it succeeds with CAL_RESULT_WARNING. */
  warning: string | undefined;

  constructor(handles: Handles) {
    this.handles = handles;
  }

  /** @throws CalError CAL_RESULT_NOT_INITIALIZED */
  ready(): readonly DeviceKind[] {
    if (!this.kinds)
      throw new CalError(
        C.CAL_RESULT_NOT_INITIALIZED,
        'CAL is not initialized: calInit is to be called first',
      );
    return this.kinds;
  }

  device(handle: S.CALdevice): CalDevice {
    this.ready();
    return this.handles.find(CalDevice, handle, 'open device');
  }

  resource(handle: S.CALresource): Resource {
    this.ready();
    return this.handles.find(Resource, handle, 'resource');
  }

  context(handle: S.CALcontext): CalContext {
    this.ready();
    return this.handles.find(CalContext, handle, 'context');
  }

  mem(context: CalContext, handle: S.CALmem): Mem {
    const mem = this.handles.find(Mem, handle, 'memory handle');
    if (mem.context !== context) throw badHandle('the memory handle is one of another context');
    return mem;
  }

  module(context: CalContext, handle: S.CALmodule): Module {
    const module = this.handles.find(Module, handle, 'module');
    if (module.context !== context) throw badHandle('the module is loaded into another context');
    return module;
  }

  func(context: CalContext, handle: S.CALfunc): Func {
    const func = this.handles.find(Func, handle, 'function');
    if (func.module.context !== context) throw badHandle('the function is one of another context');
    return func;
  }

  name(context: CalContext, handle: S.CALname): Name {
    const name = this.handles.find(Name, handle, 'name');
    if (name.module.context !== context) throw badHandle('the name is one of another context');
    return name;
  }
}

/** Some functions have another code for handles that stand for nothing. */
export function instead<T>(other: (message: string) => CalError, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof CalError ? other(error.message) : error;
  }
}
