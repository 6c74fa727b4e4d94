/** The debugger's library: every value expected here is worked out by hand from the kernels' texts. */
import { describe, expect, it } from 'vitest';
import type { LaunchArgument } from '../../../src/ir/interpreter.ts';
import { walkFunction } from '../../../src/ir/walk.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { keepDebugInfo } from '../../../src/opencl/debug-info.ts';
import { linkOpenCL } from '../../../src/opencl/link.ts';
import { DebugSession } from '../../../src/tools/debug/session.ts';

keepDebugInfo();

function buffer(name: string, bytes: ArrayBufferView): LaunchArgument {
  const data = new Uint8Array(bytes.buffer);
  return { kind: 'buffer', space: 'global', name, bytes: () => data };
}

function int(value: number): LaunchArgument {
  return { kind: 'bytes', bytes: new Uint8Array(Int32Array.of(value).buffer) };
}

function sessionOf(
  source: string,
  kernel: string,
  global: readonly number[],
  local: readonly number[],
  args: readonly LaunchArgument[],
  print?: (text: string) => void,
): DebugSession {
  const { module, log } = compileOpenCL(source, { name: 'k.cl' });
  if (!module) throw new Error(log);
  return new DebugSession({ module, kernel, range: { globalSize: global, localSize: local }, args, print });
}

const sums = `int square(int x) {
  int y = x * x;
  return y;
}
kernel void sums(global int *out, global const int *in, int n) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; k++) {
    sum += square(in[k]) * i;
  }
  out[i] = sum;
}
`;

function sumsSession() {
  const out = new Int32Array(4);
  const input = Int32Array.of(1, 2, 3);
  const session = sessionOf(sums, 'sums', [4], [2], [buffer('out', out), buffer('in', input), int(3)]);
  return { session, out };
}

describe('moving by lines', () => {
  it('steps over, into and out of calls', async () => {
    const { session } = sumsSession();
    const lines: (number | undefined)[] = [];
    lines.push((await session.start()).place?.line);
    for (let step = 0; step < 4; step += 1) lines.push((await session.stepOver()).place?.line);
    expect(lines).toEqual([6, 7, 8, 9, 8]);
    expect((await session.stepOver()).place?.line).toBe(9);
    expect((await session.stepInto()).place?.line).toBe(2);
    expect(session.calls().map((call) => [call.function, call.place?.line])).toEqual([
      ['square', 2],
      ['sums', 9],
    ]);
    expect(session.evaluate('x').text).toBe('2');
    expect((await session.stepOut()).place?.line).toBe(9);
    expect(session.calls()).toHaveLength(1);
    expect((await session.stepOver()).place?.line).toBe(8);
  });

  it('goes on with the next work-item where one has ended, and says so', async () => {
    const { session } = sumsSession();
    await session.start();
    await session.runTo(11);
    await session.stepOver();
    const stop = await session.stepOver();
    expect([stop.item?.global, stop.place?.line]).toEqual([[1], 6]);
    expect(stop.message).toBe('work-item (0) has ended');
  });

  it('ends, with the results there', async () => {
    const { session, out } = sumsSession();
    await session.start();
    const stop = await session.continue();
    expect(stop.reason).toBe('ended');
    expect([...out]).toEqual([0, 14, 28, 42]);
    expect(session.evaluate('out[2] + n').text).toBe('31');
    expect(session.evaluate('out').text).toBe('&out = {0, 14, 28, 42}');
  });
});

describe('breakpoints', () => {
  it('stop under a condition that the front end reads', async () => {
    const { session } = sumsSession();
    await session.start();
    session.addBreakpoint({ line: 9, condition: 'get_global_id(0) == 3 && square(k) == 4' });
    const stop = await session.continue();
    expect([stop.reason, stop.item?.global, stop.item?.group]).toEqual(['breakpoint', [3], [1]]);
    expect(session.evaluate('k').text).toBe('2');
    expect(session.evaluate('sum').text).toBe('15');
  });

  it('say what is wrong with a condition', () => {
    const { session } = sumsSession();
    expect(() => session.addBreakpoint({ line: 9, condition: 'k == q' })).toThrow(
      "use of undeclared identifier 'q'",
    );
    expect(() => session.addBreakpoint({ line: 2, condition: 'sum > 0' })).toThrow("identifier 'sum'");
  });

  it('stop for one work-item alone, and after so many times', async () => {
    const { session } = sumsSession();
    await session.start();
    session.addBreakpoint({ item: [2] });
    const first = session.addBreakpoint({ function: 'square', ignore: 4 });
    const stop = await session.continue();
    // Work-item 0 calls it three times, and 1 for the second time.
    expect([stop.breakpoint?.id, stop.item?.global, first.hits]).toEqual([first.id, [1], 5]);
    session.remove(first.id);
    expect((await session.continue()).item?.global).toEqual([2]);
  });

  it('stand on the next line that has something', () => {
    const { session } = sumsSession();
    expect(session.addBreakpoint({ line: 5 }).place?.line).toBe(6);
    expect(session.addBreakpoint({ line: 99 }).place).toBeUndefined();
    expect(session.linesOf('k.cl')).toEqual([2, 3, 6, 7, 8, 9, 11, 12]);
  });
});

