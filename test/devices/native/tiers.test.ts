/**
 * Which launches run baseline code, which optimised WebAssembly, and which machine code; and that they give the same. The first needs no
 * processor for machine code, which is compiled here and not called; the rest needs the built dist/, and is skipped where there is no such device.
 */
import { compile, requestDevice, startProfiling } from 'millrace';
import { CL, createContext, getPlatforms } from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nativeCompiler } from '../../../src/devices/native/compile-native.ts';
import { wasmTierOf } from '../../../src/devices/native/wasm-tier.ts';
import { LocalWasmDevice } from '../../../src/devices/wasm/local-wasm-device.ts';
import { onMachines } from '../../../src/devices/wasm/on-machines.ts';
import type { OpenWasmDevice } from '../../../src/devices/wasm/open-wasm-device.ts';
import { localDevice, WasmDevice } from '../../../src/devices/wasm/wasm-device.ts';
import type { CompilePart, WasmDeviceProgram, WasmKernel } from '../../../src/devices/wasm/wasm-program.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import type { KernelArgument, Triple } from '../../../src/runtime/command.ts';
import { Context } from '../../../src/runtime/context.ts';
import { BuildFailure, type ProgramInput } from '../../../src/runtime/device.ts';

localDevice.provide(LocalWasmDevice);

/** The tier of each compilation, in order. */
let compiled: string[] = [];
/** Tiers whose compilers refuse everything. */
let failing: string[] = [];

function counted<T>(tier: string, make: () => T): T {
  compiled.push(tier);
  if (failing.includes(tier)) throw new BuildFailure(`error: too large for ${tier}\n`);
  return make();
}

const toMachineCode = nativeCompiler({ avx512: false } as Parameters<typeof nativeCompiler>[0]);
const device = new WasmDevice({
  threads: 1,
  compile: (...input) => counted('machine code', () => toMachineCode(...input)),
  onMachines: () => ({
    ...onMachines,
    tierOf(program, compilePart, ...others) {
      const counting: CompilePart = (part, known, other) => {
        if (!other) return compilePart(part, known);
        const { word } = other;
        return compilePart(part, known, {
          word,
          compile: (...input) => counted(word, () => other.compile(...input)),
        });
      };
      return wasmTierOf(program, counting, ...others);
    },
  }),
});
const context = new Context([device], { shared: false });

const variable = 'MILLRACE_TIERS';
const before = process.env[variable];
beforeEach(() => {
  delete process.env[variable];
  compiled = [];
  failing = [];
});
afterEach(() => {
  if (before === undefined) delete process.env[variable];
  else process.env[variable] = before;
});

function build(source: string, options = '', input: Partial<ProgramInput> = {}): WasmDeviceProgram {
  const lower = () => compileOpenCL(source, { buildOptions: options }).module!;
  const whole = { source, options, isChecked: true, lower, ...input };
  return (context.opened(device) as OpenWasmDevice).build(whole) as WasmDeviceProgram;
}

const none: KernelArgument = { kind: 'memory', range: undefined };
const int = (value: number): KernelArgument => ({
  kind: 'value',
  bytes: new Uint8Array(Int32Array.of(value).buffer),
});

/** The tier of the code of a launch. */
function tierOf(
  kernel: WasmKernel,
  items: number,
  args: KernelArgument[] = [none],
  local?: readonly number[],
): string {
  const global: Triple = [items, 1, 1];
  const form = kernel.forLaunch(args, global, local);
  // The optimised forms of these kernels run in vectors.
  if (form.code.lanes === 1) return 'baseline';
  return form.program === kernel.program ? 'machine code' : 'wasm';
}

const scale = 'kernel void scale(global int *p) { p[get_global_id(0)] *= 3; }';

/** A launch of so many work-items of `scale` is too large for baseline code, and small for WebAssembly. */
const medium = 2 ** 21;
const large = 2 ** 28;

