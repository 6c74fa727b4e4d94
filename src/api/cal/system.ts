/**
 * CAL at work for one program: what calInit begins and calShutdown ends. Its methods are the runtime's functions as they fail by
 * exceptions; {@link CalSystem.run} makes results of them. JavaScript (index.ts) and C (c/) both stand on it.
 */

import type { Device } from '../../runtime/device.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import type { MemoryPool } from '../../runtime/memory-pool.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { Compiler, calVersion } from './compiler.ts';
import * as C from './constants.ts';
import { CalContext, Mem } from './context.ts';
import { copyCommand } from './copy.ts';
import { Counter } from './counters.ts';
import { CalDevice } from './device.ts';
import { chosenKinds, type DeviceKind, deviceKinds, pitchAlignment, surfaceAlignment } from './devices.ts';
import { badHandle, CalError, failed, invalid } from './error.ts';
import { formatOf } from './formats.ts';
import { Handles } from './handles.ts';
import type { Encoding } from './image/encoding.ts';
import { checkNoFlags, commandOf, planGrid, planRun, type Run } from './launch.ts';
import { entryName, Func, Module, Name } from './module.ts';
import { orFailed, type Place, Resource, shapeOf } from './resource.ts';
import { Runtimes } from './runtimes.ts';
import { defaultSamplerValues, rangeOf, withValues } from './samplers.ts';
import type * as S from './structures.ts';

export interface SystemOptions {
  /** What runs programs: the first one is the first device, and the cards run on it. Called by calInit. */
  readonly devices: () => readonly Device[];
  /** Which of the devices there are, by parts of their names with commas between; default all. */
  readonly chosen?: string | undefined;
  /** The memory of a host program, in which resources then lie. */
  readonly pool?: MemoryPool | undefined;
}

const noError = 'No error';

/** A resource that is asked for. */
interface Wanted {
  readonly dimensions: 1 | 2;
  readonly width: number;
  readonly height: number;
  readonly format: C.CALformat;
  readonly flags: number;
}

export class CalSystem {
  readonly compiler: Compiler;
  readonly #options: SystemOptions;
  readonly #handles: Handles;
  #kinds: readonly DeviceKind[] | undefined;
  #runtimes: Runtimes | undefined;
  readonly #open = new Map<number, CalDevice>();
  #errorText = noError;
  #warning: string | undefined;

  constructor(options: SystemOptions, handles = new Handles()) {
    this.#options = options;
    this.#handles = handles;
    this.compiler = new Compiler(handles);
  }

  /** calGetErrorString: about the last function of the runtime that was called. */
  get errorText(): string {
    return this.#errorText;
  }

  /** A function of the runtime: what it throws is its result, and its words are the error text. */
  run(call: () => void): C.CALresult {
    this.#warning = undefined;
    const { result, message } = outcome(call);
    const isWarning = result === C.CAL_RESULT_OK && this.#warning !== undefined;
    this.#errorText = isWarning ? this.#warning! : message;
    return isWarning ? C.CAL_RESULT_WARNING : result;
  }

  /** The same for a question whose answer no means CAL_RESULT_PENDING. */
  ask(call: () => boolean): C.CALresult {
    let answer = false;
    const result = this.run(() => {
      answer = call();
    });
    return result === C.CAL_RESULT_OK && !answer ? C.CAL_RESULT_PENDING : result;
  }

  /** A function of the compiler. */
  runCompiler(call: () => void): C.CALresult {
    this.compiler.errorText = '';
    const { result, message } = outcome(call);
    if (result !== C.CAL_RESULT_OK) this.compiler.errorText = message;
    else if (this.compiler.errorText === '') this.compiler.errorText = noError;
    return result;
  }

  // System (guide, B.3.1)