const tree = `kernel void total(global int *data, global int *result, local int *tile) {
  int l = get_local_id(0);
  tile[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (l < step)
      tile[l] += tile[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    atomic_add(result, tile[0]);
}
`;

function treeSession() {
  const data = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const result = new Int32Array(1);
  const args = [buffer('data', data), buffer('result', result), { kind: 'local', size: 16 } as const];
  return { session: sessionOf(tree, 'total', [8], [4], args), result };
}

/** Everything that can be seen of a launch at a stop. */
function portrait(session: DebugSession): unknown {
  const text = (expression: string) => session.evaluate(expression).text;
  return {
    time: session.time,
    items: session.items(),
    calls: session.calls().map((call) => [call.function, call.place?.line]),
    memory: ['data', 'result'].map(text),
    values: Object.values(session.variables())
      .flat()
      .map((one: { name: string; text: string }) => `${one.name} = ${one.text}`),
  };
}

describe('work-items and barriers', () => {
  it('shows who waits, and takes the others along', async () => {
    const { session } = treeSession();
    await session.start();
    await session.runTo(5);
    // The others have had to come to the barrier before.
    expect(session.selected.place?.line).toBe(5);
    expect(session.items().map(({ state }) => state)).toEqual(['ready', 'ready', 'ready', 'ready']);
    expect(session.evaluate('tile').text).toBe('&tile = {1, 2, 3, 4}');
    session.select([3]);
    expect(session.evaluate('l').text).toBe('3');
    // It goes first from now on.
    expect((await session.stepOver()).place?.line).toBe(6);
    expect((await session.stepOver()).place?.line).toBe(8);
    session.addBreakpoint({ line: 7, item: [1] });
    expect((await session.continue()).item?.global).toEqual([1]);
    expect(session.items().map(({ state, place }) => [state, place?.line])).toEqual([
      ['at barrier', 8],
      ['ready', 7],
      ['ready', 5],
      ['at barrier', 8],
    ]);
    expect(session.evaluate('tile').text).toBe('&tile = {4, 2, 3, 4}');
    expect(() => session.select([7])).toThrow('work-item (7) is not in the group that runs, (0)');
  });

  it('stops at a barrier that not all come to', async () => {
    const source = `kernel void odd(global int *x) {
  if (get_local_id(0) == 1) barrier(CLK_GLOBAL_MEM_FENCE);
  x[0] = 1;
}`;
    const session = sessionOf(source, 'odd', [2], [2], [buffer('x', new Int32Array(1))]);
    await session.start();
    const stop = await session.continue();
    expect([stop.reason, stop.place?.line]).toEqual(['fault', 2]);
    expect(stop.message).toContain('barrier divergence');
  });
});

