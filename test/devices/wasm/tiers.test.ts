/** Which launches run baseline code, and which optimised code. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baselineOf } from '../../../src/devices/wasm/baseline/baseline-tier.ts';
import { compileForWasm } from '../../../src/devices/wasm/compile-kernels.ts';
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
let optimisedFails = false;
let baselineFails = false;
const device = new WasmDevice({
  compile: (...input) => {
    compiled.push('optimised');
    if (optimisedFails) throw new BuildFailure('error: too large\n');
    return compileForWasm(...input);
  },
  onMachines: () => ({
    ...onMachines,
    tierOf(program, compile, isKept) {
      const counting: CompilePart = (part, known, other) =>
        compile(
          part,
          known,
          other && { ...other, compile: (...input) => counted(() => other.compile(...input)) },
        );
      return baselineOf(program, counting, isKept);
    },
  }),
});

function counted<T>(compile: () => T): T {
  compiled.push('baseline');
  if (baselineFails) throw new BuildFailure('error: too large\n');
  return compile();
}

const context = new Context([device], { shared: false });

const variable = 'MILLRACE_TIERS';
const before = process.env[variable];
beforeEach(() => {
  delete process.env[variable];
  compiled = [];
  optimisedFails = false;
  baselineFails = false;
});
afterEach(() => {
  process.env[variable] = before;
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
const along = (items: number): Triple => [items, 1, 1];

/** The tiers of the code of launches, one after another. */
function tiersOf(kernel: WasmKernel, launches: readonly [args: KernelArgument[], items: number][]): string[] {
  return launches.map(([args, items]) => {
    const form = kernel.forLaunch(args, along(items), null);
    // The optimised forms of these kernels run in vectors.
    return form.code.lanes === 1 ? 'baseline' : 'optimised';
  });
}

const scale = 'kernel void scale(global int *p) { p[get_global_id(0)] *= 3; }';
const sums = `kernel void sums(global int *p, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) sum += p[k];
  p[get_global_id(0)] = sum;
}`;

describe('a launch', () => {
  it('runs baseline code while all launches together are small', () => {
    const [kernel] = build(scale).kernels;
    const tiers = tiersOf(kernel!, Array(400).fill([[none], 20_000]));
    expect(tiers[0]).toBe('baseline');
    expect(tiers.at(-1)).toBe('optimised');
    // Never back.
    expect(tiers.lastIndexOf('baseline')).toBe(tiers.indexOf('optimised') - 1);
    expect(compiled).toEqual(['baseline', 'optimised']);
    expect(tiersOf(kernel!, [[[none], 1]])).toEqual(['optimised']);
  });

  it('runs optimised code at once if it has many work-items', () => {
    const [kernel] = build(scale).kernels;
    expect(tiersOf(kernel!, [[[none], 2 ** 28]])).toEqual(['optimised']);
    expect(compiled).toEqual(['optimised']);
  });

  it('counts iterations that an argument bounds', () => {
    const launch = (n: number) => tiersOf(build(sums).kernels[0]!, [[[none, int(n)], 1000]]);
    expect(launch(10)).toEqual(['baseline']);
    expect(launch(1_000_000)).toEqual(['optimised']);
  });

  it('counts iterations that work-items share', () => {
    const source = `kernel void all(global int *p, int n) {
      for (int k = get_global_id(0); k < n; k += get_global_size(0)) p[k] += k;
    }`;
    const launch = (n: number) => tiersOf(build(source).kernels[0]!, [[[none, int(n)], 1000]]);
    expect(launch(100_000)).toEqual(['baseline']);
    expect(launch(1_000_000_000)).toEqual(['optimised']);
  });

  it('runs what is there already', () => {
    const [kernel] = build(scale).kernels;
    expect(kernel!.maxWorkGroupSize).toBeGreaterThan(1);
    expect(compiled).toEqual(['optimised']);
    expect(tiersOf(kernel!, [[[none], 10]])).toEqual(['optimised']);
    expect(compiled).toHaveLength(1);
  });

  it('runs optimised code if only that takes its groups', () => {
    const source = `kernel void wide(global int *p) {
      int l[4096];
      for (int k = 0; k < 4096; k++) l[k] = p[k] + k;
      barrier(CLK_LOCAL_MEM_FENCE);
      p[get_global_id(0)] = l[p[get_global_id(0)] & 4095];
    }`;
    const [kernel] = build(source).kernels;
    const small = kernel!.forLaunch([none], along(64), [1, 1, 1]);
    expect(compiled).toEqual(['baseline']);
    const most = small.maxWorkGroupSize;
    const large = kernel!.forLaunch([none], along(4 * most), [2 * most, 1, 1]);
    expect(large).toBe(kernel);
    expect(large.code.lanes).toBeGreaterThan(0);
    expect(compiled).toEqual(['baseline', 'optimised']);
  });
});

