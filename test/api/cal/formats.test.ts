/**
 * The formats of later headers (ATI Stream SDK 2.x, cal.h), as programs read and write them. What numbers become follows from the formats'
 * definitions: worked out by hand.
 */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as il from './il-programs.ts';

const { CAL_FORMAT_FLOAT_4: FLOAT_4, CAL_FORMAT_INT_4: INT_4 } = cal;
const { bind, load, ok, run } = il;

beforeAll(() => {
  cal.calChooseDevices('webassembly,hd 4870,interpreter');
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
});

/** The constants by their names. */
const constants: Readonly<Record<string, unknown>> = { ...cal };
const format = (name: string): number => constants[`CAL_FORMAT_${name}`] as number;

/** What `copy` leaves of `width` elements, as the numbers of the mapped arrays. */
function copied(
  ordinal: number,
  from: number,
  to: number,
  width: number,
  stored: readonly number[],
): number[] {
  const { device, context } = il.begin(ordinal);
  const { module, func } = load(context, il.copy);
  const input = ok(cal.calResAllocLocal1D(device, width, from, 0));
  const output = ok(cal.calResAllocLocal1D(device, width, to, 0));
  ok(cal.calResMap(input, 0) as [number, cal.ResourceData, number]).set(stored);
  cal.calResUnmap(input);
  bind(context, module, 'i0', input);
  bind(context, module, 'o0', output);
  run(context, func, width, 1);
  const data = ok(cal.calResMap(output, 0) as [number, cal.ResourceData, number]);
  const pitch = Math.ceil(width / 64) * 64;
  const numbers = Array.from(data.subarray(0, (data.length / pitch) * width));
  cal.calResUnmap(output);
  return numbers;
}

const devices = [
  ['our device', 0],
  ['a card', 1],
  ['the interpreter', 2],
] as const;

const fractions = (...numbers: number[]): number[] => numbers.map(Math.fround);

/**
 * Registers hold floats. The interpreter keeps no NaN's bits (src/ir/interpreter/values.ts), and a small negative integer has those of
 * a NaN: there it only stays one.
 */
function kept(ordinal: number, to: number, numbers: readonly number[]): unknown[] {
  if (ordinal !== 2 || to === FLOAT_4) return [...numbers];
  return numbers.map((number) =>
    Number.isNaN(new Float32Array(Int32Array.of(number).buffer)[0]) ? NaN : number,
  );
}

