/** Programs in IL over resources, with the values that they leave. */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as il from './il-programs.ts';

const { CAL_FORMAT_FLOAT_1: FLOAT_1, CAL_FORMAT_FLOAT_4: FLOAT_4, CAL_RESULT_OK: OK } = cal;
const { bind, filled, load, numbers, ok, run } = il;

beforeAll(() => {
  cal.calChooseDevices('webassembly,hd 3870,hd 4870,interpreter');
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
});

const ramp = (index: number): number => index;

/** `scale` by 0.5 from a new resource to another one. */
function halved(device: number, context: number, width: number, height: number) {
  const { module, func } = load(context, il.scale);
  const input = filled(device, width, height, FLOAT_1, ramp);
  const output = filled(device, width, height, FLOAT_1, () => -1);
  const constants = ok(cal.calResAllocRemote1D([device], 1, 1, FLOAT_4, 0));
  il.write(constants, 1, 1, () => 0.5);
  bind(context, module, 'i0', input);
  bind(context, module, 'o0', output);
  bind(context, module, 'cb0', constants);
  return { func, input, output, module };
}

describe('pixel programs', () => {
  it.each([
    ['our device', 0],
    ['a card', 1],
    ['the interpreter', 3],
  ])('run on %s', (_, ordinal) => {
    const { device, context } = il.begin(ordinal);
    const { module, func } = load(context, il.scale, cal.CAL_TARGET_670);
    const input = filled(device, 10, 3, FLOAT_1, ramp);
    const output = filled(device, 10, 3, FLOAT_1, () => 0);
    const constants = filled(device, 1, 1, FLOAT_4, () => 3);
    bind(context, module, 'i0', input);
    bind(context, module, 'o0', output);
    bind(context, module, 'cb0', constants);
    run(context, func, 10, 3);
    expect(numbers(output, 10, 3)).toEqual(Array.from({ length: 30 }, (__, index) => index * 3));
  });

  it('write the rectangle of the domain and nothing else', () => {
    const { device, context } = il.begin();
    const { func, output } = halved(device, context, 8, 4);
    run(context, func, 3, 2, 4, 1);
    const expected = Array.from({ length: 32 }, (_, index) => {
      const [x, y] = [index % 8, Math.floor(index / 8)];
      return x >= 4 && x < 7 && y >= 1 && y < 3 ? index / 2 : -1;
    });
    expect(numbers(output, 8, 4)).toEqual(expected);
  });

  it('write nothing outside of an output that is smaller than the domain', () => {
    const { device, context } = il.begin();
    const { func, output } = halved(device, context, 5, 2);
    run(context, func, 70, 9);
    expect(numbers(output, 5, 2)).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]);
  });

  it('do nothing over an empty domain', () => {
    const { device, context } = il.begin();
    const { func, output } = halved(device, context, 5, 1);
    run(context, func, 0, 3);
    expect(numbers(output, 5, 1)).toEqual([-1, -1, -1, -1, -1]);
  });

  it('have several inputs and outputs', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.sumAndDifference);
    const [first, second] = [ramp, (index: number) => index * 10].map((values) =>
      filled(device, 4, 1, FLOAT_4, values),
    );
    const [sum, difference] = [0, 0].map(() => filled(device, 4, 1, FLOAT_4, () => 0));
    for (const [symbol, resource] of Object.entries({ i0: first, i1: second, o0: sum, o1: difference })) {
      bind(context, module, symbol, resource!);
    }
    run(context, func, 4, 1);
    expect(numbers(sum!, 4, 1)).toEqual(Array.from({ length: 16 }, (_, index) => index * 11));
    // 0 - 0 is 0, and not -0.
    expect(numbers(difference!, 4, 1)).toEqual(Array.from({ length: 16 }, (_, index) => 0 - index * 9));
  });

  it('use what was bound when they were called', () => {
    const { device, context } = il.begin();
    const { func, output, module } = halved(device, context, 4, 1);
    const event = ok(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width: 4, height: 1 }));
    const other = filled(device, 4, 1, FLOAT_1, () => -2);
    bind(context, module, 'o0', other);
    il.finish(context, event);
    expect(numbers(output, 4, 1)).toEqual([0, 0.5, 1, 1.5]);
    expect(numbers(other, 4, 1)).toEqual([-2, -2, -2, -2]);
  });

  it('scatter through the global buffer', () => {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.scatter);
    const global = ok(cal.calResAllocLocal2D(device, 64, 4, FLOAT_4, cal.CAL_RESALLOC_GLOBAL_BUFFER));
    const output = filled(device, 8, 3, FLOAT_1, () => 0);
    const constants = filled(device, 1, 1, FLOAT_4, () => 10);
    bind(context, module, 'g', global);
    bind(context, module, 'o0', output);
    bind(context, module, 'cb0', constants);
    run(context, func, 8, 3);
    const elements = numbers(global, 64, 4).filter((_, index) => index % 4 === 0);
    for (let y = 0; y < 3; y += 1) {
      expect(elements.slice(y * 10, y * 10 + 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((x) => y * 10 + x));
    }
  });

  it('compute in double precision', () => {
    const { device, context } = il.begin(1);
    const { module, func } = load(context, il.squareDouble);
    const input = filled(device, 3, 1, cal.CAL_FORMAT_DOUBLE_1, (index) => index + 1e-9);
    const output = filled(device, 3, 1, cal.CAL_FORMAT_DOUBLE_1, () => 0);
    bind(context, module, 'i0', input);
    bind(context, module, 'o0', output);
    run(context, func, 3, 1);
    expect(numbers(output, 3, 1)).toEqual([1e-9 * 1e-9, (1 + 1e-9) ** 2, (2 + 1e-9) ** 2]);
  });
});

