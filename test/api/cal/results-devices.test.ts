/**
 * The result codes of system, devices and memory: one test for each row of the results tables of the guide's appendix B.3.1 to
 * B.3.3. Rows about null pointers are those of programs in C (c-results.test.ts).
 */
import * as cal from 'millrace/cal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const {
  CAL_RESULT_OK: OK,
  CAL_RESULT_ERROR: ERROR,
  CAL_RESULT_INVALID_PARAMETER: INVALID_PARAMETER,
  CAL_RESULT_NOT_SUPPORTED: NOT_SUPPORTED,
  CAL_RESULT_ALREADY: ALREADY,
  CAL_RESULT_NOT_INITIALIZED: NOT_INITIALIZED,
  CAL_RESULT_BAD_HANDLE: BAD_HANDLE,
  CAL_RESULT_BUSY: BUSY,
  CAL_RESULT_WARNING: WARNING,
  CAL_FORMAT_FLOAT_1: FLOAT_1,
  CAL_FORMAT_FLOAT_4: FLOAT_4,
} = cal;

/** No handle: they count from 1. */
const nothing = 0x7fffffff;

beforeEach(() => {
  // A card, and devices of which it is known that they are there.
  cal.calChooseDevices('webassembly,hd 2900,hd 3870,hd 4870,interpreter');
});

afterEach(() => {
  cal.calShutdown();
  cal.calChooseDevices(undefined);
});

function opened(ordinal = 0): number {
  cal.calInit();
  const [result, device] = cal.calDeviceOpen(ordinal);
  expect(result).toBe(OK);
  return device;
}

describe('calInit', () => {
  it('OK, and ALREADY for the second time', () => {
    expect(cal.calInit()).toBe(OK);
    expect(cal.calInit()).toBe(ALREADY);
    expect(cal.calGetErrorString()).toBe('CAL is initialized already');
  });

  it('ERROR without a device', () => {
    cal.calChooseDevices('a card that nobody made');
    expect(cal.calInit()).toBe(ERROR);
  });
});

