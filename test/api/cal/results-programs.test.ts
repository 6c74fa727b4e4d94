/**
 * The result codes of contexts, the loader, computation, counters, samplers and the compiler: one test for each row of the
 * results tables of the guide's appendix B.3.4 to B.4.4, and of calcl.h.
 */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as il from './il-programs.ts';

const {
  CAL_RESULT_OK: OK,
  CAL_RESULT_ERROR: ERROR,
  CAL_RESULT_INVALID_PARAMETER: INVALID_PARAMETER,
  CAL_RESULT_ALREADY: ALREADY,
  CAL_RESULT_BAD_HANDLE: BAD_HANDLE,
  CAL_RESULT_BAD_NAME_TYPE: BAD_NAME_TYPE,
  CAL_RESULT_PENDING: PENDING,
  CAL_RESULT_BUSY: BUSY,
  CAL_FORMAT_FLOAT_1: FLOAT_1,
  CAL_FORMAT_FLOAT_4: FLOAT_4,
} = cal;
const { bind, filled, imageOf, load, ok } = il;

const nothing = 0x7fffffff;
const domain = { x: 0, y: 0, width: 4, height: 1 };

beforeAll(() => {
  cal.calChooseDevices('webassembly,hd 2900,hd 3870,hd 4870');
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
});

/** `copy` with memory bound to its names, ready to run. */
function ready(ordinal = 0) {
  const { device, context } = il.begin(ordinal);
  const { module, func } = load(context, il.copy, cal.CAL_TARGET_600);
  const input = filled(device, 4, 1, FLOAT_1, (index) => index);
  const output = filled(device, 4, 1, FLOAT_1, () => -1);
  const [i, o] = [bind(context, module, 'i0', input), bind(context, module, 'o0', output)];
  return { device, context, module, func, input, output, i, o };
}

describe('calCtxCreate', () => {
  it('OK, several times on a device; BAD_HANDLE', () => {
    const { device, context } = il.begin();
    const other = ok(cal.calCtxCreate(device));
    expect(other).not.toBe(context);
    expect(cal.calCtxCreate(nothing)).toEqual([BAD_HANDLE, 0]);
  });
});

describe('calCtxDestroy', () => {
  it('OK: its modules and memory handles end, and its programs have run', () => {
    const { context, module, func, output, i } = ready();
    ok(cal.calCtxRunProgram(context, func, domain));
    expect(cal.calCtxDestroy(context)).toBe(OK);
    expect(il.numbers(output, 4, 1)).toEqual([0, 1, 2, 3]);
    expect(cal.calModuleGetEntry(context, module, 'main')).toEqual([BAD_HANDLE, 0]);
    expect(cal.calCtxReleaseMem(context, i)).toBe(BAD_HANDLE);
    expect(cal.calResFree(output)).toBe(OK);
  });

  it('BAD_HANDLE', () => {
    const { context } = il.begin();
    cal.calCtxDestroy(context);
    expect(cal.calCtxDestroy(context)).toBe(BAD_HANDLE);
  });
});

describe('calCtxGetMem and calCtxReleaseMem', () => {
  it('OK, several for a resource; BAD_HANDLE for what is released', () => {
    const { device, context } = il.begin();
    const resource = filled(device, 4, 1, FLOAT_1, () => 0);
    const first = ok(cal.calCtxGetMem(context, resource));
    const second = ok(cal.calCtxGetMem(context, resource));
    expect(cal.calCtxReleaseMem(context, first)).toBe(OK);
    expect(cal.calCtxReleaseMem(context, first)).toBe(BAD_HANDLE);
    expect(cal.calResFree(resource)).toBe(BUSY);
    expect(cal.calCtxReleaseMem(context, second)).toBe(OK);
    expect(cal.calResFree(resource)).toBe(OK);
  });

  it('BAD_HANDLE for a context or a resource that is none, and for a handle of another context', () => {
    const { device, context } = il.begin();
    const resource = filled(device, 4, 1, FLOAT_1, () => 0);
    expect(cal.calCtxGetMem(nothing, resource)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calCtxGetMem(context, nothing)).toEqual([BAD_HANDLE, 0]);
    const mem = ok(cal.calCtxGetMem(context, resource));
    const other = ok(cal.calCtxCreate(device));
    expect(cal.calCtxReleaseMem(other, mem)).toBe(BAD_HANDLE);
    expect(cal.calCtxReleaseMem(nothing, mem)).toBe(BAD_HANDLE);
  });

  it('BAD_HANDLE for remote memory that the device of the context does not share', () => {
    const { device } = il.begin();
    const context = ok(cal.calCtxCreate(il.open(2)));
    const remote = ok(cal.calResAllocRemote1D([device], 1, 64, FLOAT_1, 0));
    expect(cal.calCtxGetMem(context, remote)).toEqual([BAD_HANDLE, 0]);
  });
});