  init(): void {
    if (this.#kinds) throw new CalError(C.CAL_RESULT_ALREADY, 'CAL is initialized already');
    const kinds = deviceKinds(this.#options.devices());
    const chosen = chosenKinds(kinds, this.#options.chosen);
    if (chosen.length === 0) throw failed('there are no devices');
    this.#kinds = chosen;
    const devices = chosen.map(({ device }) => device);
    this.#runtimes = new Runtimes(devices, this.#options.pool);
  }

  shutdown(): void {
    this.#ready();
    for (const device of [...this.#open.values()]) this.#close(device);
    this.#runtimes?.close();
    this.#runtimes = undefined;
    this.#kinds = undefined;
  }

  getVersion(): readonly [number, number, number] {
    this.#ready();
    return calVersion;
  }

  /** What waits for this thread goes on; called now and then while a program sleeps. */
  attend(): void {
    this.#runtimes?.attend();
  }

  #ready(): readonly DeviceKind[] {
    if (!this.#kinds)
      throw new CalError(
        C.CAL_RESULT_NOT_INITIALIZED,
        'CAL is not initialized: calInit is to be called first',
      );
    return this.#kinds;
  }

  // Devices (B.3.2)

  deviceCount(): number {
    return this.#ready().length;
  }

  /** By its ordinal. @throws CalError CAL_RESULT_INVALID_PARAMETER */
  deviceKind(ordinal: number): DeviceKind {
    const kinds = this.#ready();
    const kind = kinds[ordinal];
    if (!kind) throw invalid(`${ordinal} is no device: there are ${kinds.length}`);
    return kind;
  }

  deviceOpen(ordinal: number): S.CALdevice {
    const kind = this.deviceKind(ordinal);
    if (this.#open.has(ordinal)) throw failed(`device ${ordinal} is open already`);
    const device = orFailed(() => new CalDevice(kind, this.#runtimes!));
    this.#open.set(ordinal, device);
    return this.#handles.add(device).handle;
  }

  /** @throws CalError CAL_RESULT_INVALID_PARAMETER: calDeviceGetStatus has no other code */
  deviceStatus(device: S.CALdevice): S.CALdevicestatus {
    this.#ready();
    return instead(invalid, () => this.#device(device).status);
  }

  /** @throws CalError CAL_RESULT_ERROR: calDeviceClose has no other code */
  deviceClose(device: S.CALdevice): void {
    this.#ready();
    this.#close(instead(failed, () => this.#device(device)));
  }

  #device(handle: S.CALdevice): CalDevice {
    this.#ready();
    return this.#handles.find(CalDevice, handle, 'open device');
  }

  #close(device: CalDevice): void {
    for (const context of [...device.contexts]) this.#destroy(context);
    for (const resource of [...device.resources]) this.#free(resource);
    this.#handles.remove(device);
    for (const [ordinal, open] of this.#open) if (open === device) this.#open.delete(ordinal);
  }

  // Resources (B.3.3)

  allocateLocal(device: S.CALdevice, wanted: Wanted): S.CALresource {
    const owner = this.#device(device);
    CalDevice.checkFlags(wanted.flags, C.CAL_RESALLOC_GLOBAL_BUFFER);
    return this.#allocate('local', [owner], wanted);
  }

  allocateRemote(devices: readonly S.CALdevice[], wanted: Wanted): S.CALresource {
    this.#ready();
    if (devices.length === 0) throw badHandle('remote memory needs a device');
    const owners = devices.map((handle) => this.#device(handle));
    CalDevice.checkFlags(wanted.flags, C.CAL_RESALLOC_GLOBAL_BUFFER | C.CAL_RESALLOC_CACHEABLE);
    if (owners.some(({ context }) => context !== owners[0]!.context)) {
      throw failed('these devices share no memory');
    }
    const isCached = (wanted.flags & C.CAL_RESALLOC_CACHEABLE) !== 0;
    return this.#allocate(isCached ? 'cached' : 'uncached', owners, wanted);
  }

  #allocate(place: Place, owners: readonly CalDevice[], wanted: Wanted): S.CALresource {
    const { dimensions, width, height, flags } = wanted;
    const format = formatOf(wanted.format);
    const isGlobal = (flags & C.CAL_RESALLOC_GLOBAL_BUFFER) !== 0;
    const shape = shapeOf(dimensions, width, height, format);
    for (const owner of owners) {
      const refused = owner.refusesSize(dimensions, width, height);
      if (refused !== undefined) throw failed(refused);
      owner.checkFormat(format, isGlobal);
    }
    owners[0]!.checkRoom(place, shape.bytes);
    const resource = this.#addResource(orFailed(() => new Resource(shape, place, owners, isGlobal)));
    if (isGlobal && width !== shape.pitch) {
      this.#warning = `the global buffer's width is ${width}: it should be a multiple of ${pitchAlignment}`;
    }
    return resource;
  }

  /** calResCreate1D and 2D: of the program's own memory. `bytes` reaches from its pointer as far as it likes. */
  createResource(device: S.CALdevice, bytes: HostBytes, wanted: Wanted, size: number): S.CALresource {
    const owner = this.#device(device);
    const { dimensions, width, height, flags } = wanted;
    const format = formatOf(wanted.format);
    CalDevice.checkFlags(flags, C.CAL_RESALLOC_GLOBAL_BUFFER);
    const isGlobal = (flags & C.CAL_RESALLOC_GLOBAL_BUFFER) !== 0;
    const refused = owner.refusesSize(dimensions, width, height);
    if (refused !== undefined) throw invalid(refused);
    if (bytes.byteOffset % surfaceAlignment !== 0) {
      throw invalid(`the memory does not begin at a multiple of ${surfaceAlignment} bytes`);
    }
    owner.checkFormat(format, isGlobal);
    const shape = shapeOf(dimensions, width, height, format);
    if (width !== shape.pitch)
      throw failed(`the width is ${width}: it must be a multiple of ${pitchAlignment}`);
    if (!(size >= shape.bytes && bytes.byteLength >= shape.bytes)) {
      throw failed(
        `the resource has ${shape.bytes} bytes, and the memory ${Math.min(size, bytes.byteLength)}`,
      );
    }
    return this.#addResource(orFailed(() => new Resource(shape, 'pinned', [owner], isGlobal, bytes)));
  }

  #addResource(resource: Resource): S.CALresource {
    resource.devices[0]!.resources.add(resource);
    return this.#handles.add(resource).handle;
  }

  resource(handle: S.CALresource): Resource {
    this.#ready();
    return this.#handles.find(Resource, handle, 'resource');
  }

  freeResource(handle: S.CALresource): void {
    const resource = this.resource(handle);
    if (resource.users > 0) {
      throw new CalError(C.CAL_RESULT_BUSY, 'a context uses the resource: calCtxReleaseMem comes first');
    }
    this.#free(resource);
  }

  #free(resource: Resource): void {
    resource.free();
    resource.devices[0]!.resources.delete(resource);
    this.#handles.remove(resource);
  }

  // Contexts (B.3.4)

  createContext(device: S.CALdevice): S.CALcontext {
    const owner = this.#device(device);
    const context = orFailed(() => new CalContext(owner));
    owner.contexts.add(context);
    return this.#handles.add(context).handle;
  }

  destroyContext(handle: S.CALcontext): void {
    this.#destroy(this.context(handle));
  }

  #destroy(context: CalContext): void {
    for (const module of context.modules) this.#forgetModule(module);
    for (const mem of context.mems) this.#handles.remove(mem);
    for (const counter of context.counters) this.#handles.remove(counter);
    context.destroy();
    context.device.contexts.delete(context);
    this.#handles.remove(context);
  }

  context(handle: S.CALcontext): CalContext {
    this.#ready();
    return this.#handles.find(CalContext, handle, 'context');
  }

  getMem(context: S.CALcontext, resource: S.CALresource): S.CALmem {
    const owner = this.context(context);
    const used = this.resource(resource);
    const isRemote = used.place === 'uncached' || used.place === 'cached';
    if (isRemote && !used.devices.includes(owner.device)) {
      throw badHandle('the resource is not shared with the device of the context');
    }
    const mem = this.#handles.add(new Mem(owner, used));
    owner.mems.add(mem);
    used.users += 1;
    return mem.handle;
  }

  releaseMem(context: S.CALcontext, handle: S.CALmem): void {
    const owner = this.context(context);
    const mem = this.#mem(owner, handle);
    for (const module of owner.modules)
      for (const name of module.names) if (name.bound === mem) name.bound = undefined;
    owner.mems.delete(mem);
    mem.resource.users -= 1;
    this.#handles.remove(mem);
  }

  setMem(context: S.CALcontext, handle: S.CALname, mem: S.CALmem): void {
    const owner = this.context(context);
    const name = this.#name(owner, handle);
    const bound = mem === 0 ? undefined : this.#mem(owner, mem);
    if (name.isSampler) {
      throw new CalError(
        C.CAL_RESULT_BAD_NAME_TYPE,
        `'${name.symbol}' is a sampler, to which no memory is bound`,
      );
    }
    name.bound = bound;
  }

  #mem(context: CalContext, handle: S.CALmem): Mem {
    const mem = this.#handles.find(Mem, handle, 'memory handle');
    if (mem.context !== context) throw badHandle('the memory handle is one of another context');
    return mem;
  }

  // Modules (B.3.5)

  loadModule(context: S.CALcontext, image: S.CALimage): S.CALmodule {
    const owner = this.context(context);
    const { contents } = this.compiler.image(image);
    const encodings = contents.map(({ encoding }) => encoding);
    const module = orFailed(() => firstToLoad(owner, encodings));
    owner.modules.add(module);
    this.#handles.add(module);
    this.#handles.add(module.func);
    for (const name of module.names) this.#handles.add(name);
    return module.handle;
  }

  unloadModule(context: S.CALcontext, handle: S.CALmodule): void {
    const owner = this.context(context);
    const module = this.#module(owner, handle);
    this.#forgetModule(module);
    owner.modules.delete(module);
    module.release();
  }

  #forgetModule(module: Module): void {
    for (const name of module.names) this.#handles.remove(name);
    this.#handles.remove(module.func);
    this.#handles.remove(module);
  }

  #module(context: CalContext, handle: S.CALmodule): Module {
    const module = this.#handles.find(Module, handle, 'module');
    if (module.context !== context) throw badHandle('the module is loaded into another context');
    return module;
  }

  moduleEntry(context: S.CALcontext, handle: S.CALmodule, name: string): S.CALfunc {
    const module = this.#module(this.context(context), handle);
    if (name !== entryName)
      throw failed(`there is no function '${name}': that of a program is '${entryName}'`);
    return module.func.handle;
  }

  moduleName(context: S.CALcontext, handle: S.CALmodule, symbol: string): S.CALname {
    const module = this.#module(this.context(context), handle);
    const name = module.name(symbol);
    if (name) return name.handle;
    const known = [...module.names].map((each) => each.symbol).join(', ');
    throw failed(`the program has no symbol '${symbol}'${known === '' ? '' : `; it has ${known}`}`);
  }

  functionInfo(context: S.CALcontext, module: S.CALmodule, func: S.CALfunc): S.CALfuncInfo {
    const owner = this.context(context);
    const { lowered } = this.#module(owner, module);
    if (this.#func(owner, func).module.handle !== module)
      throw badHandle('the function is one of another module');
    const threads = (lowered.groupSize ?? [0, 0, 0]).reduce((product, size) => product * size, 1);
    const waves = Math.ceil(threads / owner.device.kind.attribs.wavefrontSize);
    return {
      maxScratchRegsNeeded: 0,
      numSharedGPRUser: 0,
      numSharedGPRTotal: 0,
      eCsSetupMode: false,
      numThreadPerGroup: threads,
      totalNumThreadGroup: 0,
      wavefrontPerSIMD: waves,
      numWavefrontPerSIMD: waves,
      isMaxNumWavePerSIMD: false,
      setBufferForNumGroup: false,
    };
  }

  #func(context: CalContext, handle: S.CALfunc): Func {
    const func = this.#handles.find(Func, handle, 'function');
    if (func.module.context !== context) throw badHandle('the function is one of another context');
    return func;
  }

  #name(context: CalContext, handle: S.CALname): Name {
    const name = this.#handles.find(Name, handle, 'name');
    if (name.module.context !== context) throw badHandle('the name is one of another context');
    return name;
  }

  // Computation (B.3.6)

  runProgram(context: S.CALcontext, func: S.CALfunc, domain: S.CALdomain): S.CALevent {
    const owner = this.context(context);
    return this.#start(owner, [planRun(owner, this.#func(owner, func), domain)]);
  }

  /** @throws CalError CAL_RESULT_ERROR also for a function that is none: grids have no other code */
  runGrids(context: S.CALcontext, grids: readonly S.CALprogramGrid[]): S.CALevent {
    const owner = this.context(context);
    if (grids.length === 0) throw failed('the array has no grids');
    const runs = grids.map((grid) => {
      const found = instead(failed, () => this.#func(owner, grid.func));
      return planGrid(owner, found, grid.gridBlock, grid.gridSize);
    });
    return this.#start(owner, runs);
  }

  #start(context: CalContext, runs: readonly Run[]): S.CALevent {
    const command = commandOf(context, runs);
    for (const counter of context.counters) counter.count({ command, runs });
    return context.defer(command);
  }

  /** @throws CalError CAL_RESULT_ERROR for a context that there is not: calCtxFlush has no other code */
  flush(context: S.CALcontext): void {
    this.#ready();
    instead(failed, () => this.context(context)).flush();
  }

  copy(context: S.CALcontext, source: S.CALmem, target: S.CALmem, flags: number): S.CALevent {
    const owner = this.context(context);
    const from = this.#mem(owner, source).resource;
    const to = this.#mem(owner, target).resource;
    checkNoFlags(flags, 'calMemCopy');
    return owner.begin(copyCommand(owner, from, to));
  }

  // Extensions (B.4)

  /** The functions of Direct3D check that there is a device, and no more. */
  checkDevice(device: S.CALdevice): void {
    this.#device(device);
  }

  /** @throws CalError CAL_RESULT_NOT_INITIALIZED */
  checkReady(): void {
    this.#ready();
  }

  createCounter(context: S.CALcontext, type: C.CALcountertype): S.CALcounter {
    const owner = this.context(context);
    const counter = this.#handles.add(new Counter(owner, type));
    owner.counters.add(counter);
    return counter.handle;
  }

  counter(context: S.CALcontext, handle: S.CALcounter): Counter {
    const owner = this.context(context);
    const counter = this.#handles.find(Counter, handle, 'counter');
    if (counter.context !== owner) throw badHandle('the counter is one of another context');
    return counter;
  }

  destroyCounter(context: S.CALcontext, handle: S.CALcounter): void {
    const counter = this.counter(context, handle);
    if (counter.isCounting) throw new CalError(C.CAL_RESULT_BUSY, 'the counter was begun and not ended');
    counter.context.counters.delete(counter);
    this.#handles.remove(counter);
  }

  /** `values` undefined for NULL, which sets all that there is to what it was at first. */
  setSampler(
    context: S.CALcontext,
    handle: S.CALname,
    parameter: number,
    values: readonly number[] | undefined,
  ): void {
    const name = this.#sampler(context, handle);
    if (values) name.sampler = withValues(name.sampler, parameter, values);
    else if (parameter === C.CAL_SAMPLER_PARAM_DEFAULT) name.sampler = defaultSamplerValues;
    else throw invalid('the parameter needs values');
  }

  getSampler(context: S.CALcontext, handle: S.CALname, parameter: number): readonly number[] {
    const name = this.#sampler(context, handle);
    const [start, count] = rangeOf(parameter);
    return name.sampler.slice(start, start + count);
  }

  #sampler(context: S.CALcontext, handle: S.CALname): Name {
    const name = this.#name(this.context(context), handle);
    if (!name.isSampler) throw badHandle(`'${name.symbol}' is no sampler`);
    return name;
  }
}