describe('formats', () => {
  /** What `copy` makes of elements of one format in another one. */
  function converted(from: number, to: number, values: readonly number[]): number[] {
    const { device, context } = il.begin();
    const { module, func } = load(context, il.copy);
    const input = filled(device, values.length, 1, from, (index) => values[index]!);
    const output = filled(device, values.length, 1, to, () => 0);
    bind(context, module, 'i0', input);
    bind(context, module, 'o0', output);
    run(context, func, values.length, 1);
    return numbers(output, values.length, 1);
  }

  it.each([
    ['UBYTE_1', cal.CAL_FORMAT_UBYTE_1, [0, 51, 255], [0, 51 / 255, 1]],
    ['BYTE_1', cal.CAL_FORMAT_BYTE_1, [0, 127, -127], [0, 1, -1]],
    ['USHORT_1', cal.CAL_FORMAT_USHORT_1, [0, 13107, 65535], [0, 13107 / 65535, 1]],
    ['SHORT_1', cal.CAL_FORMAT_SHORT_1, [0, 32767, -32767], [0, 1, -1]],
  ] as const)('%s is read as fractions of 1', (_, format, stored, expected) => {
    expect(converted(format, FLOAT_1, stored)).toEqual(expected.map(Math.fround));
  });

  it.each([
    ['UBYTE_1', cal.CAL_FORMAT_UBYTE_1, [0, 0.2, 1, 2, -1], [0, 51, 255, 255, 0]],
    ['BYTE_1', cal.CAL_FORMAT_BYTE_1, [0, 1, -1, 2, -2], [0, 127, -127, 127, -127]],
    ['USHORT_1', cal.CAL_FORMAT_USHORT_1, [0, 0.2, 1, 2, -1], [0, 13107, 65535, 65535, 0]],
    ['SHORT_1', cal.CAL_FORMAT_SHORT_1, [0, 1, -1, 2, -2], [0, 32767, -32767, 32767, -32767]],
  ] as const)('%s is written from fractions of 1', (_, format, values, expected) => {
    expect(converted(FLOAT_1, format, values)).toEqual(expected);
  });

  it('of 32-bit integers keep their bits', () => {
    const values = [0, 1, 0x7fffffff, 0xff800001];
    expect(converted(cal.CAL_FORMAT_UINT_1, cal.CAL_FORMAT_UINT_1, values)).toEqual(values);
  });
});