describe('calCtxSetMem', () => {
  it('OK, and OK for 0, which unbinds', () => {
    const { context, module, func, i } = ready();
    const name = ok(cal.calModuleGetName(context, module, 'i0'));
    expect(cal.calCtxSetMem(context, name, 0)).toBe(OK);
    expect(cal.calCtxRunProgram(context, func, domain)).toEqual([ERROR, 0]);
    expect(cal.calGetErrorString()).toBe("no memory is bound to 'i0'");
    expect(cal.calCtxSetMem(context, name, i)).toBe(OK);
    expect(cal.calCtxRunProgram(context, func, domain)[0]).toBe(OK);
  });

  it('BAD_HANDLE for context, name and memory; BAD_NAME_TYPE for a sampler', () => {
    const { context, module, i } = ready();
    const name = ok(cal.calModuleGetName(context, module, 'i0'));
    const sampler = ok(cal.calModuleGetName(context, module, 's0'));
    expect(cal.calCtxSetMem(nothing, name, i)).toBe(BAD_HANDLE);
    expect(cal.calCtxSetMem(context, nothing, i)).toBe(BAD_HANDLE);
    expect(cal.calCtxSetMem(context, name, nothing)).toBe(BAD_HANDLE);
    expect(cal.calCtxSetMem(context, sampler, i)).toBe(BAD_NAME_TYPE);
  });
});

describe('calModuleLoad', () => {
  it('OK, several programs in a context', () => {
    const { context } = il.begin();
    const image = imageOf(il.copy);
    const modules = [ok(cal.calModuleLoad(context, image)), ok(cal.calModuleLoad(context, image))];
    expect(new Set(modules).size).toBe(2);
  });

  it('BAD_HANDLE for the context, ERROR for what is no image', () => {
    const { context } = il.begin();
    expect(cal.calModuleLoad(nothing, imageOf(il.copy))).toEqual([BAD_HANDLE, 0]);
    expect(cal.calModuleLoad(context, nothing)).toEqual([ERROR, 0]);
  });

  it.each([
    [1, 'doubles', il.squareDouble, 'HD 2900 does not compute in double precision'],
    [1, 'the global buffer', il.scatter, 'HD 2900 has no global buffer'],
    [2, 'compute programs', il.doubledIds, 'HD 3870 runs no compute programs (il_cs)'],
  ])('ERROR on card %i for %s', (ordinal, _, source, message) => {
    const { context } = il.begin(ordinal);
    expect(cal.calModuleLoad(context, imageOf(source))).toEqual([ERROR, 0]);
    expect(cal.calGetErrorString()).toBe(message);
  });
});

describe('calModuleUnload', () => {
  it('OK: its names and its function end; BAD_HANDLE', () => {
    const { context, module, func } = ready();
    const name = ok(cal.calModuleGetName(context, module, 'i0'));
    expect(cal.calModuleUnload(nothing, module)).toBe(BAD_HANDLE);
    expect(cal.calModuleUnload(context, module)).toBe(OK);
    expect(cal.calModuleUnload(context, module)).toBe(BAD_HANDLE);
    expect(cal.calCtxSetMem(context, name, 0)).toBe(BAD_HANDLE);
    expect(cal.calCtxRunProgram(context, func, domain)).toEqual([BAD_HANDLE, 0]);
  });
});