describe.each(devices)('on %s', (_, ordinal) => {
  it.each<[string, number, readonly number[], readonly number[]]>([
    // one component: y and z are 0, and w is 1 of the same kind
    ['UNSIGNED_INT8_1', INT_4, [200, 7], [200, 0, 0, 1, 7, 0, 0, 1]],
    ['UNSIGNED_INT8_2', INT_4, [200, 255], [200, 255, 0, 1]],
    ['UNSIGNED_INT8_4', INT_4, [1, 2, 128, 255], [1, 2, 128, 255]],
    ['SIGNED_INT8_1', INT_4, [-128, 127], [-128, 0, 0, 1, 127, 0, 0, 1]],
    ['SIGNED_INT8_2', INT_4, [-1, 1], [-1, 1, 0, 1]],
    ['SIGNED_INT8_4', INT_4, [-1, 2, -128, 127], [-1, 2, -128, 127]],
    ['UNSIGNED_INT16_1', INT_4, [65535], [65535, 0, 0, 1]],
    ['UNSIGNED_INT16_2', INT_4, [65535, 3], [65535, 3, 0, 1]],
    ['UNSIGNED_INT16_4', INT_4, [65535, 3, 256, 0], [65535, 3, 256, 0]],
    ['SIGNED_INT16_1', INT_4, [-32768], [-32768, 0, 0, 1]],
    ['SIGNED_INT16_2', INT_4, [-2, 32767], [-2, 32767, 0, 1]],
    ['SIGNED_INT16_4', INT_4, [-2, 32767, 1, -1], [-2, 32767, 1, -1]],
    ['UNSIGNED_INT32_1', INT_4, [0x7fffffff], [0x7fffffff, 0, 0, 1]],
    ['SIGNED_INT32_2', INT_4, [-5, 6], [-5, 6, 0, 1]],
    ['SIGNED_INT32_4', INT_4, [-5, 6, 7, -8], [-5, 6, 7, -8]],
    ['UNORM_INT32_4', INT_4, [1, 2, 3, 4], [1, 2, 3, 4]],
    // red, five or six bits and blue, from the upper end
    [
      'UNORM_SHORT_565',
      FLOAT_4,
      [0xf800, 0x07e0, 0x001f, (3 << 11) | (9 << 5) | 7],
      fractions(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 3 / 31, 9 / 63, 7 / 31, 1),
    ],
    // the uppermost bit is nobody's
    ['UNORM_SHORT_555', FLOAT_4, [0x7c00, 0x83e0, 0x801f], fractions(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1)],
    [
      'UNORM_INT10_3',
      FLOAT_4,
      [0x3ff00000, 0xc00ffc00, (1 << 20) | (2 << 10) | 3],
      fractions(1, 0, 0, 1, 0, 1, 0, 1, 1 / 1023, 2 / 1023, 3 / 1023, 1),
    ],
    [
      'FLOAT16_1',
      FLOAT_4,
      [0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00],
      [1, 0, 0, 1, -2, 0, 0, 1, 65504, 0, 0, 1, 2 ** -24, 0, 0, 1, Infinity, 0, 0, 1],
    ],
    ['FLOAT16_2', FLOAT_4, [0x3800, 0x4248], [0.5, 3.140625, 0, 1]],
    ['FLOAT16_4', FLOAT_4, [0x3800, 0x4248, 0x8000, 0xbc00], [0.5, 3.140625, -0, -1]],
  ])('%s is read', (name, to, stored, expected) => {
    const found = copied(ordinal, format(name), to, expected.length / 4, stored);
    expect(kept(ordinal, to, found)).toEqual(kept(ordinal, to, expected));
  });

  it.each<[string, number, readonly number[], readonly number[]]>([
    // numbers that do not fit become the nearest that do
    ['UNSIGNED_INT8_1', INT_4, [200, 9, 9, 9, 256, 9, 9, 9, -1, 9, 9, 9], [200, 255, 255]],
    ['UNSIGNED_INT8_4', INT_4, [1, 2, 300, 255], [1, 2, 255, 255]],
    ['SIGNED_INT8_2', INT_4, [-128, 127, 0, 0, -129, 128, 0, 0], [-128, 127, -128, 127]],
    ['UNSIGNED_INT16_2', INT_4, [65536, 65535, 0, 0], [65535, 65535]],
    ['SIGNED_INT16_4', INT_4, [-40000, 40000, 5, -5], [-32768, 32767, 5, -5]],
    ['UNSIGNED_INT32_2', INT_4, [7, 8, 9, 10], [7, 8]],
    ['SIGNED_INT32_1', INT_4, [-7, 8, 9, 10], [-7]],
    [
      'UNORM_SHORT_565',
      FLOAT_4,
      [1, 0, 0, 9, 0, 1, 0, 9, -3, 0, 7, 9, 3 / 31, 9 / 63, 7 / 31, 0],
      [0xf800, 0x07e0, 0x001f, (3 << 11) | (9 << 5) | 7],
    ],
    ['UNORM_SHORT_555', FLOAT_4, [1, 0.5, 0, 9], [0x7c00 | (16 << 5)]],
    [
      'UNORM_INT10_3',
      FLOAT_4,
      [1, 0, 0, 9, 1 / 1023, 2 / 1023, 3 / 1023, 9],
      [0x3ff00000, (1 << 20) | (2 << 10) | 3],
    ],
    // to the nearest half, of two as near the even one; too large is infinite
    [
      'FLOAT16_1',
      FLOAT_4,
      [1, 0, 0, 0, 2049, 0, 0, 0, 2051, 0, 0, 0, 65520, 0, 0, 0],
      [0x3c00, 0x6800, 0x6802, 0x7c00],
    ],
    ['FLOAT16_4', FLOAT_4, [0.5, -2, 65504, -0], [0x3800, 0xc000, 0x7bff, 0x8000]],
  ])('%s is written', (name, from, stored, expected) => {
    expect(copied(ordinal, from, format(name), stored.length / 4, stored)).toEqual(expected);
  });
});