describe('compute programs', () => {
  const grid = (func: number, groups: number): cal.CALprogramGrid => ({
    func,
    gridBlock: { width: 64, height: 1, depth: 1 },
    gridSize: { width: groups, height: 1, depth: 1 },
  });

  it('run in grids, and in arrays of grids', () => {
    const { device, context } = il.begin(2);
    const { module, func } = load(context, il.doubledIds);
    const format = cal.CAL_FORMAT_INT_4;
    const buffer = filled(device, 256, 1, format, () => -1, cal.CAL_RESALLOC_GLOBAL_BUFFER);
    bind(context, module, 'g', buffer);
    il.finish(context, ok(cal.calCtxRunProgramGrid(context, grid(func, 2))));
    const expected = (threads: number) =>
      Array.from({ length: 256 * 4 }, (_, index) => (index < threads * 4 ? Math.floor(index / 4) * 2 : -1));
    expect(numbers(buffer, 256, 1)).toEqual(expected(128));
    const array = { gridArray: [grid(func, 1), grid(func, 3)] };
    il.finish(context, ok(cal.calCtxRunProgramGridArray(context, array)));
    expect(numbers(buffer, 256, 1)).toEqual(expected(192));
  });
});

describe('dispatch', () => {
  it('waits for calCtxIsEventDone or calCtxFlush', async () => {
    const { device, context } = il.begin();
    const { func, output } = halved(device, context, 4, 1);
    const domain = { x: 0, y: 0, width: 4, height: 1 };
    ok(cal.calCtxRunProgram(context, func, domain));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(numbers(output, 4, 1)).toEqual([-1, -1, -1, -1]);
    expect(cal.calCtxFlush(context)).toBe(OK);
    // Mapping waits for what was dispatched.
    expect(numbers(output, 4, 1)).toEqual([0, 0.5, 1, 1.5]);
  });

  it('begins by itself when 256 programs wait', () => {
    const { device, context } = il.begin();
    const { func, output } = halved(device, context, 4, 1);
    const domain = { x: 0, y: 0, width: 4, height: 1 };
    for (let time = 0; time < 256; time += 1) ok(cal.calCtxRunProgram(context, func, domain));
    expect(numbers(output, 4, 1)).toEqual([0, 0.5, 1, 1.5]);
  });

  it('is awaited where threads must not wait', async () => {
    const { device, context } = il.begin(3);
    const { func, output } = halved(device, context, 4, 1);
    const event = ok(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width: 4, height: 1 }));
    expect(await cal.calAwaitEvent(context, event)).toBe(OK);
    const [result, data] = await cal.calAwaitMap(output, 0);
    expect(result).toBe(OK);
    expect([...data!.subarray(0, 4)]).toEqual([0, 0.5, 1, 1.5]);
  });

  it('keeps thousands of events apart', () => {
    const { device, context } = il.begin();
    const { func } = halved(device, context, 4, 1);
    const domain = { x: 0, y: 0, width: 4, height: 1 };
    const events = Array.from({ length: 1500 }, () => ok(cal.calCtxRunProgram(context, func, domain)));
    expect(new Set(events).size).toBe(1500);
    il.finish(context, events[1499]!);
    for (const event of events) expect(cal.calCtxIsEventDone(context, event)).toBe(OK);
  });
});