describe('calModuleGetEntry, calModuleGetName and calModuleGetFuncInfo', () => {
  it('OK; ERROR for names that there are not', () => {
    const { context, module, func } = ready();
    expect(cal.calModuleGetEntry(context, module, 'main')).toEqual([OK, func]);
    expect(cal.calModuleGetEntry(context, module, 'other')).toEqual([ERROR, 0]);
    expect(cal.calModuleGetName(context, module, 'o0')[0]).toBe(OK);
    for (const symbol of ['o1', 'cb0', 'g', '']) {
      expect(cal.calModuleGetName(context, module, symbol)).toEqual([ERROR, 0]);
    }
    expect(cal.calGetErrorString()).toBe("the program has no symbol ''; it has i0, o0, s0");
    expect(cal.calModuleGetFuncInfo(context, module, func)).toMatchObject([OK, { numThreadPerGroup: 0 }]);
  });

  it('find all kinds of symbols', () => {
    const { context } = il.begin();
    const { module, func } = load(context, il.scatter);
    for (const symbol of ['g', 'g[]', 'cb0', 'o0']) {
      expect(cal.calModuleGetName(context, module, symbol)[0]).toBe(OK);
    }
    const compute = load(context, il.doubledIds);
    expect(cal.calModuleGetFuncInfo(context, compute.module, compute.func)[1]).toMatchObject({
      numThreadPerGroup: 64,
    });
    expect(cal.calModuleGetFuncInfo(context, compute.module, func)).toEqual([BAD_HANDLE, undefined]);
  });

  it('tell what a program takes of the card', () => {
    // Two registers and 4 KiB of group memory for 64 threads: four groups share the 16 KiB of a SIMD engine.
    const source = `il_cs_2_0
dcl_num_thread_per_group 64
dcl_lds_id(0) 4096
dcl_literal l0, 0, 4, 60, 2
ishl r0.x, vTidInGrp.x, l0.w
lds_store_id(0) r0.x, vTidInGrp.x
fence_threads_lds
ixor r0.x, r0.x, l0.z
lds_load_id(0) r1.x, r0.x
mov g[vAbsTidFlat.x].x___, r1.x
end
`;
    const { context } = il.begin(0);
    const { module, func } = load(context, source);
    const [result, info] = cal.calProgramInfo(context, module, func);
    expect(result).toBe(OK);
    expect(info).toMatchObject({
      localBytes: 4096,
      scratchRegisters: 0,
      spilledWords: 0,
      // A store may lie outside of the memory: a branch.
      stackEntries: 1,
      wavefrontSize: 64,
      groupSize: 64,
      wavefronts: 4,
      mostWavefronts: 32,
    });
    // An HD 4870 has ten SIMD engines.
    expect(cal.calModuleGetFuncInfo(context, module, func)[1]).toMatchObject({
      numThreadPerGroup: 64,
      wavefrontPerSIMD: 1,
      numWavefrontPerSIMD: 4,
      isMaxNumWavePerSIMD: false,
      totalNumThreadGroup: 40,
      maxScratchRegsNeeded: 0,
    });
    const pixel = load(context, il.copy);
    expect(cal.calModuleGetFuncInfo(context, pixel.module, pixel.func)[1]).toMatchObject({
      numThreadPerGroup: 0,
      numWavefrontPerSIMD: 32,
      isMaxNumWavePerSIMD: true,
    });
    // A loop takes an entry of the stack, an array of four elements sixteen words, each in an element of its own.
    const looping = il.copy
      .replace(
        'end\n',
        `dcl_indexed_temp_array x0[4]
dcl_literal l0, 0, 1, 3, 0
mov r0, l0.x
ftoi r2, v0
whileloop
    ige r1.x, r0.x, r2.x
    break_logicalnz r1.x
    mov x0[r0.x], o0
    iadd r0, r0, l0.y
endloop
mov o0, x0[r0.x]
end
`,
      )
      .replace(' o0, v0', ' r9, v0')
      .replace('x0[r0.x], o0', 'x0[r0.x], r9');
    const loop = load(context, looping);
    expect(cal.calProgramInfo(context, loop.module, loop.func)[1]).toMatchObject({
      stackEntries: 1,
      scratchRegisters: 16,
    });
    expect(cal.calProgramInfo(context, nothing, func)).toEqual([BAD_HANDLE, undefined]);
  });

  it('BAD_HANDLE for context and module', () => {
    const { context, module, device } = ready();
    const other = ok(cal.calCtxCreate(device));
    const calls = [cal.calModuleGetEntry, cal.calModuleGetName] as const;
    for (const call of calls) {
      expect(call(nothing, module, 'main')).toEqual([BAD_HANDLE, 0]);
      expect(call(context, nothing, 'main')).toEqual([BAD_HANDLE, 0]);
      expect(call(other, module, 'main')).toEqual([BAD_HANDLE, 0]);
    }
    expect(cal.calModuleGetFuncInfo(context, nothing, 1)).toEqual([BAD_HANDLE, undefined]);
  });
});