describe('going back', () => {
  it('gives exactly what was there, local memory and atomics too', async () => {
    const { session, result } = treeSession();
    const stops: unknown[] = [];
    await session.start();
    session.addBreakpoint({ line: 7 });
    session.addBreakpoint({ line: 11 });
    stops.push(portrait(session));
    for (let stop = await session.continue(); stop.reason === 'breakpoint'; stop = await session.continue()) {
      stops.push(portrait(session));
    }
    expect(stops).toHaveLength(9);
    expect(result[0]).toBe(36);
    for (let at = stops.length - 1; at >= 0; at -= 1) {
      await session.reverseContinue();
      expect(portrait(session)).toEqual(stops[at]);
    }
    expect(result[0]).toBe(0);
    expect((await session.reverseContinue()).message).toBe('the launch begins here');
    await session.continue();
    expect(portrait(session)).toEqual(stops[1]);
  });

  it('undoes steps one by one', async () => {
    const { session } = sumsSession();
    const places: unknown[] = [portraitOf(await session.start(), session)];
    for (let step = 0; step < 6; step += 1) places.push(portraitOf(await session.stepInto(), session));
    for (let step = 5; step >= 0; step -= 1) {
      expect(portraitOf(await session.stepBackInto(), session)).toEqual(places[step]);
    }
  });

  it('passes over calls and out of them', async () => {
    const { session } = sumsSession();
    await session.start();
    await session.runTo(11);
    const lines: (number | undefined)[] = [];
    for (let step = 0; step < 3; step += 1) lines.push((await session.stepBack()).place?.line);
    expect(lines).toEqual([8, 9, 8]);
    session.addBreakpoint({ line: 2 });
    await session.reverseContinue();
    expect(session.evaluate('x').text).toBe('2');
    expect((await session.stepBack()).place?.line).toBe(9);
  });

  it('goes from the end to where a value was written last', async () => {
    const { session } = treeSession();
    await session.start();
    await session.continue();
    session.watch('result[0]');
    const stop = await session.reverseContinue();
    expect([stop.reason, stop.item?.global, stop.place?.line]).toEqual(['watch', [4], 11]);
    expect(session.evaluate('*result').text).toBe('10');
    expect(session.evaluate('tile[0]').text).toBe('26');
    await session.reverseContinue();
    expect([session.selected.global, session.evaluate('*result').text]).toEqual([[0], '0']);
  });

  it('keeps what a person has changed to its time', async () => {
    const { session, out } = sumsSession();
    await session.start();
    await session.runTo(11);
    expect(session.change('sum = 100').text).toBe('100');
    await session.stepOver();
    expect(out[0]).toBe(100);
    await session.stepBack();
    await session.stepBack();
    expect(session.evaluate('sum').text).toBe('0');
    await session.runTo(12);
    expect(out[0]).toBe(100);
    // What a print computes changes nothing.
    expect(session.evaluate('out[0] = 7').text).toBe('7');
    expect(out[0]).toBe(100);
  });
});

function portraitOf(stop: { place: unknown }, session: DebugSession): unknown {
  return [stop.place, session.time, session.variables().private.map(({ name, text }) => [name, text])];
}

describe('watching memory', () => {
  it('says who has written what', async () => {
    const { session } = sumsSession();
    await session.start();
    session.watch('out[2]');
    const stop = await session.continue();
    expect(stop).toMatchObject({ reason: 'watch', item: { global: [2] } });
    expect(stop.message).toBe('work-item (2) has written out[2] at k.cl:11: 0 is 28 now');
  });

  it('keeps private variables of one work-item apart from the others', async () => {
    const { session } = sumsSession();
    await session.start();
    await session.stepOver();
    session.watch('sum');
    expect((await session.continue()).message).toBe(
      'work-item (0) has written sum at k.cl:7: not set is 0 now',
    );
    expect(() => session.watch('sum + 1')).toThrow('is a value, not a place in memory');
  });

  it('sees reads', async () => {
    const { session } = sumsSession();
    await session.start();
    session.watch('in[1]', 'read');
    const stop = await session.continue();
    expect(stop.message).toBe('work-item (0) has read in[1] at k.cl:9');
    expect(session.evaluate('k').text).toBe('1');
  });
});