describe('calShutdown', () => {
  it('OK, and again after another calInit', () => {
    for (let time = 0; time < 2; time += 1) {
      expect(cal.calInit()).toBe(OK);
      expect(cal.calShutdown()).toBe(OK);
    }
  });

  it('NOT_INITIALIZED for every function outside of a pair', () => {
    const calls: Record<string, () => unknown> = {
      calShutdown: () => cal.calShutdown(),
      calGetVersion: () => cal.calGetVersion(),
      calDeviceGetCount: () => cal.calDeviceGetCount(),
      calDeviceGetInfo: () => cal.calDeviceGetInfo(0),
      calDeviceGetAttribs: () => cal.calDeviceGetAttribs(0),
      calDeviceOpen: () => cal.calDeviceOpen(0),
      calDeviceGetStatus: () => cal.calDeviceGetStatus(1),
      calDeviceClose: () => cal.calDeviceClose(1),
      calResAllocLocal1D: () => cal.calResAllocLocal1D(1, 1, FLOAT_1, 0),
      calResAllocLocal2D: () => cal.calResAllocLocal2D(1, 1, 1, FLOAT_1, 0),
      calResAllocRemote1D: () => cal.calResAllocRemote1D([1], 1, 1, FLOAT_1, 0),
      calResAllocRemote2D: () => cal.calResAllocRemote2D([1], 1, 1, 1, FLOAT_1, 0),
      calResFree: () => cal.calResFree(1),
      calResMap: () => cal.calResMap(1, 0),
      calResUnmap: () => cal.calResUnmap(1),
      calCtxCreate: () => cal.calCtxCreate(1),
      calCtxDestroy: () => cal.calCtxDestroy(1),
      calCtxGetMem: () => cal.calCtxGetMem(1, 1),
      calCtxReleaseMem: () => cal.calCtxReleaseMem(1, 1),
      calCtxSetMem: () => cal.calCtxSetMem(1, 1, 1),
      calModuleLoad: () => cal.calModuleLoad(1, 1),
      calModuleUnload: () => cal.calModuleUnload(1, 1),
      calModuleGetEntry: () => cal.calModuleGetEntry(1, 1, 'main'),
      calModuleGetName: () => cal.calModuleGetName(1, 1, 'o0'),
      calModuleGetFuncInfo: () => cal.calModuleGetFuncInfo(1, 1, 1),
      calImageRead: () => cal.calImageRead(new Uint8Array(4)),
      calImageFree: () => cal.calImageFree(1),
      calCtxRunProgram: () => cal.calCtxRunProgram(1, 1, { x: 0, y: 0, width: 1, height: 1 }),
      calCtxRunProgramGrid: () => cal.calCtxRunProgramGrid(1, oneThread(1)),
      calCtxRunProgramGridArray: () => cal.calCtxRunProgramGridArray(1, { gridArray: [oneThread(1)] }),
      calMemCopy: () => cal.calMemCopy(1, 1, 1, 0),
      calCtxIsEventDone: () => cal.calCtxIsEventDone(1, 1),
      calCtxFlush: () => cal.calCtxFlush(1),
      calExtSupported: () => cal.calExtSupported(cal.CAL_EXT_COUNTERS),
      calExtGetVersion: () => cal.calExtGetVersion(cal.CAL_EXT_COUNTERS),
      calExtGetProc: () => cal.calExtGetProc(cal.CAL_EXT_COUNTERS, 'calCtxGetCounter'),
      calD3D9Associate: () => cal.calD3D9Associate(1, 0),
      calD3D9MapSurface: () => cal.calD3D9MapSurface(1, 0, 0),
      calD3D10Associate: () => cal.calD3D10Associate(1, 0),
      calD3D10MapResource: () => cal.calD3D10MapResource(1, 0, 0),
      calCtxCreateCounter: () => cal.calCtxCreateCounter(1, cal.CAL_COUNTER_IDLE),
      calCtxDestroyCounter: () => cal.calCtxDestroyCounter(1, 1),
      calCtxBeginCounter: () => cal.calCtxBeginCounter(1, 1),
      calCtxEndCounter: () => cal.calCtxEndCounter(1, 1),
      calCtxGetCounter: () => cal.calCtxGetCounter(1, 1),
      calCtxSetSamplerParams: () => cal.calCtxSetSamplerParams(1, 1, 0, null),
      calCtxGetSamplerParams: () => cal.calCtxGetSamplerParams(1, 1, 0),
      calResCreate1D: () => cal.calResCreate1D(1, new Float32Array(64), 64, FLOAT_1, 256, 0),
      calResCreate2D: () => cal.calResCreate2D(1, new Float32Array(64), 64, 1, FLOAT_1, 256, 0),
    };
    const results = Object.entries(calls).map(([name, call]) => {
      const answer = call();
      return [name, Array.isArray(answer) ? answer[0] : answer];
    });
    const expected = Object.keys(calls).map((name) => [name, NOT_INITIALIZED]);
    expect(results).toEqual(expected);
  });

  it('ends contexts, resources and devices', () => {
    const device = opened();
    const [, resource] = cal.calResAllocLocal1D(device, 64, FLOAT_1, 0);
    const [, context] = cal.calCtxCreate(device);
    cal.calShutdown();
    cal.calInit();
    expect(cal.calResFree(resource)).toBe(BAD_HANDLE);
    expect(cal.calCtxDestroy(context)).toBe(BAD_HANDLE);
    expect(cal.calDeviceOpen(0)[0]).toBe(OK);
  });
});

function oneThread(func: number): cal.CALprogramGrid {
  const one = { width: 1, height: 1, depth: 1 };
  return { func, gridBlock: one, gridSize: one };
}

describe('calGetVersion', () => {
  it('OK and the version of the interface', () => {
    cal.calInit();
    expect(cal.calGetVersion()).toEqual([OK, 1, 4, 0]);
  });
});

describe('calDeviceGetCount', () => {
  it('OK and the number', () => {
    cal.calInit();
    expect(cal.calDeviceGetCount()).toEqual([OK, 5]);
  });

  it('0 on an error', () => {
    expect(cal.calDeviceGetCount()).toEqual([NOT_INITIALIZED, 0]);
  });
});