describe('calImageRead and calImageFree', () => {
  it('OK for what calclImageWrite gives, ERROR for anything else', () => {
    const { context } = il.begin();
    const image = imageOf(il.copy);
    const bytes = new Uint8Array(ok(cal.calclImageGetSize(image)));
    expect(cal.calclImageWrite(bytes, bytes.length, image)).toBe(OK);
    const [result, read] = cal.calImageRead(bytes, bytes.length);
    expect(result).toBe(OK);
    expect(cal.calModuleLoad(context, read)[0]).toBe(OK);
    expect(cal.calImageRead(bytes, bytes.length - 1)).toEqual([ERROR, 0]);
    expect(cal.calImageFree(read)).toBe(OK);
    expect(cal.calImageFree(read)).toBe(ERROR);
  });
});

describe('calCtxRunProgram', () => {
  it('OK', () => {
    const { context, func } = ready();
    const [result, event] = cal.calCtxRunProgram(context, func, domain);
    expect(result).toBe(OK);
    expect(event).toBeGreaterThan(0);
  });

  it('BAD_HANDLE for context and function', () => {
    const { context, func, module } = ready();
    expect(cal.calCtxRunProgram(nothing, func, domain)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calCtxRunProgram(context, module, domain)).toEqual([BAD_HANDLE, 0]);
  });

  it('ERROR while a resource is mapped', () => {
    const { context, func, output } = ready();
    cal.calResMap(output, 0);
    expect(cal.calCtxRunProgram(context, func, domain)).toEqual([ERROR, 0]);
    expect(cal.calGetErrorString()).toBe("the resource of 'o0' is mapped");
    cal.calResUnmap(output);
    expect(cal.calCtxRunProgram(context, func, domain)[0]).toBe(OK);
  });

  it('ERROR after the memory of a name was released', () => {
    const { context, func, i } = ready();
    cal.calCtxReleaseMem(context, i);
    expect(cal.calCtxRunProgram(context, func, domain)).toEqual([ERROR, 0]);
  });

  it('ERROR for memory of another device', () => {
    const { context, module, func } = ready();
    bind(
      context,
      module,
      'i0',
      filled(il.open(2), 4, 1, FLOAT_1, () => 0),
    );
    expect(cal.calCtxRunProgram(context, func, domain)).toEqual([ERROR, 0]);
    expect(cal.calGetErrorString()).toBe("the resource of 'i0' is in the memory of another device");
  });

  it('ERROR for a global buffer that was made as none, and for too few constants', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.scatter);
    bind(
      context,
      module,
      'o0',
      filled(device, 4, 1, FLOAT_1, () => 0),
    );
    bind(
      context,
      module,
      'cb0',
      filled(device, 1, 1, FLOAT_4, () => 0),
    );
    bind(
      context,
      module,
      'g',
      filled(device, 64, 1, FLOAT_4, () => 0),
    );
    expect(cal.calCtxRunProgram(context, func, domain)).toEqual([ERROR, 0]);
    expect(cal.calGetErrorString()).toBe("the resource of 'g' was not made with CAL_RESALLOC_GLOBAL_BUFFER");
    const large = load(context, il.scale.replace('cb0[1]', 'cb0[65]'));
    bind(
      context,
      large.module,
      'i0',
      filled(device, 4, 1, FLOAT_1, () => 0),
    );
    bind(
      context,
      large.module,
      'o0',
      filled(device, 4, 1, FLOAT_1, () => 0),
    );
    bind(
      context,
      large.module,
      'cb0',
      filled(device, 1, 1, FLOAT_4, () => 0),
    );
    expect(cal.calCtxRunProgram(context, large.func, domain)).toEqual([ERROR, 0]);
    expect(cal.calGetErrorString()).toContain('64 constants, and the program has 65');
  });

  it('ERROR for a domain that is none, and for a compute program', () => {
    const { context, func } = ready();
    for (const wrong of [-1, 0.5, 2 ** 31, Number.NaN]) {
      expect(cal.calCtxRunProgram(context, func, { ...domain, width: wrong })).toEqual([ERROR, 0]);
    }
    const compute = load(context, il.doubledIds);
    expect(cal.calCtxRunProgram(context, compute.func, domain)).toEqual([ERROR, 0]);
  });
});