describe('there is no baseline code', () => {
  const optimised = (program: WasmDeviceProgram, args = [none]): void => {
    expect(tiersOf(program.kernels[0]!, [[args, 100]])).toEqual(['optimised']);
    expect(compiled.filter((tier) => tier === 'optimised')).toHaveLength(1);
  };

  it('if the environment says so', () => {
    process.env[variable] = '0';
    optimised(build(scale));
    expect(compiled).toEqual(['optimised']);
  });

  it('in a program that is compiled in the build', () => {
    optimised(build(scale, '', { isEarly: true }));
    expect(compiled).toEqual(['optimised']);
  });

  it('where kernels share variables', () => {
    optimised(build(`global int count; ${scale.replace('3', 'count')}`, '-cl-std=CL2.0'));
    expect(compiled).toEqual(['optimised']);
  });

  it('of kernels that launch others', () => {
    const source = `kernel void outer(global int *p) {
      p[get_global_id(0)] *= 3;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1000000), ^{ p[get_global_id(0)] = 1; });
    }`;
    const program = build(source, '-cl-std=CL2.0');
    program.kernels[0]!.forLaunch([none], along(1), null);
    expect(program.kernels[0]!.part).toBe(program.kernels[0]!.forLaunch([none], along(1), null).part);
  });

  it('of kernels that may add up in any order, if the bits are to be the same', () => {
    const source = `kernel void dot(global const float *a, global float *c, int n) {
      float sum = 0.0f;
      for (int k = 0; k < n; k++) sum += a[get_global_id(0) * n + k];
      c[get_global_id(0)] = sum;
    }`;
    const tiers = (options: string) => {
      compiled = [];
      build(source, options).kernels[0]!.forLaunch([none, none, int(4)], along(16), null).code;
      return compiled;
    };
    expect(tiers('-cl-unsafe-math-optimizations')).toEqual(['baseline']);
    process.env[variable] = 'exact';
    expect(tiers('')).toEqual(['baseline']);
    expect(tiers('-cl-unsafe-math-optimizations')).toEqual(['baseline', 'optimised']);
  });
});

it('baseline code stays where optimised code would be too large', () => {
  const [kernel] = build(scale).kernels;
  expect(tiersOf(kernel!, [[[none], 10]])).toEqual(['baseline']);
  optimisedFails = true;
  expect(tiersOf(kernel!, [[[none], 2 ** 28]])).toEqual(['baseline']);
  expect(compiled).toEqual(['baseline', 'optimised']);
});

it('a program that might be too large is tried in the build as baseline code', () => {
  const lines = Array.from({ length: 1500 }, (_, k) => `p[${k}] = p[${k + 1}] * ${k + 3};`).join('\n');
  const [kernel] = build(`kernel void large(global int *p) { ${lines} }`).kernels;
  expect(compiled).toEqual(['baseline']);
  kernel!.forLaunch([none], along(1), null);
  expect(compiled).toEqual(['baseline']);
});

it('what neither tier can compile fails with the error of a launch', () => {
  const [kernel] = build(scale).kernels;
  optimisedFails = true;
  baselineFails = true;
  const code = () => kernel!.forLaunch([none], along(10), null).code;
  expect(code).toThrowError(
    expect.objectContaining({ name: 'CL_OUT_OF_RESOURCES', message: 'error: too large' }),
  );
  expect(compiled).toEqual(['baseline', 'optimised']);
});

describe('with a cache', () => {
  const kept = new Map<string, Uint8Array>();
  const code = {
    find: (variant: string) => kept.get(variant),
    keep: (variant: string, bytes: () => Uint8Array) => void kept.set(variant, bytes()),
  };
  const launch = (items: number) => tiersOf(build(scale, '', { code }).kernels[0]!, [[[none], items]]);

  it('baseline code is not made again, and optimised code is run at once where it is kept', () => {
    expect(launch(10)).toEqual(['baseline']);
    expect(launch(10)).toEqual(['baseline']);
    expect(compiled).toEqual(['baseline']);
    expect(launch(2 ** 28)).toEqual(['optimised']);
    expect(launch(10)).toEqual(['optimised']);
    expect(compiled).toEqual(['baseline', 'optimised']);
  });
});
