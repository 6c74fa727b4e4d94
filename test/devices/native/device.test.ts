/**
 * The device `native` as users have it: programs, launches that launch others, printf, images, atomics, failures and time-outs give what they give on
 * WebAssembly. Needs the built dist/; skipped where there is no such device.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compile, type Device, devices, local, requestDevice, startProfiling } from 'millrace';
import { CL, type CLDeviceQueue, createContext, getPlatforms } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';

const found: Device | string = await requestDevice('native').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (skipped: ${found})` : '';

it.skipIf(skipped === '')('says why there is no native device', () => {
  expect(found).toMatch(/machine code/);
});

describe.skipIf(skipped !== '')(`the native device${skipped}`, () => {
  it('is among the devices once it was asked for, on our platform, too, and not the default', () => {
    expect(devices({ drivers: false }).map(({ id }) => id)).toEqual(['wasm', 'interpreter', 'native']);
    const own = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CPU);
    expect(own.map((device) => device.getInfo(CL.DEVICE_NAME))).toEqual([
      'Millrace WebAssembly',
      'Millrace x86-64',
    ]);
  });

  it('runs kernels with barriers, local memory, helpers and vectors', async () => {
    const source = `
      float4 twice(float4 x) { return x + x; }
      kernel void k(global const float4 *x, global float4 *y, local float4 *tile) {
        size_t i = get_global_id(0), l = get_local_id(0);
        tile[l] = twice(x[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        y[i] = tile[get_local_size(0) - 1 - l].wzyx;
      }`;
    const program = await compile(source, { device: 'native' });
    expect(program.device.id).toBe('native');
    const x = Float32Array.from({ length: 4 * 96 }, (_, index) => index);
    const y = new Float32Array(x.length);
    await program.kernel('k')({ global: [96], local: [32] }, x, y, local(32 * 16));
    const expected = Array.from(x, (_, index) => {
      const [item, lane] = [index >> 2, index & 3];
      const group = item & ~31;
      return 2 * (4 * (group + 31 - (item - group)) + 3 - lane);
    });
    expect([...y]).toEqual(expected);
    program.release();
  });

  it('prints', async () => {
    const texts: string[] = [];
    const program = await compile('kernel void k() { printf("%d %v4hlf\\n", 7, (float4)(1.5f)); }', {
      device: 'native',
      print: (text) => texts.push(text),
    });
    await program.kernel('k')({ global: [1] });
    expect(texts.join('')).toBe('7 1.500000,1.500000,1.500000,1.500000\n');
    program.release();
  });

  it('adds up atomically from all threads', async () => {
    const program = await compile(
      `kernel void k(global int *sum, global long *wide) {
         atomic_add(sum, (int)get_global_id(0));
         atom_add(wide, (long)get_global_id(0) << 20);
       }`,
      { device: 'native' },
    );
    const [sum, wide] = [new Int32Array(1), new BigInt64Array(1)];
    await program.kernel('k')({ global: [10_000] }, sum, wide);
    expect([sum[0], wide[0]]).toEqual([49_995_000, 49_995_000n << 20n]);
    program.release();
  });

  it('launches kernels from kernels, and fails with what they fail with', async () => {
    const device = getPlatforms()[0]!
      .getDevices(CL.DEVICE_TYPE_CPU)
      .find((one) => one.getInfo(CL.DEVICE_NAME) === 'Millrace x86-64')!;
    const context = createContext([device]);
    const list = [CL.QUEUE_PROPERTIES, CL.QUEUE_ON_DEVICE | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0];
    const onDevice = context.createCommandQueueWithProperties(null, list) as CLDeviceQueue;
    context.setDefaultDeviceCommandQueue(onDevice.device, onDevice);
    const queue = context.createCommandQueue();
    const program = context.createProgram(`
      kernel void k(global int *out, int depth) {
        int i = get_global_id(0);
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(50),
          ^{ atomic_add(out + get_global_id(0), i + 1); });
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),
          ^(local void *l) { *(local int *)l = 3; atomic_add(out + 50, *(local int *)l); }, 16u);
      }
      kernel void wrong(global int *out) {
        // The list of events is where nothing can be read: the call fails, and with it the kernel, which would not end.
        clk_event_t event;
        enqueue_marker(get_default_queue(), 1, (const clk_event_t *)(uintptr_t)0xfffffff0, &event);
        for (;;) out[0] += is_valid_event(event);
      }`);
    program.build(null, '-cl-std=CL2.0');
    const kernel = program.createKernel('k');
    const out = new Int32Array(51);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, out.byteLength);
    queue.enqueueWriteBuffer(buffer, true, 0, out.byteLength, out);
    kernel.setArg(0, buffer);
    kernel.setArg(1, 2);
    queue.enqueueNDRangeKernel(kernel, 1, null, [10]);
    queue.enqueueReadBuffer(buffer, true, 0, out.byteLength, out);
    expect([...out]).toEqual([...new Array<number>(50).fill(55), 10 * 4 * 3]);
    const wrong = program.createKernel('wrong');
    wrong.setArg(0, buffer);
    const event = queue.enqueueNDRangeKernel(wrong, 1, null, [1]);
    await expect(event.done).rejects.toThrow("kernel 'wrong' failed");
    // The threads go on.
    queue.enqueueNDRangeKernel(kernel, 1, null, [1]);
    queue.enqueueReadBuffer(buffer, true, 0, out.byteLength, out);
    expect(out[49]).toBe(56);
    context.releaseAll();
  });

  it('stops what runs too long, at the time-out', async () => {
    const program = await compile('kernel void k(global volatile int *go) { while (*go == 0); go[1] = 5; }', {
      device: 'native',
      timeout: 1000,
    });
    const kernel = program.kernel('k');
    for (let round = 0; round < 3; round += 1) {
      await expect(kernel({ global: [8] }, new Int32Array(2))).rejects.toThrow('time-out of 1000 ms');
      const going = Int32Array.of(1, 0);
      await kernel({ global: [8] }, going);
      expect(going[1]).toBe(5);
    }
    program.release();
  });

  it('stops its baseline code, too', async () => {
    const before = process.env['MILLRACE_TIERS'];
    delete process.env['MILLRACE_TIERS'];
    const profiler = startProfiling();
    const source = 'kernel void k(global volatile int *go) { while (*go == 0); go[1] = 5; }';
    const program = await compile(source, { device: 'native', timeout: 1000 });
    const kernel = program.kernel('k');
    await expect(kernel({ global: [8] }, new Int32Array(2))).rejects.toThrow('time-out of 1000 ms');
    const going = Int32Array.of(1, 0);
    await kernel({ global: [8] }, going);
    expect(going[1]).toBe(5);
    program.release();
    expect(profiler.stop().builds.map(({ kind }) => kind)).toEqual(['build', 'baseline']);
    process.env['MILLRACE_TIERS'] = before;
  });

  it('fails a launch of what has more private memory than there is, or cannot be reached', async () => {
    const program = await compile(
      'kernel void k(global int *out) { int big[40000000]; big[out[0]] = 1; out[1] = big[out[2]]; }',
      { device: 'native' },
    );
    await expect(program.kernel('k')({ global: [64], local: [64] }, new Int32Array(4))).rejects.toThrow(
      /CL_OUT_OF_RESOURCES|bytes of private/,
    );
    program.release();
  });

  it('keeps all accesses inside its memory', async () => {
    const program = await compile(
      `kernel void k(global int *out, uint seed) {
         uint s = seed + get_global_id(0) * 2654435761u;
         for (int i = 0; i < 200; i++) {
           s = s * 1664525u + 1013904223u;
           uint at = (i & 1) ? s : 0xffffffffu - (s >> 25);
           int4 v = vload4(0, (global int *)(uintptr_t)at);
           out[get_global_id(0)] += v.x ^ v.w;
           *(global short *)(uintptr_t)(0xfffffff0u + (s >> 28)) = (short)s;
         }
       }`,
      { device: 'native' },
    );
    await program.kernel('k')({ global: [500] }, new Int32Array(500), 12345);
    program.release();
  });

  it('divides anything by anything', async () => {
    const types = ['char', 'short', 'int', 'uint', 'ulong', 'long'];
    // All but the last for their own sake: what OpenCL C leaves open may be anything, but nothing may happen.
    const body = (type: string): string => `{
      ${type} a = (${type})x[i], b = (${type})x[j];
      ${type}4 va = (${type}4)(a, b, a, b), vb = (${type}4)(b, a, a, b);
      ${type}4 v = va / vb + va % vb;
      other += (long)(v.x + v.y + v.z + v.w);
      quotient = (long)(a / b); rest = (long)(a % b);
    }`;
    const program = await compile(
      `kernel void k(global const long *x, global long *quotients, global long *rests, global long *others) {
         int i = get_global_id(0), j = get_global_id(1), at = i * get_global_size(1) + j;
         long quotient = 0, rest = 0, other = 0;
         ${types.map(body).join('')}
         quotients[at] = quotient; rests[at] = rest; others[at] = other;
       }`,
      { device: 'native' },
    );
    const least = -(2n ** 63n);
    const x = [0n, 1n, -1n, 127n, -128n, -32768n, -(2n ** 31n), 2n ** 31n - 1n, least, 3n, 10n ** 18n + 7n];
    const [quotients, rests, others] = [0, 1, 2].map(() => new BigInt64Array(x.length ** 2));
    const range = { global: [x.length, x.length] };
    await program.kernel('k')(range, BigInt64Array.from(x), quotients!, rests!, others!);
    for (const [i, a] of x.entries()) {
      for (const [j, b] of x.entries()) {
        if (b === 0n || (a === least && b === -1n)) continue;
        const at = i * x.length + j;
        expect([a, b, quotients![at], rests![at]]).toEqual([a, b, a / b, a % b]);
      }
    }
    program.release();
  });

  it('gives the pages of programs back', async () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { compile } from 'millrace';
      const executable = () => readFileSync('/proc/self/maps', 'utf8').split('\\n').filter((line) => / r-xp 0+ 00:00 0 *$/.test(line)).length;
      let first;
      for (let round = 0; round < 60; round += 1) {
        const program = await compile('kernel void k(global int *o) { o[0] = ' + round + '; }', { device: 'native' });
        const out = new Int32Array(1);
        await program.kernel('k')({ global: [1] }, out);
        if (out[0] !== round) throw new Error('wrong');
        program.release();
        if (round === 20) first = executable();
      }
      console.log(executable() - first);
      process.exit();`;
    const lines = runScript(script).stdout.trim().split('\n');
    expect(Number(lines.at(-1))).toBeLessThan(20);
  });

  it('lets a process end while a kernel runs for ever', () => {
    const script = `
      import { compile } from 'millrace';
      const program = await compile('kernel void k(global volatile int *p) { while (*p == 0); }', { device: 'native' });
      void program.kernel('k')({ global: [4] }, new Int32Array(1)).catch(() => {});
      setTimeout(() => process.exit(7), 500);`;
    expect(runScript(script).status).toBe(7);
  });
});

/** Runs a module in a process of its own. */
function runScript(script: string): { stdout: string; status: number | null } {
  const folder = fileURLToPath(new URL('../../..', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 55_000,
  });
  if (status === null || stderr !== '') console.error(stderr);
  return { stdout, status };
}