describe('calCtxRunProgramGrid and calCtxRunProgramGridArray', () => {
  const gridOf = (func: number, width = 64): cal.CALprogramGrid => ({
    func,
    gridBlock: { width, height: 1, depth: 1 },
    gridSize: { width: 1, height: 1, depth: 1 },
  });

  it('OK', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.doubledIds);
    bind(
      context,
      module,
      'g',
      filled(device, 64, 1, FLOAT_4, () => 0, cal.CAL_RESALLOC_GLOBAL_BUFFER),
    );
    expect(cal.calCtxRunProgramGrid(context, gridOf(func))[0]).toBe(OK);
    expect(cal.calCtxRunProgramGridArray(context, { gridArray: [gridOf(func)] })[0]).toBe(OK);
  });

  it('ERROR for a function that is none, what is not bound, other groups, no grids and pixel programs', () => {
    const { context } = il.begin();
    const { func } = load(context, il.doubledIds);
    const pixel = load(context, il.copy);
    for (const grid of [gridOf(nothing), gridOf(func), gridOf(func, 32), gridOf(pixel.func)]) {
      expect(cal.calCtxRunProgramGrid(context, grid)).toEqual([ERROR, 0]);
      expect(cal.calCtxRunProgramGridArray(context, { gridArray: [grid] })).toEqual([ERROR, 0]);
    }
    expect(cal.calCtxRunProgramGridArray(context, { gridArray: [] })).toEqual([ERROR, 0]);
  });
});

describe('calMemCopy', () => {
  it('OK; BAD_HANDLE for context, source and target', () => {
    const { context, i, o } = ready();
    expect(cal.calMemCopy(context, i, o, 0)[0]).toBe(OK);
    expect(cal.calMemCopy(nothing, i, o, 0)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calMemCopy(context, nothing, o, 0)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calMemCopy(context, i, nothing, 0)).toEqual([BAD_HANDLE, 0]);
  });

  it('ERROR for other sizes and formats, and for what is mapped', () => {
    const { device, context, i, output } = ready();
    const shapes = [
      [5, 1, FLOAT_1],
      [4, 2, FLOAT_1],
      [4, 1, cal.CAL_FORMAT_INT_1],
    ] as const;
    for (const [width, height, format] of shapes) {
      const other = ok(
        cal.calCtxGetMem(
          context,
          filled(device, width, height, format, () => 0),
        ),
      );
      expect(cal.calMemCopy(context, i, other, 0)).toEqual([ERROR, 0]);
    }
    cal.calResMap(output, 0);
    const mapped = ok(cal.calCtxGetMem(context, output));
    expect(cal.calMemCopy(context, i, mapped, 0)).toEqual([ERROR, 0]);
  });
});

describe('calCtxIsEventDone', () => {
  it('PENDING, then OK, and OK for ever', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.copy);
    const [input, output] = [0, 0].map(() => filled(device, 2048, 2048, FLOAT_1, () => 1));
    bind(context, module, 'i0', input!);
    bind(context, module, 'o0', output!);
    // So many that the last one has not ended when the next line asks, however long another program has the processor.
    const size = { x: 0, y: 0, width: 2048, height: 2048 };
    const events = Array.from({ length: 200 }, () => ok(cal.calCtxRunProgram(context, func, size)));
    const event = events.at(-1)!;
    expect(cal.calCtxIsEventDone(context, event)).toBe(PENDING);
    il.finish(context, event);
    expect(cal.calCtxIsEventDone(context, event)).toBe(OK);
  });

  it('BAD_HANDLE for context and event, those of another context among them', () => {
    const { device, context, func } = ready();
    const event = ok(cal.calCtxRunProgram(context, func, domain));
    const other = ok(cal.calCtxCreate(device));
    expect(cal.calCtxIsEventDone(nothing, event)).toBe(BAD_HANDLE);
    for (const wrong of [0, event + 1, nothing, -1])
      expect(cal.calCtxIsEventDone(context, wrong)).toBe(BAD_HANDLE);
    expect(cal.calCtxIsEventDone(other, event)).toBe(BAD_HANDLE);
  });
});

describe('calCtxFlush', () => {
  it('OK; ERROR for a context that there is not', () => {
    const { context } = il.begin();
    expect(cal.calCtxFlush(context)).toBe(OK);
    expect(cal.calCtxFlush(nothing)).toBe(ERROR);
  });
});