describe('calDeviceGetInfo and calDeviceGetAttribs', () => {
  it('OK without opening the device; what a card has is what the guide says of it', () => {
    cal.calInit();
    expect(cal.calDeviceGetInfo(2)).toEqual([
      OK,
      {
        target: cal.CAL_TARGET_670,
        maxResource1DWidth: 8192,
        maxResource2DWidth: 8192,
        maxResource2DHeight: 8192,
      },
    ]);
    const [result, attribs] = cal.calDeviceGetAttribs(2);
    expect(result).toBe(OK);
    expect(attribs).toMatchObject({
      struct_size: 112,
      engineClock: 775,
      memoryClock: 1125,
      wavefrontSize: 64,
      numberOfSIMD: 4,
      doublePrecision: true,
      memExport: true,
      computeShader: false,
      numberOfUAVs: 0,
      b3dProgramGrid: false,
      numberOfShaderEngines: 1,
      totalVisibleHeap: 512,
      totalInvisibleHeap: 0,
    });
  });

  it('have the features of appendix C', () => {
    cal.calChooseDevices(undefined);
    cal.calInit();
    const [, count] = cal.calDeviceGetCount();
    const rows = Array.from({ length: count }, (_, ordinal) => {
      const [, attribs] = cal.calDeviceGetAttribs(ordinal);
      const { doublePrecision, memExport, computeShader } = attribs!;
      return [cal.calDeviceName(ordinal)[1], doublePrecision, memExport, computeShader];
    });
    for (const row of [
      ['HD 2900', false, false, false],
      ['HD 3870', true, true, false],
      ['HD 4850', true, true, true],
      ['HD 4870', true, true, true],
      ['FireGL V7700', true, true, false],
      ['FireStream 9170', true, true, false],
      ['FireStream 9250', true, true, true],
    ]) {
      expect(rows).toContainEqual(row);
    }
  });

  it('INVALID_PARAMETER for an ordinal that there is not', () => {
    cal.calInit();
    for (const ordinal of [5, -1, 0.5]) {
      expect(cal.calDeviceGetInfo(ordinal)).toEqual([INVALID_PARAMETER, undefined]);
      expect(cal.calDeviceGetAttribs(ordinal)).toEqual([INVALID_PARAMETER, undefined]);
    }
  });
});

describe('calDeviceOpen', () => {
  it('OK; ERROR while it is open; OK after it was closed', () => {
    const device = opened();
    expect(device).toBeGreaterThan(0);
    expect(cal.calDeviceOpen(0)).toEqual([ERROR, 0]);
    expect(cal.calDeviceClose(device)).toBe(OK);
    expect(cal.calDeviceOpen(0)[0]).toBe(OK);
  });

  it('INVALID_PARAMETER for an ordinal that there is not', () => {
    cal.calInit();
    expect(cal.calDeviceOpen(5)).toEqual([INVALID_PARAMETER, 0]);
  });
});

describe('calDeviceGetStatus', () => {
  it('OK and the memory that is left', () => {
    const device = opened(2);
    const [result, status] = cal.calDeviceGetStatus(device);
    expect(result).toBe(OK);
    expect(status).toMatchObject({
      struct_size: 72,
      availLocalRAM: 512,
      availUncachedRemoteRAM: 1024,
      availCachedRemoteRAM: 256,
      availVisibleHeap: 512,
      largestBlockVisibleHeap: 512,
      largestBlockRemoteHeap: 1024,
    });
    // 18 words
    expect(Object.keys(status!)).toHaveLength(72 / 4);
    // 1024 x 1024 elements of 16 bytes.
    expect(cal.calResAllocLocal2D(device, 1024, 1024, FLOAT_4, 0)[0]).toBe(OK);
    expect(cal.calDeviceGetStatus(device)[1]).toMatchObject({ availLocalRAM: 496 });
  });

  it('INVALID_PARAMETER for a device that is not open', () => {
    cal.calInit();
    expect(cal.calDeviceGetStatus(nothing)).toEqual([INVALID_PARAMETER, undefined]);
  });
});

