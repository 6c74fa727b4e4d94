/** The functions of cal.h, calcl.h and cal_ext.h as the imports of the module "CAL", over a program's memory. */
import type { Device } from '../../../runtime/device.ts';
import { calVersion } from '../compiler.ts';
import { CAL_RESULT_OK } from '../constants.ts';
import { failed } from '../error.ts';
import { notSupported, placeOfProcedure, supportedExtension } from '../extensions.ts';
import { checkNoFlags } from '../launch.ts';
import { rangeOf } from '../samplers.ts';
import type { CALdomain3D, CALprogramGrid } from '../structures.ts';
import { attribsBytes, statusBytes } from '../structures.ts';
import type { CalHost } from './host.ts';

export { CalHost, type CalHostOptions } from './host.ts';
export type { Device };

/** The module that programs import. */
export const calModule = 'CAL';

type Numbers = number[];
type CalFunction = (...args: Numbers) => number | undefined;

/** Bytes of CALprogramGrid. */
const gridBytes = 32;

/** All functions of the module, for one program. */
export function calFunctions(host: CalHost): Record<string, CalFunction> {
  const { system } = host;
  const { compiler } = system;
  const u32 = (pointer: number): number => host.checked((memory) => memory.u32(pointer));
  const set = (pointer: number, value: number): void =>
    host.checked((memory) => memory.setU32(pointer, value));
  const list = (pointer: number, count: number): number[] =>
    count === 0 ? [] : host.checked((memory) => memory.list(pointer, count));
  const write = (pointer: number, values: readonly number[]): void =>
    host.checked((memory) => memory.setList(pointer, values));
  const text = (pointer: number): string => host.checked((memory) => memory.text(pointer));
  /** Writes what a call gives, 0 if it fails. */
  const give = (pointer: number, call: () => number): void => {
    set(pointer, 0);
    const value = call();
    host.memory.refresh();
    set(pointer, value);
  };
  const version = (pointers: Numbers, numbers: readonly number[]): void => {
    for (const pointer of pointers) host.checked((memory) => memory.check(pointer, 4));
    for (const [index, pointer] of pointers.entries()) set(pointer, numbers[index]!);
  };
  /** The beginning of a structure whose size the program says. */
  const structure = (pointer: number, most: number, values: () => readonly (number | boolean)[]): void => {
    const size = u32(pointer);
    if (size < 8) throw failed(`struct_size is ${size}: it is to be set before, to ${most}`);
    const numbers = values()
      .map(Number)
      .slice(1, Math.floor(Math.min(size, most) / 4));
    write(pointer + 4, numbers);
  };
  const grid = (pointer: number): CALprogramGrid => {
    const [func, bw, bh, bd, width, height, depth] = list(pointer, gridBytes / 4) as [number, ...number[]];
    return { func, gridBlock: domain3D(bw, bh, bd), gridSize: domain3D(width, height, depth) };
  };

  const runtime: Record<string, (...args: Numbers) => void> = {
    calInit: () => system.init(),
    calShutdown: () => system.shutdown(),
    calGetVersion(...pointers) {
      version(pointers, system.getVersion());
    },

    calDeviceGetCount: (count) => give(count!, () => system.deviceCount()),
    calDeviceGetInfo(info, ordinal) {
      const { target, maxResource1DWidth, maxResource2DWidth, maxResource2DHeight } = system.deviceKind(
        ordinal!,
      ).info;
      write(info!, [target, maxResource1DWidth, maxResource2DWidth, maxResource2DHeight]);
    },
    calDeviceGetAttribs(attribs, ordinal) {
      const kind = system.deviceKind(ordinal!);
      structure(attribs!, attribsBytes, () => Object.values(kind.attribs));
    },
    calDeviceGetStatus(status, device) {
      const found = system.deviceStatus(device!);
      structure(status!, statusBytes, () => Object.values(found));
    },
    calDeviceOpen: (device, ordinal) => give(device!, () => system.deviceOpen(ordinal!)),
    calDeviceClose: (device) => system.deviceClose(device!),

    calResAllocLocal2D(res, device, width, height, format, flags) {
      const wanted = { dimensions: 2, ...size(width, height), ...kind(format, flags) } as const;
      give(res!, () => system.resources.allocateLocal(device!, wanted));
    },
    calResAllocLocal1D(res, device, width, format, flags) {
      const wanted = { dimensions: 1, ...size(width, 1), ...kind(format, flags) } as const;
      give(res!, () => system.resources.allocateLocal(device!, wanted));
    },
    calResAllocRemote2D(res, devices, count, width, height, format, flags) {
      const wanted = { dimensions: 2, ...size(width, height), ...kind(format, flags) } as const;
      give(res!, () => system.resources.allocateRemote(list(devices!, count!), wanted));
    },
    calResAllocRemote1D(res, devices, count, width, format, flags) {
      const wanted = { dimensions: 1, ...size(width, 1), ...kind(format, flags) } as const;
      give(res!, () => system.resources.allocateRemote(list(devices!, count!), wanted));
    },
    calResCreate2D(res, device, mem, width, height, format, bytes, flags) {
      const wanted = { dimensions: 2, ...size(width, height), ...kind(format, flags) } as const;
      give(res!, () => system.resources.createResource(device!, memoryFrom(mem!), wanted, bytes!));
    },
    calResCreate1D(res, device, mem, width, format, bytes, flags) {
      const wanted = { dimensions: 1, ...size(width, 1), ...kind(format, flags) } as const;
      give(res!, () => system.resources.createResource(device!, memoryFrom(mem!), wanted, bytes!));
    },
    calResFree: (res) => system.resources.free(res!),
    calResMap(pointer, pitch, res, flags) {
      set(pointer!, 0);
      set(pitch!, 0);
      const resource = system.resource(res!);
      checkNoFlags(flags, 'calResMap');
      const { byteOffset } = resource.map();
      set(pointer!, byteOffset);
      set(pitch!, resource.shape.pitch);
    },
    calResUnmap: (res) => system.resource(res!).unmap(),

    calCtxCreate: (ctx, device) => give(ctx!, () => system.contexts.create(device!)),
    calCtxDestroy: (ctx) => system.contexts.destroy(ctx!),
    calCtxGetMem: (mem, ctx, res) => give(mem!, () => system.contexts.getMem(ctx!, res!)),
    calCtxReleaseMem: (ctx, mem) => system.contexts.releaseMem(ctx!, mem!),
    calCtxSetMem: (ctx, name, mem) => system.contexts.setMem(ctx!, name!, mem!),

    calImageRead(image, buffer, bytes) {
      give(image!, () => {
        system.checkReady();
        return compiler.readImage(host.checked((memory) => memory.bytes(buffer!, bytes!)));
      });
    },
    calImageFree(image) {
      system.checkReady();
      compiler.freeImage(image!);
    },
    calModuleLoad: (module, ctx, image) => give(module!, () => system.modules.load(ctx!, image!)),
    calModuleUnload: (ctx, module) => system.modules.unload(ctx!, module!),
    calModuleGetEntry: (func, ctx, module, name) =>
      give(func!, () => system.modules.entry(ctx!, module!, text(name!))),
    calModuleGetName: (name, ctx, module, symbol) =>
      give(name!, () => system.modules.name(ctx!, module!, text(symbol!))),
    calModuleGetFuncInfo(info, ctx, module, func) {
      const found = system.modules.functionInfo(ctx!, module!, func!);
      write(info!, Object.values(found).map(Number));
    },

    calCtxRunProgram(event, ctx, func, domain) {
      give(event!, () => {
        const [x, y, width, height] = list(domain!, 4) as [number, number, number, number];
        return system.modules.runProgram(ctx!, func!, { x, y, width, height });
      });
    },
    calCtxRunProgramGrid: (event, ctx, pointer) =>
      give(event!, () => system.modules.runGrids(ctx!, [grid(pointer!)])),
    calCtxRunProgramGridArray(event, ctx, pointer) {
      give(event!, () => {
        const [first, count] = list(pointer!, 3) as [number, number, number];
        host.checked((memory) => memory.check(first, count * gridBytes));
        const grids = Array.from({ length: count }, (_, index) => grid(first + index * gridBytes));
        return system.modules.runGrids(ctx!, grids);
      });
    },
    calMemCopy: (event, ctx, source, target, flags) =>
      give(event!, () => system.modules.copy(ctx!, source!, target!, flags!)),
    calCtxFlush: (ctx) => system.modules.flush(ctx!),

    calExtSupported(extid) {
      system.checkReady();
      supportedExtension(extid!);
    },
    calExtGetVersion(major, minor, extid) {
      system.checkReady();
      version([major!, minor!], supportedExtension(extid!).version);
    },
    calExtGetProc(place, extid, name) {
      system.checkReady();
      give(place!, () => placeOfProcedure(extid!, text(name!)));
    },
    calD3D9Associate: (device) => withoutDirect3D(device!),
    calD3D9MapSurface: (res, device) => give(res!, () => withoutDirect3D(device!)),
    calD3D10Associate: (device) => withoutDirect3D(device!),
    calD3D10MapResource: (res, device) => give(res!, () => withoutDirect3D(device!)),

    calCtxCreateCounter: (counter, ctx, type) =>
      give(counter!, () => system.extensions.createCounter(ctx!, type!)),
    calCtxDestroyCounter: (ctx, counter) => system.extensions.destroyCounter(ctx!, counter!),
    calCtxBeginCounter: (ctx, counter) => system.extensions.counter(ctx!, counter!).begin(),
    calCtxEndCounter: (ctx, counter) => system.extensions.counter(ctx!, counter!).end(),
    calCtxGetCounter(result, ctx, counter) {
      setFloats(result!, [0]);
      setFloats(result!, [system.extensions.counter(ctx!, counter!).value]);
    },
    calCtxSetSamplerParams(ctx, name, parameter, pointer) {
      // Which parameter it is comes after what is wrong with the name.
      system.extensions.getSampler(ctx!, name!, 0);
      const [, count] = rangeOf(parameter!);
      system.extensions.setSampler(
        ctx!,
        name!,
        parameter!,
        pointer === 0 ? undefined : floats(pointer!, count),
      );
    },
    calCtxWaitForEvents(ctx, events, count, flags) {
      system.extensions.waitForEvents(ctx!, list(events!, count!), flags!);
    },
    calCtxGetSamplerParams(ctx, name, parameter, pointer) {
      setFloats(pointer!, system.extensions.getSampler(ctx!, name!, parameter!));
    },
  };

  const ofCompiler: Record<string, (...args: Numbers) => void> = {
    calclGetVersion(...pointers) {
      version(pointers, calVersion);
    },
    calclCompile: (object, language, source, target) =>
      give(object!, () => compiler.compile(language!, text(source!), target!)),
    calclAssembleObject: (object, type, source, target) =>
      give(object!, () => compiler.assemble(type!, text(source!), target!)),
    calclLink: (image, objects, count) => give(image!, () => compiler.link(list(objects!, count!))),
    calclFreeObject: (object) => compiler.freeObject(object!),
    calclFreeImage: (image) => compiler.freeImage(image!),
    calclImageGetSize: (bytes, image) => give(bytes!, () => compiler.imageBytes(image!).length),
    calclImageWrite(buffer, room, image) {
      const bytes = compiler.imageToWrite(image!, room!);
      host.checked((memory) => memory.bytes(buffer!, bytes.length)).set(bytes);
    },
  };

  const listings: Record<string, (...args: Numbers) => void> = {
    calclDisassembleObject: (object, log) => compiler.disassembleObject(object!, host.log(log!)),
    calclDisassembleImage: (image, log) => compiler.disassembleImage(image!, host.log(log!)),
  };

  function withoutDirect3D(device: number): never {
    system.checkDevice(device);
    throw notSupported('Direct3D');
  }

  function memoryFrom(pointer: number): Uint8Array {
    return host.checked((memory) => memory.bytesFrom(pointer));
  }

  function floats(pointer: number, count: number): number[] {
    return [...new Float32Array(Uint32Array.from(list(pointer, count)).buffer)];
  }

  function setFloats(pointer: number, values: readonly number[]): void {
    write(pointer, [...new Uint32Array(Float32Array.from(values).buffer)]);
  }

  const told = (name: string, perform: (call: () => void) => number, words: () => string) => {
    return (call: (...args: Numbers) => void, hasResult: boolean): CalFunction =>
      (...args) => {
        host.memory.refresh();
        const result = perform(() => call(...args.map((value) => value >>> 0)));
        host.memory.refresh();
        if (result !== 0) host.tell(name, result, words());
        return hasResult ? result : undefined;
      };
  };
  const functions: Record<string, CalFunction> = {
    calGetErrorString: () => host.giveText('runtime', system.errorText),
    calclGetErrorString: () => host.giveText('compiler', compiler.errorText),
    calCtxIsEventDone(ctx, event) {
      host.memory.refresh();
      const result = system.ask(() => system.context(ctx! >>> 0).isEventDone(event! >>> 0));
      host.memory.refresh();
      if (result !== CAL_RESULT_OK) host.tell('calCtxIsEventDone', result, system.errorText);
      return result;
    },
  };
  const ofRuntime = (call: () => void): number => system.run(call);
  const inCompiler = (call: () => void): number => system.runCompiler(call);
  for (const [name, call] of Object.entries(runtime)) {
    functions[name] = told(name, ofRuntime, () => system.errorText)(call, true);
  }
  for (const [name, call] of Object.entries(ofCompiler)) {
    functions[name] = told(name, inCompiler, () => compiler.errorText)(call, true);
  }
  for (const [name, call] of Object.entries(listings)) {
    functions[name] = told(name, inCompiler, () => compiler.errorText)(call, false);
  }
  return functions;
}

function size(width = 0, height = 0): { width: number; height: number } {
  return { width, height };
}

function kind(format = 0, flags = 0): { format: number; flags: number } {
  return { format, flags };
}

function domain3D(width = 0, height = 0, depth = 0): CALdomain3D {
  return { width, height, depth };
}
