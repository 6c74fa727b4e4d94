// Kernels on WebGPU leave the same bytes as on the interpreter. Needs the built dist/ and a WebGPU, which for Node is the package `webgpu`
// and a Vulkan driver: SwiftShader comes with Debian's chromium.
import '../../support/webgpu.ts';
import { BuildError, compile, type Device, devices, local, OpenCLError, requestDevice } from 'millrace';
import { CL, createContext, getPlatforms } from 'millrace/opencl';
import { describe, expect, test } from 'vitest';
import { wgslCases } from '../../codegen/wgsl/kernels.ts';

const found: Device | string = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';
/** SwiftShader's functions are the processor's, as the interpreter's are. */
const isSoftware = typeof found !== 'string' && found.name.includes('SwiftShader');
const interpreter = devices({ drivers: false }).find(({ id }) => id === 'interpreter')!;

/** Runs a case with made-up inputs and gives what its buffers hold then, and what it printed. */
async function results(device: Device, source: string, options: string): Promise<unknown[]> {
  const printed: string[] = [];
  const program = await compile(source, { device, options, print: (text) => void printed.push(text) });
  try {
    const kernel = program.kernel(program.kernelNames[0]!);
    const buffers: ArrayBufferView[] = [];
    const args = kernel.parameters.map(({ typeName: type, kind }) => {
      if (kind === 'local') return local(1024);
      if (type === 'float4') return [1, 2.5, -3, 4];
      if (type === 'Settings') return { scale: 1.5, offset: [1, 2, 3] };
      if (!type.endsWith('*')) return 3;
      const bytes = new Uint8Array(64 * 256);
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 37 + (at >> 3)) & 0x3f;
      buffers.push(bytes);
      return bytes;
    });
    await kernel({ global: [64], local: [16] }, ...args);
    return [...buffers, printed.sort().join('')];
  } finally {
    program.release();
  }
}