describe('calDeviceClose', () => {
  it('OK: contexts and resources of the device end', () => {
    const device = opened();
    const [, context] = cal.calCtxCreate(device);
    const [, resource] = cal.calResAllocLocal1D(device, 64, FLOAT_1, 0);
    expect(cal.calDeviceClose(device)).toBe(OK);
    expect(cal.calCtxFlush(context)).toBe(ERROR);
    expect(cal.calResMap(resource, 0)[0]).toBe(BAD_HANDLE);
  });

  it('ERROR for a device that is not open', () => {
    const device = opened();
    cal.calDeviceClose(device);
    expect(cal.calDeviceClose(device)).toBe(ERROR);
  });
});

/** The four functions with the same rows, called with a device, a width, a format and flags. */
const allocations: Record<
  string,
  (device: number, width: number, format: number, flags: number) => [number, number]
> = {
  calResAllocLocal1D: cal.calResAllocLocal1D,
  calResAllocLocal2D: (device, width, format, flags) =>
    cal.calResAllocLocal2D(device, width, 2, format, flags),
  calResAllocRemote1D: (device, width, format, flags) =>
    cal.calResAllocRemote1D([device], 1, width, format, flags),
  calResAllocRemote2D: (device, width, format, flags) =>
    cal.calResAllocRemote2D([device], 1, width, 2, format, flags),
};

describe.each(Object.entries(allocations))('%s', (name, allocate) => {
  it('OK', () => {
    const [result, resource] = allocate(opened(), 64, FLOAT_1, 0);
    expect(result).toBe(OK);
    expect(resource).toBeGreaterThan(0);
  });

  it('BAD_HANDLE for a device that is not open', () => {
    cal.calInit();
    expect(allocate(nothing, 64, FLOAT_1, 0)).toEqual([BAD_HANDLE, 0]);
  });

  it('ERROR for a size that the card has not, and no size', () => {
    const device = opened(2);
    for (const width of [0, 8193]) expect(allocate(device, width, FLOAT_1, 0)).toEqual([ERROR, 0]);
    expect(allocate(device, 8192, FLOAT_1, 0)[0]).toBe(OK);
  });

  it('ERROR for doubles and global buffers on a card without', () => {
    const device = opened(1);
    expect(allocate(device, 64, cal.CAL_FORMAT_DOUBLE_1, 0)).toEqual([ERROR, 0]);
    expect(allocate(device, 64, FLOAT_1, cal.CAL_RESALLOC_GLOBAL_BUFFER)).toEqual([ERROR, 0]);
  });

  it('INVALID_PARAMETER for a format or flags that there are not', () => {
    const device = opened();
    expect(allocate(device, 64, 47, 0)).toEqual([INVALID_PARAMETER, 0]);
    expect(allocate(device, 64, FLOAT_1, 4)).toEqual([INVALID_PARAMETER, 0]);
    const cacheable = name.includes('Remote') ? OK : INVALID_PARAMETER;
    expect(allocate(device, 64, FLOAT_1, cal.CAL_RESALLOC_CACHEABLE)[0]).toBe(cacheable);
  });

  it('WARNING, and a resource, for a global buffer whose width is no multiple of 64', () => {
    const device = opened();
    const [result, resource] = allocate(device, 65, FLOAT_1, cal.CAL_RESALLOC_GLOBAL_BUFFER);
    expect(result).toBe(WARNING);
    expect(cal.calGetErrorString()).toBe("the global buffer's width is 65: it should be a multiple of 64");
    const [, data, pitch] = cal.calResMap(resource, 0);
    expect(pitch).toBe(128);
    expect(data).toHaveLength(name.endsWith('2D') ? 256 : 128);
  });
});

describe('memory of a card', () => {
  it('ends: ERROR for local and for cached remote memory beyond it', () => {
    const device = opened(2);
    // 8192 x 8192 x 16 bytes are a gigabyte, 4096 x 4096 x 16 are 256 megabytes: of local memory there are 512.
    expect(cal.calResAllocLocal2D(device, 8192, 8192, FLOAT_4, 0)).toEqual([ERROR, 0]);
    const [large, cached] = cal.calResAllocRemote2D(
      [device],
      1,
      4096,
      4096,
      FLOAT_4,
      cal.CAL_RESALLOC_CACHEABLE,
    );
    expect(large).toBe(OK);
    expect(cal.calResAllocRemote1D([device], 1, 64, FLOAT_1, cal.CAL_RESALLOC_CACHEABLE)).toEqual([ERROR, 0]);
    expect(cal.calResFree(cached)).toBe(OK);
    expect(cal.calResAllocRemote1D([device], 1, 64, FLOAT_1, cal.CAL_RESALLOC_CACHEABLE)[0]).toBe(OK);
  });
});