describe('calMemCopy', () => {
  const places = ['local', 'remote'] as const;
  const allocate = { local: cal.calResAllocLocal2D, remote: cal.calResAllocRemote2D };
  const made = (device: number, place: 'local' | 'remote'): number =>
    place === 'local'
      ? ok(allocate.local(device, 100, 3, FLOAT_1, 0))
      : ok(allocate.remote([device], 1, 100, 3, FLOAT_1, 0));

  it.each(places.flatMap((from) => places.map((to) => [from, to] as const)))(
    'copies from %s to %s',
    (from, to) => {
      const { device, context } = il.begin();
      const [source, target] = [made(device, from), made(device, to)];
      il.write(source, 100, 3, ramp);
      const [a, b] = [source, target].map((resource) => ok(cal.calCtxGetMem(context, resource)));
      il.finish(context, ok(cal.calMemCopy(context, a!, b!, 0)));
      expect(numbers(target, 100, 3)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    },
  );

  it('copies from the memory of a device to that of another', () => {
    const { device, context } = il.begin();
    const other = il.open(1);
    const [source, target] = [made(device, 'local'), made(other, 'local')];
    il.write(source, 100, 3, ramp);
    const [a, b] = [source, target].map((resource) => ok(cal.calCtxGetMem(context, resource)));
    il.finish(context, ok(cal.calMemCopy(context, a!, b!, 0)));
    expect(numbers(target, 100, 3)[299]).toBe(299);
  });

  it('keeps its place among programs that use the same memory', () => {
    const { device, context } = il.begin();
    const { func, input, output } = halved(device, context, 64, 64);
    const [i, o] = [input, output].map((resource) => ok(cal.calCtxGetMem(context, resource)));
    const domain = { x: 0, y: 0, width: 64, height: 64 };
    // Each round halves the input: a program, then a copy of its output to its input.
    let event = 0;
    for (let round = 0; round < 5; round += 1) {
      ok(cal.calCtxRunProgram(context, func, domain));
      event = ok(cal.calMemCopy(context, o!, i!, 0));
    }
    il.finish(context, event);
    expect(numbers(input, 64, 64)).toEqual(Array.from({ length: 4096 }, (_, index) => index / 32));
  });
});

describe('remote memory', () => {
  it('is the same for all its devices', () => {
    const { device, context } = il.begin();
    const other = il.open(3);
    const otherContext = ok(cal.calCtxCreate(other));
    const shared = ok(cal.calResAllocRemote2D([device, other], 2, 4, 1, FLOAT_1, 0));
    const first = halved(device, context, 4, 1);
    bind(context, first.module, 'o0', shared);
    run(context, first.func, 4, 1);
    const second = halved(other, otherContext, 4, 1);
    bind(otherContext, second.module, 'i0', shared);
    run(otherContext, second.func, 4, 1);
    expect(numbers(second.output, 4, 1)).toEqual([0, 0.25, 0.5, 0.75]);
  });
});

describe('pinned memory', () => {
  it('is read and written where the program has it', () => {
    const { device, context } = il.begin();
    const { module, func } = halved(device, context, 64, 1);
    const [input, output] = [0, 0].map(() => new Float32Array(64));
    input!.set(Array.from({ length: 64 }, (_, index) => index * 4));
    const [i, o] = [input!, output!].map((array) =>
      ok(cal.calResCreate1D(device, array, 64, FLOAT_1, 256, 0)),
    );
    bind(context, module, 'i0', i!);
    bind(context, module, 'o0', o!);
    run(context, func, 64, 1);
    expect([...output!]).toEqual(Array.from({ length: 64 }, (_, index) => index * 2));
  });
});

describe('samplers', () => {
  /** What reading beyond both ends of four elements gives: from -2 to 5. */
  function beyond(mode: number, border = 0): number[] {
    const { device, context } = il.begin();
    const { module, func } = load(context, shifted);
    const input = filled(device, 4, 1, FLOAT_1, (index) => index + 1);
    const output = filled(device, 8, 1, FLOAT_1, () => -1);
    bind(context, module, 'i0', input);
    bind(context, module, 'o0', output);
    const sampler = ok(cal.calModuleGetName(context, module, 's0'));
    const set = (param: number, ...vals: number[]): void =>
      expect(cal.calCtxSetSamplerParams(context, sampler, param, vals), cal.calGetErrorString()).toBe(OK);
    set(cal.CAL_SAMPLER_PARAM_WRAP_S, mode);
    set(cal.CAL_SAMPLER_PARAM_BORDER_COLOR, border, border, border, border);
    run(context, func, 8, 1);
    return numbers(output, 8, 1);
  }

  const shifted = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_literal l0, 0xC0000000, 0, 0, 0
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
add r0, v0.xyxx, l0.x000
sample_resource(0)_sampler(0) o0, r0
end
`;

  it.each([
    ['CLAMP_TO_EDGE', cal.CAL_SAMPLER_WRAP_CLAMP_TO_EDGE, [1, 1, 1, 2, 3, 4, 4, 4]],
    ['REPEAT', cal.CAL_SAMPLER_WRAP_REPEAT, [3, 4, 1, 2, 3, 4, 1, 2]],
    ['MIRRORED_REPEAT', cal.CAL_SAMPLER_WRAP_MIRRORED_REPEAT, [2, 1, 1, 2, 3, 4, 4, 3]],
    ['CLAMP_TO_BORDER', cal.CAL_SAMPLER_WRAP_CLAMP_TO_BORDER, [9, 9, 1, 2, 3, 4, 9, 9]],
  ])('read beyond the edges by %s', (_, mode, expected) => {
    expect(beyond(mode, 9)).toEqual(expected);
  });
});

describe('counters on a card', () => {
  /** Both counters over one run of `copy`, of which each element is read once. */
  function counted(format: number): { idle: number; hitRate: number } {
    const { device, context } = il.begin(1);
    const { module, func } = load(context, il.copy, cal.CAL_TARGET_670);
    bind(context, module, 'i0', filled(device, 64, 64, format, ramp));
    bind(context, module, 'o0', filled(device, 64, 64, format, ramp));
    const counters = [cal.CAL_COUNTER_IDLE, cal.CAL_COUNTER_INPUT_CACHE_HIT_RATE].map((type) =>
      ok(cal.calCtxCreateCounter(context, type)),
    );
    for (const counter of counters) expect(cal.calCtxBeginCounter(context, counter)).toBe(OK);
    run(context, func, 64, 64);
    for (const counter of counters) expect(cal.calCtxEndCounter(context, counter)).toBe(OK);
    const [idle, hitRate] = counters.map((counter) => ok(cal.calCtxGetCounter(context, counter)));
    return { idle: idle!, hitRate: hitRate! };
  }

  // A line of the cache has 64 bytes: of the elements in it the first one misses.
  it.each([
    ['FLOAT_1', FLOAT_1, 15 / 16],
    ['FLOAT_4', FLOAT_4, 3 / 4],
  ])('tell how many reads of %s find their element in the cache', (_, format, expected) => {
    expect(counted(format).hitRate).toBe(expected);
  });

  it('count loops as often as their constants say', () => {
    // Each thread reads its own element cb0[0].x times: the first read of a line of four elements misses.
    const source = il.copy.replace(
      /sample[^\n]*\n/,
      `dcl_cb cb0[1]
dcl_literal l0, 0, 1, 0, 0
mov r0, l0.x
mov r2, l0.x
whileloop
    ige r1.x, r0.x, cb0[0].x
    break_logicalnz r1.x
    sample_resource(0)_sampler(0) r3, v0.xyxx
    add r2, r2, r3
    iadd r0, r0, l0.y
endloop
mov o0, r2
`,
    );
    const { device, context } = il.begin(1);
    const { module, func } = load(context, source, cal.CAL_TARGET_670);
    bind(context, module, 'i0', filled(device, 64, 64, cal.CAL_FORMAT_FLOAT_4, ramp));
    bind(context, module, 'o0', filled(device, 64, 64, cal.CAL_FORMAT_FLOAT_4, ramp));
    bind(
      context,
      module,
      'cb0',
      filled(device, 1, 1, cal.CAL_FORMAT_INT_4, () => 20),
    );
    const counter = ok(cal.calCtxCreateCounter(context, cal.CAL_COUNTER_INPUT_CACHE_HIT_RATE));
    expect(cal.calCtxBeginCounter(context, counter)).toBe(OK);
    run(context, func, 64, 64);
    expect(cal.calCtxEndCounter(context, counter)).toBe(OK);
    expect(ok(cal.calCtxGetCounter(context, counter))).toBeCloseTo(1 - 1 / (4 * 20), 6);
  });

  it('tell that the card would have waited for us', () => {
    // 4096 threads take a card some microseconds, and us milliseconds.
    const { idle } = counted(FLOAT_1);
    expect(idle).toBeGreaterThan(0.9);
    expect(idle).toBeLessThan(1);
  });
});