describe('a launch', () => {
  it('runs baseline code, then WebAssembly, then machine code, as launches add up', () => {
    const [kernel] = build(scale).kernels;
    const tiers = Array.from({ length: 3000 }, () => tierOf(kernel!, 20_000));
    expect([...new Set(tiers)]).toEqual(['baseline', 'wasm', 'machine code']);
    // Never back.
    expect(tiers.lastIndexOf('baseline')).toBeLessThan(tiers.indexOf('wasm'));
    expect(tiers.lastIndexOf('wasm')).toBeLessThan(tiers.indexOf('machine code'));
    expect(compiled).toEqual(['baseline', 'wasm', 'machine code']);
    expect(tierOf(kernel!, 1)).toBe('machine code');
  });

  it('runs WebAssembly at once if it is no small one', () => {
    const [kernel] = build(scale).kernels;
    expect(tierOf(kernel!, medium)).toBe('wasm');
    // What is known of launches comes from looking at baseline code that nobody wants.
    expect(compiled).toEqual(['baseline', 'wasm']);
  });

  it('runs machine code at once if it has very many work-items, and nothing else is compiled', () => {
    const [kernel] = build(scale).kernels;
    expect(tierOf(kernel!, large)).toBe('machine code');
    expect(compiled).toEqual(['machine code']);
  });

  it('counts iterations that an argument bounds', () => {
    const source = `kernel void sums(global int *p, int n) {
      int sum = 0;
      for (int k = 0; k < n; k++) sum += p[k];
      p[get_global_id(0)] = sum;
    }`;
    const launch = (n: number) => {
      compiled = [];
      return [tierOf(build(source).kernels[0]!, 1000, [none, int(n)]), compiled];
    };
    expect(launch(10)).toEqual(['baseline', ['baseline']]);
    expect(launch(10_000)).toEqual(['wasm', ['baseline', 'wasm']]);
    expect(launch(10_000_000)).toEqual(['machine code', ['baseline', 'machine code']]);
  });

  it('runs machine code that is there already', () => {
    const [kernel] = build(scale).kernels;
    expect(kernel!.maxWorkGroupSize).toBeGreaterThan(1);
    expect(tierOf(kernel!, 10)).toBe('machine code');
    expect(compiled).toEqual(['machine code']);
  });

  it('runs machine code if WebAssembly does not take its groups', () => {
    const [kernel] = build(scale).kernels;
    expect(tierOf(kernel!, 64, [none], [64, 1, 1])).toBe('baseline');
    const most = 2 ** 20;
    expect(tierOf(kernel!, most, [none], [most, 1, 1])).toBe('machine code');
  });

  it('has WebAssembly for its images and its rows', () => {
    const source = `kernel void copy(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at, read_imagef(in, s, at));
    }`;
    const [kernel] = build(source).kernels;
    const image = {
      kind: 'image',
      shape: { channelOrder: 0x10b5, channelType: 0x10de, pixelBytes: 16 },
    } as unknown as KernelArgument;
    const args: KernelArgument[] = [image, image, { kind: 'sampler', bits: 0 } as KernelArgument];
    const form = (size: number) => kernel!.forLaunch(args, [size, size, 1], undefined);
    const small = form(4);
    expect([small.program === kernel!.program, small.code.lanes]).toEqual([false, 1]);
    const wasm = form(700);
    expect(wasm.program).not.toBe(kernel!.program);
    expect(wasm.code.lanes).toBeGreaterThan(1);
    expect(form(20_000).program).toBe(kernel!.program);
    expect(compiled).toEqual(['baseline', 'wasm', 'machine code']);
  });
});

describe('machine code is all there is', () => {
  const only = (program: WasmDeviceProgram, args: KernelArgument[] = [none]): void => {
    expect(program.kernels[0]!.forLaunch(args, [100, 1, 1], undefined).program).toBe(program);
    expect(program.kernels[0]!.code.lanes).toBeGreaterThan(0);
    expect(compiled.filter((tier) => tier !== 'baseline')).toEqual(['machine code']);
  };

  it('if the environment says so', () => {
    process.env[variable] = '0';
    only(build(scale));
    expect(compiled).toEqual(['machine code']);
  });

  it('in a program that is compiled in the build, or not optimised', () => {
    only(build(scale, '', { isEarly: true }));
    compiled = [];
    only(build(scale, '-cl-opt-disable'));
  });

  it('where kernels share variables', () => {
    only(build(`global int count; ${scale.replace('3', 'count')}`, '-cl-std=CL2.0'));
  });

  it('in kernels that launch others', () => {
    const source = `kernel void outer(global int *p) {
      p[get_global_id(0)] *= 3;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1000000), ^{ p[get_global_id(0)] = 1; });
    }`;
    only(build(source, '-cl-std=CL2.0'));
  });

  it('in kernels that may add up in any order, if the bits are to be the same', () => {
    const source = `kernel void dot(global const float *a, global float *c, int n) {
      float sum = 0.0f;
      for (int k = 0; k < n; k++) sum += a[get_global_id(0) * n + k];
      c[get_global_id(0)] = sum;
    }`;
    const args = [none, none, int(4)];
    process.env[variable] = 'exact';
    only(build(source, '-cl-unsafe-math-optimizations'), args);
    compiled = [];
    const exact = build(source);
    expect(exact.kernels[0]!.forLaunch(args, [16, 1, 1], undefined).program).not.toBe(exact);
  });
});