describe('calResAllocRemote2D', () => {
  it('BAD_HANDLE if one of several devices is not open, and without any', () => {
    const device = opened();
    expect(cal.calResAllocRemote2D([device, nothing], 2, 64, 1, FLOAT_1, 0)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calResAllocRemote2D([device, nothing], 1, 64, 1, FLOAT_1, 0)[0]).toBe(OK);
    expect(cal.calResAllocRemote2D([], 0, 64, 1, FLOAT_1, 0)).toEqual([BAD_HANDLE, 0]);
  });
});

describe('calResFree', () => {
  it('OK, and BAD_HANDLE for what is free', () => {
    const [, resource] = cal.calResAllocLocal1D(opened(), 64, FLOAT_1, 0);
    expect(cal.calResFree(resource)).toBe(OK);
    expect(cal.calResFree(resource)).toBe(BAD_HANDLE);
  });

  it('BUSY while a context uses it', () => {
    const device = opened();
    const [, resource] = cal.calResAllocLocal1D(device, 64, FLOAT_1, 0);
    const [, context] = cal.calCtxCreate(device);
    const [, mem] = cal.calCtxGetMem(context, resource);
    expect(cal.calResFree(resource)).toBe(BUSY);
    cal.calCtxReleaseMem(context, mem);
    expect(cal.calResFree(resource)).toBe(OK);
  });
});

describe('calResMap and calResUnmap', () => {
  it('OK, the elements, and a pitch of at least the width', () => {
    const [, resource] = cal.calResAllocLocal2D(opened(), 100, 3, FLOAT_4, 0);
    const [result, data, pitch] = cal.calResMap(resource, 0);
    expect(result).toBe(OK);
    expect(pitch).toBe(128);
    expect(data).toBeInstanceOf(Float32Array);
    expect(data).toHaveLength(128 * 3 * 4);
    data!.fill(2.5);
    expect(cal.calResUnmap(resource)).toBe(OK);
    expect(cal.calResMap(resource, 0)[1]![128 * 3 * 4 - 1]).toBe(2.5);
  });

  it('BAD_HANDLE', () => {
    cal.calInit();
    expect(cal.calResMap(nothing, 0)).toEqual([BAD_HANDLE, undefined, 0]);
    expect(cal.calResUnmap(nothing)).toBe(BAD_HANDLE);
  });

  it('ALREADY for a second map, ERROR for a second unmap', () => {
    const [, resource] = cal.calResAllocLocal1D(opened(), 64, FLOAT_1, 0);
    cal.calResMap(resource, 0);
    expect(cal.calResMap(resource, 0)).toEqual([ALREADY, undefined, 0]);
    expect(cal.calResUnmap(resource)).toBe(OK);
    expect(cal.calResUnmap(resource)).toBe(ERROR);
  });

  it('INVALID_PARAMETER for flags: there are none', () => {
    const [, resource] = cal.calResAllocLocal1D(opened(), 64, FLOAT_1, 0);
    expect(cal.calResMap(resource, 1)).toEqual([INVALID_PARAMETER, undefined, 0]);
  });

  it.each([
    ['UBYTE_1', cal.CAL_FORMAT_UBYTE_1, Uint8Array, 1],
    ['BYTE_4', cal.CAL_FORMAT_BYTE_4, Int8Array, 4],
    ['USHORT_2', cal.CAL_FORMAT_USHORT_2, Uint16Array, 2],
    ['SHORT_4', cal.CAL_FORMAT_SHORT_4, Int16Array, 4],
    ['UINT_1', cal.CAL_FORMAT_UINT_1, Uint32Array, 1],
    ['INT_4', cal.CAL_FORMAT_INT_4, Int32Array, 4],
    ['FLOAT_2', cal.CAL_FORMAT_FLOAT_2, Float32Array, 2],
    ['DOUBLE_2', cal.CAL_FORMAT_DOUBLE_2, Float64Array, 2],
  ] as const)('gives the numbers of %s', (_, format, array, components) => {
    const [, resource] = cal.calResAllocRemote1D([opened()], 1, 64, format, 0);
    const [, data] = cal.calResMap(resource, 0);
    expect(data).toBeInstanceOf(array);
    expect(data).toHaveLength(64 * components);
  });
});