describe('faults', () => {
  it('stop before the step that is wrong, from where one can look and go back', async () => {
    const source = `kernel void shift(global float *a, global float *b) {
  size_t i = get_global_id(0);
  float next = a[i + 1];
  b[i] = next;
}`;
    const a = new Float32Array([1, 2, 3, 4]);
    const session = sessionOf(source, 'shift', [4], [4], [buffer('a', a), buffer('b', new Float32Array(4))]);
    await session.start();
    const stop = await session.continue();
    expect([stop.reason, stop.item?.global, stop.place?.line]).toEqual(['fault', [3], 3]);
    expect(stop.message).toContain("load of 4 bytes at byte 16 of 'a', which has 16");
    expect(session.evaluate('i + 1').text).toBe('4');
    expect(session.evaluate('next').text).toBe('not set');
    expect(() => session.evaluate('a[i + 1]')).toThrow('where nothing is');
    expect((await session.stepBack()).place?.line).toBe(3);
    expect((await session.stepBack()).place?.line).toBe(2);
  });

  it.each([
    ['a[i] = 12 / (2 - i);', 2, '3:10', 'integer division by zero: 12 / 0'],
    ['a[i] = a[i] / -1;', 1, '3:10', 'integer division whose quotient does not fit: -2147483648 / -1'],
    ['b[i] %= (short4)(4, 3, i - 1, 1);', 1, '3:3', 'integer division by zero in component z: 9 % 0'],
  ])('are integer divisions without a result: %s', async (statement, item, place, message) => {
    const source = `kernel void parts(global int *a, global short4 *b) {
  int i = get_global_id(0);
  ${statement}
}`;
    const a = Int32Array.of(1, -2147483648, 3);
    const session = sessionOf(
      source,
      'parts',
      [3],
      [1],
      [buffer('a', a), buffer('b', new Int16Array(12).fill(9))],
    );
    await session.start();
    const stop = await session.continue();
    const at = `${stop.place?.line}:${stop.place?.column}`;
    expect([stop.reason, stop.item?.global, at]).toEqual(['fault', [item], place]);
    expect(stop.message).toBe(`${message} may be anything`);
    // Going back and putting something else there leads past it.
    await session.stepBack();
    session.change('i = 0');
    expect(() => session.evaluate('1 % i')).toThrow('integer division by zero: 1 % 0');
    expect((await session.continue()).reason).toBe('ended');
  });

  it('are no end of a launch that never ends', async () => {
    const source = 'kernel void stuck(global int *x) {\n  while (true)\n    x[0]++;\n}';
    const session = sessionOf(source, 'stuck', [1], [1], [buffer('x', new Int32Array(1))]);
    await session.start();
    setTimeout(() => session.pause(), 20);
    const stop = await session.continue();
    expect([stop.reason, stop.item?.global]).toEqual(['pause', [0]]);
    expect(Number(session.evaluate('x[0]').text)).toBeGreaterThan(10);
    const { time } = session;
    await session.stepBack();
    expect(session.time).toBeLessThan(time);
  });
});

