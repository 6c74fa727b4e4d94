/** printf of kernels, through the built package: who gets the text, when, and what becomes of too much of it. */

import { compile, devices, type Program } from 'millrace';
import { CL, type CLContext, CLEvent, createContext, waitForEvents } from 'millrace/opencl';
import { afterEach, describe, expect, it } from 'vitest';

const source = `
kernel void lines(global int *results) {
  int i = get_global_id(0);
  results[i] = printf("%d begins, ", i) | printf("%s %d\\n", "ends", i);
}
kernel void in_order(int rounds) {
  for (int r = 0; r < rounds; r++) printf("%d %d\\n", (int)get_global_id(0), r);
}
kernel void flood(global int *counts, int rounds) {
  for (int r = 0; r < rounds; r++) atomic_inc(&counts[-printf("%d %d %d %d\\n", r, r, r, r)]);
}
kernel void endless(global volatile int *flag) {
  printf("before\\n");
  while (flag[0] == 0) flag[1] += 1;
}
void helper(int depth, float4 v) {
  if (depth > 2) printf("helper %d %.1v4hlf\\n", depth, v);
}
kernel void through_calls(int n) {
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; i++) helper(i, (float4)(i, i + 1, i + 2, 0.25f));
  barrier(CLK_LOCAL_MEM_FENCE);
  printf("%s of %u\\n", "end", (uint)get_local_size(0));
}
kernel void sparing(global const int *values, global int *results, int chosen) {
  int i = get_global_id(0), x = values[i];
  if (i == chosen) printf("%d\\n", i);
  results[i] = x + i;
}
kernel void wild(global int *p, int distance) {
  printf("first %s\\n", "text");
  // Everything around the argument, among it perhaps the buffer of what is printed.
  for (int i = 0; i < distance; i++) p[i] = 0x7fffffff - i;
  printf("last\\n");
}
kernel void utf8() { printf("gr\\xc3\\xbc\\xc3\\x9f %s %c%c\\n", "\u00e9\u20ac", 0xc3, 0xa4); }`;

let program: Program | undefined;
let context: CLContext | undefined;
afterEach(() => {
  program?.release();
  context?.releaseAll();
  program = context = undefined;
});

const own = devices().filter(({ id }) => id === 'wasm' || id === 'interpreter');