describe('calResCreate1D and calResCreate2D', () => {
  const memory = () => new Float32Array(new ArrayBuffer(4096));
  const both: [string, (d: number, m: Float32Array, w: number, size: number) => [number, number]][] = [
    ['1D', (device, mem, width, size) => cal.calResCreate1D(device, mem, width, FLOAT_1, size, 0)],
    ['2D', (device, mem, width, size) => cal.calResCreate2D(device, mem, width, 1, FLOAT_1, size, 0)],
  ];

  it.each(both)('%s: OK', (_, create) => {
    const array = memory();
    const [result, resource] = create(opened(), array, 64, 256);
    expect(result).toBe(OK);
    const [, data] = cal.calResMap(resource, 0);
    data![3] = 7;
    expect(array[3]).toBe(7);
  });

  it.each(both)('%s: BAD_HANDLE for a device that is not open', (_, create) => {
    cal.calInit();
    expect(create(nothing, memory(), 64, 256)).toEqual([BAD_HANDLE, 0]);
  });

  it.each(both)('%s: INVALID_PARAMETER for a width that the device has not', (_, create) => {
    const device = opened(2);
    for (const width of [0, 16384])
      expect(create(device, memory(), width, 4096)).toEqual([INVALID_PARAMETER, 0]);
  });

  it.each(both)('%s: INVALID_PARAMETER for memory that is not aligned', (_, create) => {
    expect(create(opened(), memory().subarray(1), 64, 256)).toEqual([INVALID_PARAMETER, 0]);
  });

  it.each(both)('%s: ERROR for a size that is too small and a width that is not aligned', (_, create) => {
    const device = opened();
    expect(create(device, memory(), 64, 255)).toEqual([ERROR, 0]);
    expect(create(device, memory(), 2048, 8192)).toEqual([ERROR, 0]);
    expect(create(device, memory(), 65, 4096)).toEqual([ERROR, 0]);
  });
});

describe('extensions', () => {
  it('calExtSupported: OK or NOT_SUPPORTED', () => {
    cal.calInit();
    for (const id of [0x1004, 0x1006, 0x1007, 0x1008, 0x8009]) expect(cal.calExtSupported(id)).toBe(OK);
    for (const id of [0x1001, 0x1002, 0x1003, 0x1005, 0, 0x1009]) {
      expect(cal.calExtSupported(id)).toBe(NOT_SUPPORTED);
    }
  });

  it('calExtGetVersion: OK or NOT_SUPPORTED', () => {
    cal.calInit();
    expect(cal.calExtGetVersion(cal.CAL_EXT_COUNTERS)).toEqual([OK, 1, 0]);
    expect(cal.calExtGetVersion(cal.CAL_EXT_D3D9)).toEqual([NOT_SUPPORTED, 0, 0]);
  });

  it('calExtGetProc: OK and the function, or NOT_SUPPORTED and none', () => {
    cal.calInit();
    expect(cal.calExtGetProc(cal.CAL_EXT_RES_CREATE, 'calResCreate2D')).toEqual([OK, cal.calResCreate2D]);
    expect(cal.calExtGetProc(cal.CAL_EXT_RES_CREATE, 'calInit')).toEqual([NOT_SUPPORTED, undefined]);
    expect(cal.calExtGetProc(cal.CAL_EXT_D3D10, 'calD3D10Associate')).toEqual([NOT_SUPPORTED, undefined]);
  });

  it('Direct3D is not supported', () => {
    const device = opened();
    expect(cal.calD3D9Associate(device, {})).toBe(NOT_SUPPORTED);
    expect(cal.calD3D9MapSurface(device, {}, 0)).toEqual([NOT_SUPPORTED, 0]);
    expect(cal.calD3D10Associate(device, {})).toBe(NOT_SUPPORTED);
    expect(cal.calD3D10MapResource(device, {}, 0)).toEqual([NOT_SUPPORTED, 0]);
  });
});