describe('resources of these formats', () => {
  it('are filtered if they are fractions or floats', () => {
    const { device, context } = il.begin();
    const between = il.copy
      .replace('v0.xyxx', 'r0')
      .replace('sample', 'mov r0.xy__, v0\nadd r0.x___, r0.x, cb0[0].x\nsample')
      .replace('dcl_output', 'dcl_cb cb0[1]\ndcl_output');
    const { module, func } = load(context, between);
    const constants = ok(cal.calResAllocRemote1D([device], 1, 1, FLOAT_4, 0));
    il.write(constants, 1, 1, () => 0.5);
    bind(context, module, 'cb0', constants);
    const sampler = ok(cal.calModuleGetName(context, module, 's0'));
    expect(
      cal.calCtxSetSamplerParams(context, sampler, cal.CAL_SAMPLER_PARAM_MAG_FILTER, [
        cal.CAL_SAMPLER_MAG_LINEAR,
      ]),
    ).toBe(0);
    const output = ok(cal.calResAllocLocal1D(device, 1, cal.CAL_FORMAT_FLOAT_1, 0));
    bind(context, module, 'o0', output);
    const halfway = (name: string, values: readonly number[]): number | undefined => {
      const input = ok(cal.calResAllocLocal1D(device, 2, format(name), 0));
      ok(cal.calResMap(input, 0) as [number, cal.ResourceData, number]).set(values);
      cal.calResUnmap(input);
      bind(context, module, 'i0', input);
      run(context, func, 1, 1);
      const data = ok(cal.calResMap(output, 0) as [number, cal.ResourceData, number]);
      const [found] = data;
      cal.calResUnmap(output);
      return found;
    };
    // 1 and 3
    expect(halfway('FLOAT16_1', [0x3c00, 0x4200])).toBe(2);
    expect(halfway('UNORM_SHORT_565', [0xf800, 0])).toBe(0.5);
    // the nearest integer, whose bits are no float of this size
    expect(new Uint32Array(Float32Array.of(halfway('UNSIGNED_INT16_1', [5, 9])!).buffer)[0]).toBe(9);
  });

  it('have the numbers of the public header, and no others', () => {
    // cal.h of the SDK counts them through in its order
    const names = [
      ...['UNORM_INT8_1', 'UNORM_INT8_2', 'UNORM_INT8_4', 'UNORM_INT16_1', 'UNORM_INT16_2', 'UNORM_INT16_4'],
      ...['UNORM_INT32_4', 'SNORM_INT8_4', 'SNORM_INT16_1', 'SNORM_INT16_2', 'SNORM_INT16_4', 'FLOAT32_1'],
      ...[
        'FLOAT32_2',
        'FLOAT32_4',
        'FLOAT64_1',
        'FLOAT64_2',
        'UNORM_INT32_1',
        'UNORM_INT32_2',
        'SNORM_INT8_1',
      ],
      ...['SNORM_INT8_2', 'SNORM_INT32_1', 'SNORM_INT32_2', 'SNORM_INT32_4'],
      ...[8, 16, 32].flatMap((bits) =>
        ['UNSIGNED', 'SIGNED'].flatMap((sign) => [1, 2, 4].map((count) => `${sign}_INT${bits}_${count}`)),
      ),
      ...['UNORM_SHORT_565', 'UNORM_SHORT_555', 'UNORM_INT10_3', 'FLOAT16_1', 'FLOAT16_2', 'FLOAT16_4'],
    ];
    expect(names.map((name) => format(name))).toEqual(names.map((_, index) => index));
    expect(cal.CAL_FORMAT_LAST).toBe(names.length - 1);
    expect(cal.CAL_FORMAT_32BIT_TYPELESS).toBe(cal.CAL_FORMAT_UNSIGNED_INT32_1);
    const { device } = il.begin();
    for (const id of names.keys()) expect(cal.calResAllocLocal1D(device, 64, id, 0)[0]).toBe(0);
    expect(cal.calResAllocLocal1D(device, 64, names.length, 0)[0]).toBe(cal.CAL_RESULT_INVALID_PARAMETER);
  });
});

describe('later targets', () => {
  it.each(['CYPRESS', 'JUNIPER', 'REDWOOD', 'CEDAR', 'WRESTLER', 'CAYMAN', 'BARTS'] as const)(
    '%s',
    (name) => {
      const target = constants[`CAL_TARGET_${name}`] as number;
      const { device, context } = il.begin();
      const { module, func } = load(context, il.doubledIds, target);
      const buffer = ok(
        cal.calResAllocLocal1D(device, 64, cal.CAL_FORMAT_UNSIGNED_INT32_4, cal.CAL_RESALLOC_GLOBAL_BUFFER),
      );
      bind(context, module, 'g', buffer);
      const block = { width: 64, height: 1, depth: 1 };
      const event = ok(
        cal.calCtxRunProgramGrid(context, {
          func,
          gridBlock: block,
          gridSize: { width: 1, height: 1, depth: 1 },
        }),
      );
      expect(cal.calCtxWaitForEvents(context, [event], 0)).toBe(0);
      expect(il.numbers(buffer, 64, 1).slice(0, 8)).toEqual([0, 0, 0, 0, 2, 2, 2, 2]);
      // clauses are those of the R600 family, so it is listed in IL, which compiles again
      const [, object] = cal.calclCompile(cal.CAL_LANGUAGE_IL, il.doubledIds, target);
      const lines: string[] = [];
      cal.calclDisassembleObject(object, (line) => lines.push(line));
      expect(lines.slice(0, 2).join('')).toMatch(
        new RegExp(`for ${name} in IL\n; no clauses: the chip is none of the R600 family`, 'i'),
      );
      expect(cal.calclCompile(cal.CAL_LANGUAGE_IL, lines.join(''), target)[0]).toBe(0);
      const doubles = cal.calclCompile(cal.CAL_LANGUAGE_IL, il.squareDouble, target)[0];
      expect(doubles).toBe(name === 'CYPRESS' || name === 'CAYMAN' ? 0 : cal.CAL_RESULT_ERROR);
    },
  );

  it('are those of the public header', () => {
    expect(cal.CAL_TARGET_CYPRESS).toBe(8);
    expect(cal.CAL_TARGET_BARTS).toBe(17);
    for (const target of [12, 13, 16, 18]) {
      expect(cal.calclCompile(cal.CAL_LANGUAGE_IL, il.copy, target)[0]).toBe(
        cal.CAL_RESULT_INVALID_PARAMETER,
      );
    }
  });
});