describe('counters', () => {
  const counterOn = (context: number, type: number = cal.CAL_COUNTER_IDLE): number =>
    ok(cal.calCtxCreateCounter(context, type));

  it('calCtxCreateCounter: OK; BAD_HANDLE; INVALID_PARAMETER for a type that there is not', () => {
    const { context } = il.begin();
    counterOn(context);
    expect(cal.calCtxCreateCounter(nothing, cal.CAL_COUNTER_IDLE)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calCtxCreateCounter(context, 2)).toEqual([INVALID_PARAMETER, 0]);
  });

  it('calCtxDestroyCounter: OK; BUSY between begin and end; BAD_HANDLE', () => {
    const { context } = il.begin();
    const counter = counterOn(context);
    cal.calCtxBeginCounter(context, counter);
    expect(cal.calCtxDestroyCounter(context, counter)).toBe(BUSY);
    cal.calCtxEndCounter(context, counter);
    expect(cal.calCtxDestroyCounter(context, counter)).toBe(OK);
    expect(cal.calCtxDestroyCounter(context, counter)).toBe(BAD_HANDLE);
  });

  it('calCtxBeginCounter: OK; ALREADY; BAD_HANDLE for context and counter', () => {
    const { device, context } = il.begin();
    const counter = counterOn(context);
    expect(cal.calCtxBeginCounter(context, counter)).toBe(OK);
    expect(cal.calCtxBeginCounter(context, counter)).toBe(ALREADY);
    expect(cal.calCtxBeginCounter(nothing, counter)).toBe(BAD_HANDLE);
    expect(cal.calCtxBeginCounter(context, nothing)).toBe(BAD_HANDLE);
    expect(cal.calCtxBeginCounter(ok(cal.calCtxCreate(device)), counter)).toBe(BAD_HANDLE);
  });

  it('calCtxEndCounter: OK; ERROR if it was not begun; BAD_HANDLE', () => {
    const { context } = il.begin();
    const counter = counterOn(context);
    expect(cal.calCtxEndCounter(context, counter)).toBe(ERROR);
    cal.calCtxBeginCounter(context, counter);
    expect(cal.calCtxEndCounter(context, counter)).toBe(OK);
    expect(cal.calCtxEndCounter(context, counter)).toBe(ERROR);
    expect(cal.calCtxEndCounter(nothing, counter)).toBe(BAD_HANDLE);
    expect(cal.calCtxEndCounter(context, nothing)).toBe(BAD_HANDLE);
  });

  it('calCtxGetCounter: PENDING until it is ended; then OK and a number from 0 to 1; BAD_HANDLE', () => {
    const { context, func } = ready();
    const counter = counterOn(context);
    expect(cal.calCtxGetCounter(context, counter)).toEqual([PENDING, 0]);
    cal.calCtxBeginCounter(context, counter);
    const event = ok(cal.calCtxRunProgram(context, func, domain));
    expect(cal.calCtxGetCounter(context, counter)).toEqual([PENDING, 0]);
    cal.calCtxEndCounter(context, counter);
    il.finish(context, event);
    const [result, idle] = cal.calCtxGetCounter(context, counter);
    expect(result).toBe(OK);
    expect(idle).toBeGreaterThan(0);
    expect(idle).toBeLessThanOrEqual(1);
    expect(cal.calCtxGetCounter(nothing, counter)).toEqual([BAD_HANDLE, 0]);
    expect(cal.calCtxGetCounter(context, nothing)).toEqual([BAD_HANDLE, 0]);
  });
});

