/** Memory whose handles end, or whose device is closed, while programs and copies still need it; and memory that the program pinned. */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nativeDevices } from '../../../src/devices/icd/discover.ts';
import * as il from './il-programs.ts';

const { CAL_FORMAT_FLOAT_1: FLOAT_1, CAL_RESULT_OK: OK } = cal;
const { bind, filled, finish, load, numbers, ok } = il;

const driver = nativeDevices()[0]?.info.name;

beforeAll(() => {
  cal.calChooseDevices(
    `webassembly,hd 3870,hd 4870${driver === undefined ? '' : `,${driver.split(/[- ]/)[0]}`}`,
  );
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
  cal.calChooseDevices(undefined);
});

const [width, height] = [512, 256];
const domain = { x: 0, y: 0, width, height };
const count = width * height;
const ramp = Array.from({ length: count }, (_, index) => index);

/** o0 = i0, after a thousand sines, so that commands behind it come while it runs. */
const slowCopy = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_literal l0, 0x3F800000, 0x447A0000, 0, 0
sample_resource(0)_sampler(0) r0, v0.xyxx
mov r1, l0.zzzz
mov r4, l0.zzzz
whileloop
  ge r2.x, r1.x, l0.y
  break_logicalnz r2.x
  sin_vec r3, r1
  add r4, r4, r3
  add r1, r1, l0.x