describe('calCtxWaitForEvents', () => {
  it('OK when all commands have ended, and their results are there', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.copy);
    const input = il.filled(device, 500, 100, cal.CAL_FORMAT_FLOAT_1, (index) => index);
    const output = il.filled(device, 500, 100, cal.CAL_FORMAT_FLOAT_1, () => -1);
    bind(context, module, 'i0', input);
    bind(context, module, 'o0', output);
    const domain = { x: 0, y: 0, width: 500, height: 100 };
    const events = [0, 1, 2].map(() => ok(cal.calCtxRunProgram(context, func, domain)));
    expect(cal.calCtxWaitForEvents(context, events, 1)).toBe(0);
    for (const event of events) expect(cal.calCtxIsEventDone(context, event)).toBe(0);
    expect(il.numbers(output, 500, 100)[49999]).toBe(49999);
    expect(cal.calCtxWaitForEvents(context, [], 0)).toBe(0);
  });

  it('BAD_HANDLE, INVALID_PARAMETER, ERROR for a command that failed', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.copy);
    const input = il.filled(device, 4, 1, cal.CAL_FORMAT_FLOAT_1, (index) => index);
    bind(context, module, 'i0', input);
    bind(
      context,
      module,
      'o0',
      il.filled(device, 4, 1, cal.CAL_FORMAT_FLOAT_1, () => 0),
    );
    const event = ok(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width: 4, height: 1 }));
    expect(cal.calCtxWaitForEvents(context, [event, 12345], 0)).toBe(cal.CAL_RESULT_BAD_HANDLE);
    expect(cal.calCtxWaitForEvents(context, [event], 2)).toBe(cal.CAL_RESULT_INVALID_PARAMETER);
    expect(cal.calCtxWaitForEvents(context, null as never, 0)).toBe(cal.CAL_RESULT_INVALID_PARAMETER);
    expect(cal.calCtxWaitForEvents(context, [event], 0)).toBe(0);
  });

  it('is found by its extension', () => {
    il.begin();
    expect(cal.calExtSupported(cal.CAL_EXT_WAIT_FOR_EVENTS)).toBe(0);
    expect(cal.calExtGetProc(0x8009, 'calCtxWaitForEvents')).toEqual([0, cal.calCtxWaitForEvents]);
  });
});

describe('typed uavs', () => {
  it.each(devices)('are resources in two dimensions, by elements of their format, on %s', (_, ordinal) => {
    const { device, context } = il.begin(ordinal);
    const { module, func } = load(
      context,
      `il_cs_2_0
dcl_num_thread_per_group 4
dcl_typed_uav_id(0)_type(2d)_fmtx(float)
dcl_literal l0, 2, 1, 10.0, 0
mov r1.x, vTidInGrpFlat.x
mov r1.y, l0.y
uav_load_id(0) r2, r1.xyyy
add r2.x, r2.x, l0.z
mov r1.y, l0.x
uav_store_id(0) r1.xyyy, r2.yxzw
end`,
    );
    const resource = ok(cal.calResAllocLocal2D(device, 3, 3, cal.CAL_FORMAT_FLOAT_2, 0));
    const data = ok(cal.calResMap(resource, 0) as [number, cal.ResourceData, number]);
    const row = data.length / 3;
    data.fill(0);
    data.set([1, 2, 3, 4, 5, 6], row);
    cal.calResUnmap(resource);
    bind(context, module, 'uav0', resource);
    const grid = {
      func,
      gridBlock: { width: 4, height: 1, depth: 1 },
      gridSize: { width: 1, height: 1, depth: 1 },
      flags: 0,
    };
    il.finish(context, ok(cal.calCtxRunProgramGrid(context, grid)));
    const after = ok(cal.calResMap(resource, 0) as [number, cal.ResourceData, number]);
    expect(Array.from(after.subarray(0, 8))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(Array.from(after.subarray(2 * row, 2 * row + 8))).toEqual([2, 11, 4, 13, 6, 15, 0, 0]);
    cal.calResUnmap(resource);
  });
});