describe('calCtxSetSamplerParams and calCtxGetSamplerParams', () => {
  const samplerOf = (context: number, module: number): number =>
    ok(cal.calModuleGetName(context, module, 's0'));

  it('OK: one value, four of the border, nine of DEFAULT', () => {
    const { context, module } = ready();
    const name = samplerOf(context, module);
    const get = (param: number): number[] => [...cal.calCtxGetSamplerParams(context, name, param)[1]];
    expect(get(cal.CAL_SAMPLER_PARAM_DEFAULT)).toEqual([1, 0, 2, 2, 2, 0, 0, 0, 0]);
    expect(cal.calCtxSetSamplerParams(context, name, cal.CAL_SAMPLER_PARAM_WRAP_T, [6])).toBe(OK);
    expect(cal.calCtxSetSamplerParams(context, name, cal.CAL_SAMPLER_PARAM_BORDER_COLOR, [1, 2, 3, 4])).toBe(
      OK,
    );
    expect(get(cal.CAL_SAMPLER_PARAM_WRAP_T)).toEqual([6]);
    expect(get(cal.CAL_SAMPLER_PARAM_BORDER_COLOR)).toEqual([1, 2, 3, 4]);
    expect(get(cal.CAL_SAMPLER_PARAM_DEFAULT)).toEqual([1, 0, 2, 6, 2, 1, 2, 3, 4]);
    expect(cal.calCtxSetSamplerParams(context, name, cal.CAL_SAMPLER_PARAM_DEFAULT, null)).toBe(OK);
    expect(get(cal.CAL_SAMPLER_PARAM_DEFAULT)).toEqual([1, 0, 2, 2, 2, 0, 0, 0, 0]);
  });

  it('INVALID_PARAMETER without values; BAD_HANDLE; ERROR for what cannot be set', () => {
    const { context, module } = ready();
    const name = samplerOf(context, module);
    const input = ok(cal.calModuleGetName(context, module, 'i0'));
    const param = cal.CAL_SAMPLER_PARAM_WRAP_S;
    expect(cal.calCtxSetSamplerParams(context, name, param, null)).toBe(INVALID_PARAMETER);
    expect(cal.calCtxSetSamplerParams(context, nothing, param, [1])).toBe(BAD_HANDLE);
    expect(cal.calCtxSetSamplerParams(context, input, param, [1])).toBe(BAD_HANDLE);
    expect(cal.calCtxSetSamplerParams(nothing, name, param, [1])).toBe(BAD_HANDLE);
    expect(cal.calCtxGetSamplerParams(context, input, param)[0]).toBe(BAD_HANDLE);
    const wrong: [number, number[]][] = [
      [param, [8]],
      [param, [0.5]],
      [param, []],
      [cal.CAL_SAMPLER_PARAM_MIN_FILTER, [6]],
      [cal.CAL_SAMPLER_PARAM_MAG_FILTER, [2]],
      [cal.CAL_SAMPLER_PARAM_LAST, [0]],
      [-1, [0]],
    ];
    for (const [parameter, values] of wrong) {
      expect(cal.calCtxSetSamplerParams(context, name, parameter, values)).toBe(ERROR);
    }
    expect(cal.calCtxGetSamplerParams(context, name, cal.CAL_SAMPLER_PARAM_LAST)[0]).toBe(ERROR);
  });
});