describe('what a compiler refuses', () => {
  it('stays WebAssembly if that is machine code', () => {
    const [kernel] = build(scale).kernels;
    expect(tierOf(kernel!, medium)).toBe('wasm');
    failing = ['machine code'];
    expect(tierOf(kernel!, large)).toBe('wasm');
    expect(compiled).toEqual(['baseline', 'wasm', 'machine code']);
    expect(tierOf(kernel!, medium)).toBe('wasm');
  });

  it('becomes machine code if that is optimised WebAssembly', () => {
    failing = ['wasm'];
    const [kernel] = build(scale).kernels;
    expect(tierOf(kernel!, medium)).toBe('machine code');
    expect(compiled).toEqual(['baseline', 'wasm', 'machine code']);
  });

  it('stays baseline code if that is all there can be', () => {
    failing = ['wasm', 'machine code'];
    const [kernel] = build(scale).kernels;
    expect(tierOf(kernel!, 10)).toBe('baseline');
    expect(tierOf(kernel!, medium)).toBe('baseline');
    expect(tierOf(kernel!, large)).toBe('baseline');
  });

  it('fails with the error of a launch if there can be nothing', () => {
    failing = ['baseline', 'wasm', 'machine code'];
    const [kernel] = build(scale).kernels;
    const code = () => kernel!.forLaunch([none], [10, 1, 1], undefined).code;
    expect(code).toThrowError(
      expect.objectContaining({ name: 'CL_OUT_OF_RESOURCES', message: 'error: too large for machine code' }),
    );
    expect(compiled).toEqual(['baseline', 'machine code']);
  });

  it('might be too large, and is tried in the build as baseline code', () => {
    const lines = Array.from({ length: 1500 }, (_, k) => `p[${k}] = p[${k + 1}] * ${k + 3};`).join('\n');
    const [kernel] = build(`kernel void large(global int *p) { ${lines} }`).kernels;
    expect(compiled).toEqual(['baseline']);
    failing = ['machine code'];
    const form = kernel!.forLaunch([none], [large, 1, 1], undefined);
    expect(form.program).not.toBe(kernel!.program);
    expect(compiled.slice(0, 2)).toEqual(['baseline', 'machine code']);
  });
});

describe('with a cache', () => {
  const kept = new Map<string, Uint8Array>();
  const code = {
    find: (variant: string) => kept.get(variant),
    keep: (variant: string, bytes: () => Uint8Array) => void kept.set(variant, bytes()),
  };
  const launch = (items: number) => tierOf(build(scale, '', { code }).kernels[0]!, items);
  beforeEach(() => kept.clear());

  it('WebAssembly has with it what is known of its launches', () => {
    expect([launch(medium), launch(medium), launch(10)]).toEqual(['wasm', 'wasm', 'wasm']);
    expect(compiled).toEqual(['baseline', 'wasm']);
    const [kernel] = build(scale, '', { code }).kernels;
    const tiers = Array.from({ length: 200 }, () => tierOf(kernel!, medium));
    expect(tiers.at(-1)).toBe('machine code');
    expect(compiled).toEqual(['baseline', 'wasm', 'machine code']);
  });

  it('nothing is made again, and the best that is kept is run at once', () => {
    expect(launch(10)).toBe('baseline');
    expect(launch(10)).toBe('baseline');
    expect(compiled).toEqual(['baseline']);
    expect(launch(medium)).toBe('wasm');
    expect(launch(10)).toBe('wasm');
    expect(launch(medium)).toBe('wasm');
    expect(compiled).toEqual(['baseline', 'wasm']);
    expect(launch(large)).toBe('machine code');
    expect(launch(10)).toBe('machine code');
    expect(launch(medium)).toBe('machine code');
    expect(compiled).toEqual(['baseline', 'wasm', 'machine code']);
  });
});