describe('values', () => {
  const source = `#define SCALE 3
typedef struct { float4 colour; short2 at; struct { char tag; long id; } inner; int list[3]; } thing;
constant float weights[2] = {0.25f, 0.75f};
kernel void look(global thing *things, read_only image2d_t picture, sampler_t sampler, float2 by, thing given) {
  thing one = things[1];
  float16 wide = (float16)(0.5f);
  wide.s3 = SCALE;
  thing *p = &one;
  half *none = 0;
  const int table[2] = {7, 9};
  uchar4 bytes = (uchar4)(255, 128, 0, 255);
  {
    int one = 5;
    things[0].list[0] = one;
  }
  things[0].at.x = weights[0] * 8 + table[1];
}
`;

  async function lookSession(): Promise<DebugSession> {
    // A thing has 64 bytes: colour at 0, at at 16, inner at 24 (tag, then id at 32), list at 40; its alignment is 16.
    const things = new DataView(new ArrayBuffer(128));
    [1, 2.5, -0.1, 1e10].forEach((value, lane) => {
      things.setFloat32(64 + 4 * lane, value, true);
    });
    things.setInt16(64 + 16, -3, true);
    things.setInt8(64 + 24, 65);
    things.setBigInt64(64 + 32, 2n ** 40n, true);
    things.setInt32(64 + 48, 12, true);
    const descriptor = new DataView(new ArrayBuffer(64));
    // 2 x 2 of CL_RGBA, CL_UNORM_INT8.
    [0, 0, 2, 2, 0, 0, 8, 16, 0x10b5, 0x10d2, 4].forEach((word, index) => {
      descriptor.setUint32(4 * index, word, true);
    });
    const pixels = Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 8, 7, 6);
    const given = new Uint8Array(64);
    given[24] = 66;
    const session = sessionOf(
      source,
      'look',
      [1],
      [1],
      [
        buffer('things', things),
        {
          kind: 'image',
          pixels: { kind: 'buffer', space: 'global', name: 'picture', bytes: () => pixels },
          descriptor: new Uint8Array(descriptor.buffer),
        },
        { kind: 'sampler', bits: 0 },
        { kind: 'bytes', bytes: new Uint8Array(Float32Array.of(1.5, -2).buffer) },
        { kind: 'bytes', bytes: given },
      ],
    );
    await session.start();
    return session;
  }

  it('have their C types, components, fields and elements', async () => {
    const session = await lookSession();
    await session.runTo(14);
    const shown = (text: string) => {
      const { type, text: value } = session.evaluate(text);
      return `${type} ${value}`;
    };
    expect(shown('one')).toBe('int 5');
    expect(shown('by')).toBe('float2 (1.5, -2)');
    expect(shown('given.inner.tag')).toBe("char 66 'B'");
    expect(shown('wide.s23')).toBe('float2 (0.5, 3)');
    expect(shown('p->colour')).toBe('float4 (1, 2.5, -0.1, 10000000000)');
    expect(shown('p->inner')).toMatch(/ \{tag = 65 'A', id = 1099511627776\}$/);
    expect(shown('p->list')).toBe('int[3] {0, 0, 12}');
    expect(shown('none')).toBe('__private half * null');
    expect(shown('table[1] * SCALE')).toBe('int 27');
    expect(shown('weights')).toBe('__constant float[2] {0.25, 0.75}');
    expect(shown('picture')).toBe('__read_only image2d_t image of 2 x 2');
    expect(shown('dot(by, by) + sqrt(16.0f)')).toBe('float 10.25');
    expect(session.evaluate('bytes', 0, 'hexadecimal').text).toBe('(0xff, 0x80, 0x00, 0xff)');
    const fields = session.evaluate('*p').children();
    expect(fields.map(({ name, expression }) => [name, expression])).toEqual([
      ['colour', '(*p).colour'],
      ['at', '(*p).at'],
      ['inner', '(*p).inner'],
      ['list', '(*p).list'],
    ]);
    expect(fields[0]!.children(3)[0]).toMatchObject({ name: 'w', text: '10000000000' });
  });

  it('come in scopes, by name', async () => {
    const session = await lookSession();
    await session.runTo(14);
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    const { private: own, arguments: given, program } = session.variables();
    expect(names(given)).toEqual(['things', 'picture', 'sampler', 'by', 'given']);
    expect(names(own)).toEqual(['wide', 'p', 'none', 'table', 'bytes', 'one']);
    expect(names(program)).toEqual(['weights']);
    await session.runTo(16);
    expect(session.evaluate('one.at.x').text).toBe('-3');
  });

  it('are pictures', async () => {
    const session = await lookSession();
    const { width, height, data } = session.picture('picture');
    expect([width, height, [...data]]).toEqual([
      2,
      2,
      [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 8, 7, 6],
    ]);
    expect([...session.picture('weights', { width: 2 }).data]).toEqual([64, 64, 64, 255, 191, 191, 191, 255]);
    expect(() => session.picture('things')).toThrow('are no pixels');
  });
});

describe('programs that nothing was recorded of', () => {
  it('are shown by lines, their variables by their names', async () => {
    const unit = compileOpenCL(sums, { name: 'k.cl', isUnit: true }).module!;
    const module = linkOpenCL([unit], false).module!;
    const out = new Int32Array(2);
    const args = [buffer('out', out), buffer('in', Int32Array.of(4, 5)), int(2)];
    const range = { globalSize: [2], localSize: [1] };
    const session = new DebugSession({ module, kernel: 'sums', range, args });
    await session.start();
    session.addBreakpoint({ line: 11, item: [1] });
    const stop = await session.continue();
    expect([stop.place?.line, session.evaluate('sum').text]).toEqual([11, '41']);
    expect((await session.stepBack()).place?.line).toBeLessThan(11);
    expect((await session.continue()).place?.line).toBe(11);
    await session.continue();
    expect([...out]).toEqual([0, 41]);
  });

  it('are refused where their code says no places', () => {
    const unit = compileOpenCL(sums, { name: 'k.cl', isUnit: true }).module!;
    for (const fn of unit.functions) {
      walkFunction(fn, (instruction) => {
        instruction.span = undefined;
      });
    }
    const args = [buffer('out', new Int32Array(1)), buffer('in', new Int32Array(1)), int(1)];
    const range = { globalSize: [1], localSize: [1] };
    expect(() => new DebugSession({ module: unit, kernel: 'sums', range, args })).toThrow(
      "kernel 'sums' cannot be debugged: its code says no places in a source",
    );
  });
});