describe('the compiler', () => {
  const { CAL_LANGUAGE_IL: IL, CAL_TARGET_770: RV770 } = cal;

  it('calclGetVersion: OK', () => {
    expect(cal.calclGetVersion()).toEqual([OK, 1, 4, 0]);
  });

  it('calclCompile: OK; ERROR with the place of the mistake; INVALID_PARAMETER', () => {
    const [result, object] = cal.calclCompile(IL, il.copy, RV770);
    expect(result).toBe(OK);
    expect(cal.calclGetErrorString()).toBe('No error');
    expect(cal.calclFreeObject(object)).toBe(OK);
    expect(cal.calclCompile(IL, 'il_ps_2_0\nadd r0, r1\nend\n', RV770)).toEqual([ERROR, 0]);
    expect(cal.calclGetErrorString()).toContain('kernel.il:2:11: error:');
    expect(cal.calclCompile(3, il.copy, RV770)).toEqual([INVALID_PARAMETER, 0]);
    expect(cal.calclCompile(IL, il.copy, 12)).toEqual([INVALID_PARAMETER, 0]);
  });

  it('calclCompile: ERROR for what no device of the target can do', () => {
    expect(cal.calclCompile(IL, il.squareDouble, cal.CAL_TARGET_600)).toEqual([ERROR, 0]);
    expect(cal.calclCompile(IL, il.scatter, cal.CAL_TARGET_610)).toEqual([ERROR, 0]);
    expect(cal.calclCompile(IL, il.doubledIds, cal.CAL_TARGET_670)).toEqual([ERROR, 0]);
    expect(cal.calclGetErrorString()).toBe('RV670 runs no compute programs (il_cs)');
  });

  it('calclAssembleObject: OK; ERROR for the other type of program; INVALID_PARAMETER', () => {
    expect(cal.calclAssembleObject(cal.CAL_PROGRAM_TYPE_PS, il.copy, RV770)[0]).toBe(OK);
    expect(cal.calclAssembleObject(cal.CAL_PROGRAM_TYPE_CS, il.doubledIds, RV770)[0]).toBe(OK);
    expect(cal.calclAssembleObject(cal.CAL_PROGRAM_TYPE_CS, il.copy, RV770)).toEqual([ERROR, 0]);
    expect(cal.calclAssembleObject(2, il.copy, RV770)).toEqual([INVALID_PARAMETER, 0]);
  });

  it('INVALID_PARAMETER for what JavaScript may give in place of arrays, bytes and texts', () => {
    const { device, context } = il.begin();
    const object = ok(cal.calclCompile(cal.CAL_LANGUAGE_IL, il.copy, cal.CAL_TARGET_600));
    const refused = [INVALID_PARAMETER, 0];
    expect(cal.calclLink(object as never)).toEqual(refused);
    expect(cal.calclGetErrorString()).toMatch(/^\d+ is no array$/);
    expect(cal.calclLink(undefined as never)).toEqual(refused);
    expect(cal.calclCompile(cal.CAL_LANGUAGE_IL, null as never, cal.CAL_TARGET_600)).toEqual(refused);
    expect(cal.calclGetErrorString()).toBe('null is no text of a program');
    const image = ok(cal.calclLink([object]));
    expect(cal.calclImageWrite([] as never, 4, image)).toBe(INVALID_PARAMETER);
    expect(cal.calImageRead(undefined as never)).toEqual(refused);
    expect(cal.calResAllocRemote1D(device as never, 1, 4, FLOAT_1, 0)).toEqual(refused);
    expect(cal.calResAllocRemote2D(undefined as never, 1, 4, 4, FLOAT_1, 0)).toEqual(refused);
    expect(cal.calCtxRunProgramGridArray(context, undefined as never)).toEqual(refused);
    expect(cal.calGetErrorString()).toBe('undefined is no array');
    expect(cal.calDeviceOpen('length' as never)).toEqual(refused);
  });

  it('calclLink: OK; ERROR for what is no object and for two programs of one target; INVALID_PARAMETER without', () => {
    const object = ok(cal.calclCompile(IL, il.copy, RV770));
    const again = ok(cal.calclCompile(IL, il.copy, RV770));
    const other = ok(cal.calclCompile(IL, il.copy, cal.CAL_TARGET_670));
    expect(cal.calclLink([object, other], 2)[0]).toBe(OK);
    expect(cal.calclLink([object, again], 2)).toEqual([ERROR, 0]);
    expect(cal.calclLink([nothing], 1)).toEqual([ERROR, 0]);
    expect(cal.calclLink([object], 0)).toEqual([INVALID_PARAMETER, 0]);
  });

  it('calclFreeObject, calclFreeImage: OK; ERROR', () => {
    const object = ok(cal.calclCompile(IL, il.copy, RV770));
    const image = ok(cal.calclLink([object]));
    expect(cal.calclFreeObject(image)).toBe(ERROR);
    expect(cal.calclFreeObject(object)).toBe(OK);
    expect(cal.calclFreeObject(object)).toBe(ERROR);
    expect(cal.calclFreeImage(image)).toBe(OK);
    expect(cal.calclFreeImage(image)).toBe(ERROR);
  });

  it('calclImageGetSize, calclImageWrite: OK; ERROR', () => {
    const image = imageOf(il.copy);
    const size = ok(cal.calclImageGetSize(image));
    const buffer = new Uint8Array(size);
    expect(cal.calclImageWrite(buffer, size - 1, image)).toBe(ERROR);
    expect(cal.calclImageWrite(buffer, size, image)).toBe(OK);
    expect([...buffer.subarray(0, 4)]).toEqual([0x7f, 0x45, 0x4c, 0x46]);
    expect(cal.calclImageGetSize(nothing)).toEqual([ERROR, 0]);
    expect(cal.calclImageWrite(buffer, size, nothing)).toBe(ERROR);
  });

  it('calclDisassembleObject, calclDisassembleImage: lines; nothing for what is none', () => {
    const lines: string[] = [];
    cal.calclDisassembleImage(nothing, (line) => lines.push(line));
    cal.calclDisassembleObject(nothing, (line) => lines.push(line));
    expect(lines).toEqual([]);
    expect(cal.calclGetErrorString()).toBe(`${nothing} is no object`);
    cal.calclDisassembleImage(imageOf(il.copy), (line) => lines.push(line));
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines).toContain('.target RV770\n');
  });
});