endloop
eq r4, r4, l0.y
and r4, r4, l0.z
add o0, r0, r4
end
`;

/** A resource in an array of the program's. */
function pinned(device: number) {
  const array = new Float32Array(count).fill(-1);
  const resource = ok(cal.calResCreate2D(device, array, width, height, FLOAT_1, array.byteLength, 0));
  return { array, resource };
}

describe('a program that waits for a flush', () => {
  it('keeps its output when that is released and freed', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.copy);
    bind(
      context,
      module,
      'i0',
      filled(device, width, height, FLOAT_1, (index) => index),
    );
    const output = filled(device, width, height, FLOAT_1, () => -1);
    const mem = bind(context, module, 'o0', output);
    const event = ok(cal.calCtxRunProgram(context, func, domain));
    expect(cal.calCtxReleaseMem(context, mem)).toBe(OK);
    expect(cal.calResFree(output)).toBe(OK);
    const others = Array.from({ length: 3 }, () => filled(device, width, height, FLOAT_1, () => 7));
    finish(context, event);
    for (const other of others) expect(new Set(numbers(other, width, height))).toEqual(new Set([7]));
  });
});

describe('a device that is closed', () => {
  it('leaves remote memory to the devices that share it', () => {
    const { device: first } = il.begin(1);
    const { device: second, context } = il.begin(2);
    const { module, func } = load(context, il.copy);
    bind(
      context,
      module,
      'i0',
      filled(second, width, height, FLOAT_1, (index) => index),
    );
    const output = ok(cal.calResAllocRemote2D([first, second], 2, width, height, FLOAT_1, 0));
    const mem = bind(context, module, 'o0', output);
    const before = cal.calDeviceGetStatus(second)[1]!.availUncachedRemoteRAM;
    cal.calDeviceClose(first);
    const other = filled(second, width, height, FLOAT_1, () => 7);
    finish(context, ok(cal.calCtxRunProgram(context, func, domain)));
    expect(new Set(numbers(other, width, height))).toEqual(new Set([7]));
    expect(numbers(output, width, height)).toEqual(ramp);
    // Half a megabyte of its budget is taken from now on.
    expect(cal.calDeviceGetStatus(second)[1]!.availUncachedRemoteRAM).toBe(before - 1);
    expect(cal.calCtxReleaseMem(context, mem)).toBe(OK);
    expect(cal.calResFree(output)).toBe(OK);
  });

  it("takes its local memory from other devices' contexts, after what they had to do with it", () => {
    const { device: first } = il.begin(1);
    const { device: second, context } = il.begin(2);
    const local = filled(first, width, height, FLOAT_1, (index) => index);
    const target = filled(second, width, height, FLOAT_1, () => -1);
    const [from, to] = [local, target].map((resource) => ok(cal.calCtxGetMem(context, resource)));
    const event = ok(cal.calMemCopy(context, from!, to!, 0));
    cal.calDeviceClose(first);
    finish(context, event);
    expect(numbers(target, width, height)).toEqual(ramp);
    expect(cal.calMemCopy(context, from!, to!, 0)).toEqual([cal.CAL_RESULT_BAD_HANDLE, 0]);
    expect(cal.calCtxReleaseMem(context, from!)).toBe(cal.CAL_RESULT_BAD_HANDLE);
    expect(cal.calResFree(local)).toBe(cal.CAL_RESULT_BAD_HANDLE);
  });
});

describe('pinned memory', () => {
  it.each(['at once', 'while the program runs'])('is copied as the program before leaves it: %s', (when) => {
    const { device, context } = il.begin();
    const { module, func } = load(context, slowCopy);
    const { array, resource } = pinned(device);
    const target = filled(device, width, height, FLOAT_1, () => -2);
    bind(
      context,
      module,
      'i0',
      filled(device, width, height, FLOAT_1, (index) => index),
    );
    const from = bind(context, module, 'o0', resource);
    const to = ok(cal.calCtxGetMem(context, target));
    const event = ok(cal.calCtxRunProgram(context, func, domain));
    if (when !== 'at once') cal.calCtxFlush(context);
    const copied = ok(cal.calMemCopy(context, from, to, 0));
    finish(context, event);
    finish(context, copied);
    expect(numbers(target, width, height)).toEqual(ramp);
    expect([...array]).toEqual(ramp);
  });

  it('is read as the program before leaves it', () => {
    const { device, context } = il.begin();
    const writer = load(context, slowCopy);
    const reader = load(context, il.copy);
    const { array, resource } = pinned(device);
    const output = filled(device, width, height, FLOAT_1, () => -2);
    bind(
      context,
      writer.module,
      'i0',
      filled(device, width, height, FLOAT_1, (index) => index),
    );
    bind(context, writer.module, 'o0', resource);
    bind(context, reader.module, 'i0', resource);
    bind(context, reader.module, 'o0', output);
    const events = [writer, reader].map(({ func }) => ok(cal.calCtxRunProgram(context, func, domain)));
    for (const event of events) finish(context, event);
    expect(numbers(output, width, height)).toEqual(ramp);
    expect([...array]).toEqual(ramp);
  });

  it('is the program’s alone when calResFree has returned', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, slowCopy);
    const { array, resource } = pinned(device);
    bind(
      context,
      module,
      'i0',
      filled(device, width, height, FLOAT_1, (index) => index),
    );
    const mem = bind(context, module, 'o0', resource);
    const event = ok(cal.calCtxRunProgram(context, func, domain));
    expect(cal.calCtxReleaseMem(context, mem)).toBe(OK);
    expect(cal.calResFree(resource)).toBe(OK);
    expect([...array]).toEqual(ramp);
    array.fill(3);
    finish(context, event);
    expect(new Set(array)).toEqual(new Set([3]));
  });
});

describe.skipIf(driver === undefined)("copies of a driver's device (SKIPPED without a driver)", () => {
  it.each([
    ["in the driver's context", 3, 0],
    ['in one of ours', 0, 3],
  ])('to a device with other memory and back follow each other: %s', (_, own, foreign) => {
    const { device, context } = il.begin(own);
    const { device: other } = il.begin(foreign);
    for (let round = 0; round < 3; round += 1) {
      const [a, d] = [0, 1].map(() => filled(other, width, height, FLOAT_1, (index) => index + round));
      const [b, c] = [0, 1].map(() => filled(device, width, height, FLOAT_1, () => -1));
      il.write(d!, width, height, () => -2);
      const chain = [a, b, c, d].map((resource) => ok(cal.calCtxGetMem(context, resource!)));
      const events = [0, 1, 2].map((at) => ok(cal.calMemCopy(context, chain[at]!, chain[at + 1]!, 0)));
      for (const event of events) finish(context, event);
      const expected = ramp.map((value) => value + round);
      for (const resource of [b, c, d]) expect(numbers(resource!, width, height)).toEqual(expected);
    }
  });

  it('take arrays that were pinned for it, and fill them', () => {
    const { device, context } = il.begin(0);
    const { device: other } = il.begin(3);
    const { array, resource } = pinned(other);
    const local = filled(device, width, height, FLOAT_1, (index) => index);
    const back = filled(device, width, height, FLOAT_1, () => -2);
    const [from, middle, to] = [local, resource, back].map((each) => ok(cal.calCtxGetMem(context, each)));
    finish(context, ok(cal.calMemCopy(context, from!, middle!, 0)));
    expect([...array]).toEqual(ramp);
    array.fill(4);
    finish(context, ok(cal.calMemCopy(context, middle!, to!, 0)));
    expect(new Set(numbers(back, width, height))).toEqual(new Set([4]));
  });
});

describe('arguments that are none', () => {
  const INVALID = cal.CAL_RESULT_INVALID_PARAMETER;
  const none = null as never;

  it('are INVALID_PARAMETER, as null pointers are in C', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.copy);
    const image = il.imageOf(il.copy);
    expect(cal.calCtxRunProgram(context, func, none)).toEqual([INVALID, 0]);
    expect(cal.calCtxRunProgramGrid(context, none)).toEqual([INVALID, 0]);
    expect(cal.calCtxRunProgramGrid(context, { func } as never)).toEqual([INVALID, 0]);
    expect(cal.calCtxRunProgramGridArray(context, { gridArray: [none] })).toEqual([INVALID, 0]);
    expect(cal.calResCreate2D(device, none, 64, 4, FLOAT_1, 1024, 0)).toEqual([INVALID, 0]);
    expect(cal.calResCreate1D(device, none, 64, FLOAT_1, 256, 0)).toEqual([INVALID, 0]);
    expect(cal.calModuleGetName(context, module, none)).toEqual([INVALID, 0]);
    expect(cal.calModuleGetEntry(context, module, none)).toEqual([INVALID, 0]);
    cal.calclDisassembleImage(image, none);
    expect(cal.calclGetErrorString()).toBe('null is no function');
  });

  it('are ERROR where they are sizes and parameters', () => {
    const { context } = il.begin();
    const { module } = load(context, il.copy);
    const sampler = ok(cal.calModuleGetName(context, module, 's0'));
    expect(cal.calclImageWrite(new Uint8Array(65536), NaN, il.imageOf(il.copy))).toBe(cal.CAL_RESULT_ERROR);
    expect(cal.calCtxGetSamplerParams(context, sampler, 1.5)[0]).toBe(cal.CAL_RESULT_ERROR);
  });
});
