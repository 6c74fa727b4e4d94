import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, setUp } from './setup.ts';

let bench: Bench | undefined;
afterEach(() => bench?.close());

const numbers = (count: number, from: number) =>
  Int32Array.from({ length: count }, (_, index) => index + from);

describe.each([
  ['threads', true],
  ['one thread', false],
])('the wasm device on %s', (_title, shared) => {
  it('runs every work-group once, for any number of them', async () => {
    bench = setUp({ shared });
    for (const groups of [1, 2, 63, 64, 65, 1000, 4097]) {
      const out = bench.buffer(groups);
      const event = bench.launch('number', groups, [out, 100]);
      const { data } = bench.read(out, groups);
      expect(event.status).toBe(0);
      expect(data).toEqual(numbers(groups, 100));
      const counter = bench.buffer(1);
      bench.write(counter, new Int32Array(1));
      await bench.launch('count', groups, [counter]).done;
      expect(bench.read(counter, 1).data[0]).toBe(groups);
    }
  });

  it('keeps the order of an in-order queue', () => {
    bench = setUp({ shared });
    const out = bench.buffer(8);
    bench.write(out, new Int32Array(8));
    let expected = 0;
    for (let step = 0; step < 200; step += 1) {
      bench.launch('step', 8, [out, step]);
      expected = (Math.imul(expected, 3) + step) | 0;
    }
    expect(bench.read(out, 8).data).toEqual(new Int32Array(8).fill(expected));
  });

  it('passes sizes, offsets and local memory as the ABI says', () => {
    bench = setUp({ shared });
    const out = bench.buffer(64);
    bench.launch('sizes', [3, 4, 5], [out], { local: [2, 3, 1], offset: [7, 8, 9] });
    expect([...bench.read(out, 13).data]).toEqual([6, 12, 5, 2, 3, 1, 3, 4, 5, 7, 8, 9, 3]);
    bench.launch('through_local', 64, [out, { kind: 'local', bytes: 4 }], { local: [32, 1, 1] });
    expect(bench.read(out, 64).data).toEqual(numbers(64, 0));
    // An area larger than the threads have so far.
    bench.launch('through_local', 64, [out, { kind: 'local', bytes: 1 << 20 }]);
    expect(bench.read(out, 64).data).toEqual(numbers(64, 0));
    bench.launch('constant', 2, [out]);
    expect([...bench.read(out, 2).data]).toEqual([4711, 4711]);
  });

  it('turns a trap into a failed event, and goes on', async () => {
    bench = setUp({ shared });
    const event = bench.launch('trap', 1000, []);
    await expect(event.done).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES', code: -5 });
    expect(event.errorMessage).toMatch(/kernel 'trap' failed: unreachable/);
    const wild = bench.launch('wild', 100, [57]);
    await expect(wild.done).rejects.toThrow(/kernel 'wild' failed: memory access out of bounds/);
    const out = bench.buffer(4);
    bench.launch('number', 4, [out, 0]);
    expect(bench.read(out, 4).data).toEqual(numbers(4, 0));
  });

  it('fails commands that wait for a failed one, and only those', async () => {
    bench = setUp({ shared });
    const failed = bench.launch('trap', 1, []);
    const other = bench.newQueue();
    const follower = bench.launch('empty', 1, [], { queue: other, waits: [failed] });
    const third = bench.launch('empty', 1, [], { waits: [follower] });
    const free = bench.launch('empty', 1, [], { queue: other });
    await expect(third.done).rejects.toMatchObject({ name: 'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST' });
    await free.done;
    expect(follower.status).toBe(-14);
    expect(free.status).toBe(0);
  });

  it('reports the times of a command in order', async () => {
    bench = setUp({ shared });
    const event = bench.launch('empty', 10, []);
    await event.done;
    const times = ([0, 1, 2, 3] as const).map((which) => event.time(which));
    expect(times[0]).toBeGreaterThan(0n);
    for (let index = 1; index < 4; index += 1) expect(times[index]).toBeGreaterThanOrEqual(times[index - 1]!);
  });
});