describe.skipIf(skipped !== '')(`kernels on WebGPU${skipped}`, () => {
  const runnable = wgslCases.filter(({ source }) => !source.includes('image2d_t'));

  test.each(runnable)('$name', async ({ source, options = '', tolerance }) => {
    const expected = await results(interpreter, source, options);
    const made = await results(found as Device, source, options);
    if (tolerance === undefined || isSoftware) expect(made).toEqual(expected);
    else {
      for (const [at, bytes] of made.entries()) {
        if (!(bytes instanceof Uint8Array)) continue;
        const floats = new Float32Array((expected[at] as Uint8Array).buffer);
        for (const [index, one] of new Float32Array(bytes.buffer).entries()) {
          const far = Math.abs(one - floats[index]!) > Math.abs(floats[index]!) * tolerance;
          if (far || Number.isNaN(one) !== Number.isNaN(floats[index]!)) expect(one).toBe(floats[index]);
        }
      }
    }
  });

  test('a kernel that cannot run there is a build error with its place and the reason', async () => {
    const source = 'kernel void k(global long *p) {\n  atom_add(p, 1L);\n}\n';
    const wrong = await compile(source, { device: found as Device, name: 'sums.cl' }).catch((error) => error);
    expect(wrong).toBeInstanceOf(BuildError);
    expect(wrong.log).toContain(
      "sums.cl:2:3: error: kernel 'k' cannot run on WebGPU: atomic operations on 64 bits",
    );
  });

  test("division and square root within OpenCL's bounds, or rounded correctly by the build option", async () => {
    const source = `kernel void k(global const float *x, global const float *y, global float4 *out) {
      int i = get_global_id(0);
      out[i] = (float4)(x[i] / y[i], sqrt(fabs(y[i])), rsqrt(fabs(y[i])), native_recip(y[i]));
    }`;
    const special = [0, -0, 1, 3, 0.1, -7.5, 2 ** -126, 2 ** 126, 1.5 * 2 ** 127, Infinity, Number.NaN];
    const pairs = special.flatMap((a) => special.map((b) => [a, b] as const));
    // All exponents, with any digits behind.
    const more = Array.from({ length: 2000 }, (_, at): readonly [number, number] => {
      const digits = (by: number): number => 1 + ((at * by) % 8388593) / 8388608;
      return [
        digits(40503) * 2 ** (((at * 37) % 252) - 126),
        -digits(30011) * 2 ** (((at * 101) % 252) - 126),
      ];
    });
    const [xs, ys] = [0, 1].map((which) => Float32Array.from([...pairs, ...more], (pair) => pair[which]!));
    const exact = (x: number, y: number): number[] => [
      x / y,
      Math.sqrt(Math.abs(y)),
      1 / Math.sqrt(Math.abs(y)),
      1 / y,
    ];
    const bounds = [2.5, 3, 2, 2.5];
    for (const options of ['', '-cl-fp32-correctly-rounded-divide-sqrt']) {
      const program = await compile(source, { device: found as Device, options });
      const out = new Float32Array(xs!.length * 4);
      await program.kernel('k')({ global: [xs!.length] }, xs!, ys!, out);
      program.release();
      for (const [at, x] of xs!.entries()) {
        for (const [which, want] of exact(x, ys![at]!).entries()) {
          const got = out[at * 4 + which]!;
          const nearest = Math.fround(want);
          const isSubnormal = Math.abs(nearest) < 2 ** -126 && got === 0;
          if (Object.is(got, nearest) || isSubnormal) continue;
          const what = `${['x / y', 'sqrt', 'rsqrt', 'recip'][which]} of ${x} and ${ys![at]} with '${options}'`;
          // 1 / sqrt is rounded twice.
          const isRounded = options !== '' && which !== 2;
          const ulp = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(want))), -126) - 23);
          expect(Math.abs(got - want) / ulp, what).toBeLessThanOrEqual(isRounded ? 0 : bounds[which]!);
        }
      }
    }
  });

  test('one kernel on images of several formats', async () => {
    const source = wgslCases.find(({ name }) => name === 'an image')!.source;
    const runs = async (device: Device): Promise<number[][]> => {
      const program = await compile(source, { device });
      const all: number[][] = [];
      const formats = [
        ['RGBA', 'UNORM_INT8'],
        ['R', 'FLOAT'],
      ] as const;
      for (const [order, type] of formats) {
        const channels = order === 'R' ? 1 : 4;
        const data = type === 'FLOAT' ? new Float32Array(35) : new Uint8Array(35 * channels);
        for (let at = 0; at < data.length; at += 1) data[at] = (at * 29) % 251;
        const to = type === 'FLOAT' ? new Float32Array(35) : new Uint8Array(35 * channels);
        const size = { width: 7, height: 5, order, type };
        await program.kernel('k')({ global: [7, 5] }, { ...size, data }, { ...size, data: to });
        all.push([...to]);
      }
      program.release();
      return all;
    };
    const [got, want] = [await runs(found as Device), await runs(interpreter)];
    for (const [at, list] of got.entries()) {
      for (const [index, value] of list.entries()) {
        // Rounded to bytes, or to floats.
        expect(Math.abs(value - want[at]![index]!)).toBeLessThanOrEqual(at === 0 ? 1 : 1e-4);
      }
    }
  }, 60_000);

  test('ranges of more groups than a dispatch may have, and groups cut off at the end', async () => {
    const source =
      'kernel void k(global uint *p) { p[get_global_id(0)] = get_group_id(0) * 16 + get_local_size(0); }';
    const program = await compile(source, { device: found as Device, options: '-cl-std=CL2.0' });
    const size = 65_536 * 4 + 3;
    const out = new Uint32Array(size);
    await program.kernel('k')({ global: [size], local: [4] }, out);
    program.release();
    const wrong = out.findIndex((value, at) => value !== (at >> 2) * 16 + (at < size - 3 ? 4 : 3));
    expect(wrong).toBe(-1);
  });

  test('a context with WebAssembly beside it: each sees what the other wrote', () => {
    const all = getPlatforms().flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
    const gpu = all.find((device) => device.getInfo(CL.DEVICE_NAME) === (found as Device).name)!;
    const cpu = all.find(({ runtime }) => runtime.id === 'wasm')!;
    const context = createContext([gpu, cpu]);
    const program = context.createProgram(
      'kernel void k(global int *p, int by) { p[get_global_id(0)] += by; }',
    );
    program.build([gpu, cpu]);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 256 * 4);
    const kernel = program.createKernel('k');
    const queues = [gpu, cpu].map((device) => context.createCommandQueue(device, 0));
    queues[0]!.enqueueWriteBuffer(
      buffer,
      true,
      0,
      1024,
      Int32Array.from({ length: 256 }, (_, at) => at),
    );
    for (const [round, queue] of [queues[0]!, queues[1]!, queues[0]!].entries()) {
      kernel.setArg(0, buffer);
      kernel.setArg(1, 10 ** round);
      queue.enqueueNDRangeKernel(kernel, 1, null, [256], null);
      queue.finish();
    }
    const out = new Int32Array(256);
    queues[1]!.enqueueReadBuffer(buffer, true, 0, 1024, out);
    expect([...out]).toEqual(Array.from({ length: 256 }, (_, at) => at + 111));
    context.release();
  });

  test('pipes: what the work-items of one launch write, those of the next ones read, once each', async () => {
    const source = `
kernel void odd(uint first, write_only pipe uint found) {
  uint n = first + get_global_id(0);
  if (n & 1) write_pipe(found, &n);
}
kernel void collect(read_only pipe uint found, global uint *out, global uint *count) {
  uint n;
  if (read_pipe(found, &n) == 0) out[atomic_inc(count)] = n;
}`;
    const program = await compile(source, { device: found as Device, options: '-cl-std=CL2.0' });
    // More goes through than it holds, so that its ring is gone round.
    const pipe = program.pipe(4, 100);
    const out = new Uint32Array(300);
    const count = new Uint32Array(1);
    for (let first = 0; first < 600; first += 150) {
      await program.kernel('odd')({ global: [150] }, first, pipe);
      await program.kernel('collect')({ global: [150] }, pipe, out, count);
    }
    program.release();
    expect(count[0]).toBe(300);
    expect([...out.sort()]).toEqual(Array.from({ length: 300 }, (_, at) => 2 * at + 1));
  });

  test('more memory than the adapter has is refused', async () => {
    const program = await compile('kernel void k(global int *p) { *p = 1; }', { device: found as Device });
    expect(() => program.buffer((found as Device).info.maxMemAllocSize + 4)).toThrow(OpenCLError);
    program.release();
  });
});

test.skipIf(skipped === '')('without WebGPU the reason is told', () => {
  expect(found).toMatch(/WebGPU|webgpu/);
});