/** The result of a call, and what it says. */
function outcome(call: () => void): { result: C.CALresult; message: string } {
  try {
    call();
    return { result: C.CAL_RESULT_OK, message: noError };
  } catch (error) {
    if (error instanceof CalError) return { result: error.result, message: error.message };
    if (error instanceof OpenCLError) return { result: C.CAL_RESULT_ERROR, message: error.message };
    throw error;
  }
}

/** Some functions have another code for handles that stand for nothing. */
function instead<T>(other: (message: string) => CalError, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof CalError ? other(error.message) : error;
  }
}

/**
 * A module of the encoding that fits the device best: that for its own target, then one with the features that it has.
 * @throws CalError CAL_RESULT_ERROR of the first if none can be loaded
 */
function firstToLoad(context: CalContext, encodings: readonly Encoding[]): Module {
  const { target } = context.device.kind.info;
  const fits = (encoding: Encoding): number =>
    encoding.target === target ? 0 : encoding.target <= target ? 1 : 2;
  // Of those for older targets the newest.
  const sorted = [...encodings].sort((a, b) => fits(a) - fits(b) || b.target - a.target);
  let first: CalError | undefined;
  for (const encoding of sorted) {
    try {
      return new Module(context, encoding);
    } catch (error) {
      if (!(error instanceof CalError)) throw error;
      first ??= error;
    }
  }
  throw first ?? failed('the image is empty');
}