const found = await requestDevice('native').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (skipped: ${found})` : '';

/** Launches one thing after another, each twice as large as the last, until machine code has been compiled: their results, and what was compiled. */
async function untilMachineCode<T>(
  launch: (round: number) => T | Promise<T>,
): Promise<{ results: T[]; kinds: string[] }> {
  const results: T[] = [];
  const kinds: string[] = [];
  for (let round = 0; round < 20 && !kinds.includes('compile'); round += 1) {
    const profiler = startProfiling();
    results.push(await launch(round));
    kinds.push(...profiler.stop().builds.map(({ kind }) => kind));
  }
  return { results, kinds };
}

describe.skipIf(skipped !== '')(`on the device${skipped}`, () => {
  it('all tiers give the same, and the profiler tells them apart', async () => {
    const source = `kernel void mix(global const float *x, global float *y, int n) {
      local float tile[32];
      size_t i = get_global_id(0), l = get_local_id(0);
      tile[l] = sin(x[i]);
      barrier(CLK_LOCAL_MEM_FENCE);
      float least = 9.0f;
      for (int k = 0; k < n; k++) least = fmin(least, tile[(l * 3 + k) & 31] * tile[k & 31]);
      y[i] = least;
    }`;
    const items = 2 ** 14;
    const x = Float32Array.from({ length: items }, (_, index) => index / 7);
    const program = await compile(source, { device: 'native' });
    const resultOf = async (count: number) => {
      const y = new Float32Array(items);
      await program.kernel('mix')({ global: [items], local: [32] }, x, y, count);
      return new Uint32Array(y.buffer);
    };
    // A work-item reads everything once for 32 iterations, and nothing else later.
    const { results, kinds } = await untilMachineCode((launch) => resultOf(32 * 2 ** launch));
    for (const bits of results) expect(bits).toEqual(results[0]);
    expect(kinds).toEqual(['baseline', 'wasm', 'compile']);
    program.release();
  });

  it('images give the same in each tier', async () => {
    const source = `constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
      kernel void shift(read_only image2d_t in, write_only image2d_t out) {
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        write_imagef(out, at, read_imagef(in, nearest, at + (int2)(1, 2)) * 2.0f);
      }`;
    const [width, height] = [192, 128];
    const own = getPlatforms()[0]!
      .getDevices(CL.DEVICE_TYPE_CPU)
      .find((each) => String(each.getInfo(CL.DEVICE_NAME)).includes('x86-64'))!;
    const cl = createContext(own);
    const queue = cl.createCommandQueue(own);
    const program = cl.createProgram(source);
    program.build();
    const kernel = program.createKernel('shift');
    const make = (flags: number, content?: Float32Array) =>
      cl.createImage(
        flags,
        { channelOrder: CL.RGBA, channelType: CL.FLOAT },
        { type: CL.MEM_OBJECT_IMAGE2D, width, height },
        content,
      );
    const pixels = Float32Array.from({ length: 4 * width * height }, (_, index) => index);
    kernel.setArg(0, make(CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR, pixels));
    const out = make(CL.MEM_WRITE_ONLY);
    kernel.setArg(1, out);
    const expected = pixels.map((_, index) => {
      const [pixel, channel] = [index >> 2, index & 3];
      const x = Math.min(width - 1, (pixel % width) + 1);
      const y = Math.min(height - 1, Math.floor(pixel / width) + 2);
      return 2 * pixels[4 * (y * width + x) + channel]!;
    });
    const { kinds } = await untilMachineCode((round) => {
      for (let launch = 0; launch < 2 ** round; launch += 1)
        queue.enqueueNDRangeKernel(kernel, 2, null, [width, height], null);
      const result = new Float32Array(pixels.length);
      queue.enqueueReadImage(out, true, [0, 0, 0], [width, height, 1], 0, 0, result);
      expect(result).toEqual(expected);
    });
    expect(kinds).toEqual(['baseline', 'wasm', 'compile']);
    cl.releaseAll();
  });
});