describe.each(own.map((device) => [device.id, device] as const))('on the %s device', (id, device) => {
  /** Compiles the source; what it prints is gathered. */
  async function start(timeout = 0): Promise<{ said: () => string; kernel: Program['kernel'] }> {
    let text = '';
    const print = (more: string) => {
      text += more;
    };
    program = await compile(source, { device, print, timeout });
    const of = program;
    return { said: () => text, kernel: (name) => of.kernel(name) };
  }

  it('reads before it what is used behind it, whether it prints or not', async () => {
    const { said, kernel } = await start();
    const results = new Int32Array(4);
    await kernel('sparing')({ global: [4], local: [4] }, Int32Array.of(10, 20, 30, 40), results, 2);
    expect([...results]).toEqual([10, 21, 32, 43]);
    expect(said()).toBe('2\n');
  });

  it('prints what calls say, the text of each in one piece, before the launch is over', async () => {
    const { said, kernel } = await start();
    const results = new Int32Array(6).fill(7);
    await kernel('lines')({ global: [6], local: [3] }, results);
    expect([...results]).toEqual([0, 0, 0, 0, 0, 0]);
    const ends = [...said().matchAll(/ends (\d)\n/g)].map(([, i]) => Number(i));
    const begins = [...said().matchAll(/(\d) begins, /g)].map(([, i]) => Number(i));
    expect([ends.sort(), begins.sort()]).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 5],
    ]);
    expect(said()).toHaveLength(6 * '0 begins, ends 0\n'.length);
  });

  it('keeps what a work-item prints in its order and loses nothing of 10,000 lines', async () => {
    const { said, kernel } = await start();
    const items = 400;
    await kernel('in_order')({ global: [items], local: [4] }, 25);
    const next = new Array<number>(items).fill(0);
    const lines = said().split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(10_000);
    for (const line of lines) {
      const [item, round] = line.split(' ').map(Number) as [number, number];
      expect(round).toBe(next[item]);
      next[item] = round + 1;
    }
  });

  it('prints from functions, between barriers, and vectors', async () => {
    const { said, kernel } = await start();
    await kernel('through_calls')({ global: [2], local: [2] }, 5);
    expect(said().split('\n').sort().join('\n')).toBe(
      [
        '',
        'end of 2',
        'end of 2',
        'helper 3 3.0,4.0,5.0,0.2',
        'helper 3 3.0,4.0,5.0,0.2',
        'helper 4 4.0,5.0,6.0,0.2',
        'helper 4 4.0,5.0,6.0,0.2',
      ].join('\n'),
    );
  });

  it('says -1 in the kernel and a word in the text when the buffer is full', async () => {
    const { said, kernel } = await start();
    const counts = new Int32Array(2);
    const [items, rounds] = [100, 600];
    await kernel('flood')({ global: [items], local: [10] }, counts, rounds);
    // A record of four ints takes 24 bytes.
    const fit = Math.floor((2 ** 20 - 8) / 24);
    expect([...counts]).toEqual([fit, items * rounds - fit]);
    const lines = said().split('\n');
    expect(lines.splice(fit)).toEqual([
      `[${items * rounds - fit} calls of printf found no room: the launch had filled its buffer]`,
      '',
    ]);
    for (const line of lines) expect(line).toMatch(/^(\d+) \1 \1 \1$/);
  });

  it('prints text that is not ASCII as UTF-8', async () => {
    const { said, kernel } = await start();
    await kernel('utf8')({ global: [1] });
    expect(said()).toBe('grüß é€ ä\n');
  });

  it.runIf(id === 'wasm')('prints what a launch has said before its time-out', async () => {
    const { said, kernel } = await start(50);
    const launch = kernel('endless')({ global: [1] }, new Int32Array(2));
    await expect(launch).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    expect(said()).toBe('before\n');
    // The same buffer or another serves the next launch.
    await kernel('utf8')({ global: [1] });
    expect(said()).toBe('before\ngrüß é€ ä\n');
  });

  it.runIf(id === 'wasm')('survives a kernel that writes all over the device memory', async () => {
    const { said, kernel } = await start();
    const small = program!.buffer(64);
    await kernel('lines')({ global: [4] }, program!.buffer(16));
    const before = said().length;
    await kernel('wild')({ global: [1] }, small, 700_000).catch(() => undefined);
    // Whatever came of it, the host lives and says no more than could have been there.
    expect(said().length - before).toBeLessThan(2 ** 20);
  });
});

describe('in the OpenCL API', () => {
  it.each([[undefined], [false]])(
    'has the text out when a wait or a query tells of the end (shared: %s)',
    (shared) => {
      let text = '';
      const opened = createContext(undefined, { shared, print: (more) => (text += more) });
      context = opened;
      const queue = opened.createCommandQueue();
      const built = opened.createProgram(source);
      built.build();
      const kernel = built.createKernel('in_order');
      kernel.setArg(0, Int32Array.of(1));
      const event = new CLEvent();
      queue.enqueueNDRangeKernel(kernel, 1, null, [2], [1], null, event);
      waitForEvents([event]);
      expect(text.split('\n').sort()).toEqual(['', '0 0', '1 0']);

      text = '';
      queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
      queue.finish();
      expect(text).toBe('0 0\n');

      let other = '';
      opened.print = (more) => (other += more);
      queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
      queue.finish();
      expect([text, other]).toEqual(['0 0\n', '0 0\n']);
      expect(opened.getInfo(CL.CONTEXT_NUM_DEVICES)).toBeGreaterThan(0);
    },
  );
});
