/** Programs from binaries (OpenCL 1.2, 5.6.1) through the built package. */
import {
  CL,
  type CLContext,
  type CLDevice,
  type CLProgram,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const source = `
constant float factors[3] = {2, 3, 4};
float scale(float x) { return x * factors[1]; }
kernel void triple(global float *data, float4 offset) {
  size_t i = get_global_id(0);
  data[i] = scale(data[i]) + offset.y + cospi(0.0f);
}`;
/** x * 3 + 10 + 1 */
const expected = [11, 14, 17, 20];

let context: CLContext;
beforeEach(() => {
  context = createContext();
});
afterEach(() => context.releaseAll());

function binaryFor(program: CLProgram): Uint8Array {
  const [binary] = program.getInfo(CL.PROGRAM_BINARIES) as Uint8Array[];
  expect(program.getInfo(CL.PROGRAM_BINARY_SIZES)).toEqual([binary!.length]);
  return binary!;
}

function built(text = source, options = '', within = context): CLProgram {
  const program = within.createProgram(text);
  program.build(null, options);
  return program;
}

function run(program: CLProgram, within = context): number[] {
  const queue = within.createCommandQueue();
  const kernel = program.createKernel('triple');
  const data = within.createBuffer(0, Float32Array.of(0, 1, 2, 3));
  kernel.setArg(0, data);
  kernel.setArg(1, Float32Array.of(1, 10, 100, 1000));
  queue.enqueueNDRangeKernel(kernel, 1, null, [4], null);
  const result = new Float32Array(4);
  queue.enqueueReadBuffer(data, true, 0, 16, result);
  kernel.release();
  return [...result];
}

const devices: CLDevice[] = getPlatforms().flatMap((platform) => [
  ...platform.getDevices(),
  ...(platform.getInfo(CL.PLATFORM_NAME) === 'Millrace' ? platform.getDevices(CL.DEVICE_TYPE_CUSTOM) : []),
]);

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME), device] as const))(
  'on %s',
  (_, device) => {
    it('a program comes back from its binary, and a library too', () => {
      const own = createContext(device);
      const binary = binaryFor(built(source, '', own));
      const statuses: number[] = [];
      const program = own.createProgramWithBinary([device], [binary], statuses);
      expect(statuses).toEqual([CL.SUCCESS]);
      expect(program.getBuildInfo(device, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_EXECUTABLE);
      expect(program.getBuildInfo(device, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_NONE);
      expect(errorName(() => program.createKernel('triple'))).toBe('CL_INVALID_PROGRAM_EXECUTABLE');
      program.build();
      expect(run(program, own)).toEqual(expected);
      expect(binaryFor(program)).toEqual(binary);

      const [head, tail] = source.split('kernel void');
      const unit = own.createProgram(head!);
      unit.compile();
      const library = own.linkProgram(null, '-create-library', [unit]);
      const loaded = own.createProgramWithBinary([device], [binaryFor(library)]);
      expect(loaded.getBuildInfo(device, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_LIBRARY);
      const main = own.createProgram(`float scale(float x); kernel void${tail}`);
      main.compile();
      const object = own.createProgramWithBinary([device], [binaryFor(main)]);
      expect(object.getBuildInfo(device, CL.PROGRAM_BINARY_TYPE)).toBe(
        CL.PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
      );
      expect(run(own.linkProgram(null, '', [object, loaded]), own)).toEqual(expected);
      own.releaseAll();
    });

    it('a program from a binary has its samplers', () => {
      const own = createContext(device);
      if (!device.getInfo(CL.DEVICE_IMAGE_SUPPORT)) return;
      // Outside of an image CLK_ADDRESS_CLAMP reads the border, 0 (OpenCL 1.2, 8.2); a sampler of 0 would read on.
      const binary = binaryFor(
        built(
          `constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
           constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
           kernel void look(read_only image2d_t in, global uint *out) {
             out[0] = read_imageui(in, border, (int2)(-1, 0)).x;
             out[1] = read_imageui(in, edge, (int2)(-1, 0)).x;
           }`,
          '',
          own,
        ),
      );
      const program = own.createProgramWithBinary([device], [binary]);
      program.build();
      const kernel = program.createKernel('look');
      const format = { channelOrder: CL.RGBA, channelType: CL.UNSIGNED_INT8 };
      const pixels = new Uint8Array(16).fill(40);
      kernel.setArg(0, own.createImage2D(CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR, format, 2, 2, 0, pixels));
      const out = own.createBuffer(CL.MEM_READ_WRITE, 8);
      kernel.setArg(1, out);
      const queue = own.createCommandQueue();
      queue.enqueueNDRangeKernel(kernel, 1, null, [1], null);
      const result = new Uint32Array(2);
      queue.enqueueReadBuffer(out, true, 0, 8, result);
      expect([...result]).toEqual([0, 40]);
      own.releaseAll();
    });
  },
);

describe('a program from a binary', () => {
  it('is smaller than its source where that is not tiny, and made anew at every build', () => {
    const binary = binaryFor(built());
    const program = context.createProgramWithBinary(context.devices, [binary]);
    for (let round = 0; round < 3; round += 1) {
      program.build(null, round === 1 ? '-cl-opt-disable' : '');
      expect(run(program)).toEqual(expected);
    }
    const saxpy =
      'kernel void saxpy(float a, global const float *x, global float *y) { y[get_global_id(0)] += a * x[get_global_id(0)]; }';
    expect(binaryFor(built(saxpy)).length).toBeLessThan(400);
  });

  it('tells no kernel arguments, has no source, and is not compiled', () => {
    const binary = binaryFor(built(source, '-cl-kernel-arg-info'));
    const program = context.createProgramWithBinary(context.devices, [binary]);
    expect(program.getInfo(CL.PROGRAM_SOURCE)).toBe('');
    expect(errorName(() => program.compile())).toBe('CL_INVALID_OPERATION');
    expect(errorName(() => program.build(null, '-no-such'))).toBe('CL_INVALID_BUILD_OPTIONS');
    program.build(null, '-cl-kernel-arg-info');
    const kernel = program.createKernel('triple');
    expect(errorName(() => kernel.getArgInfo(0))).toBe('CL_KERNEL_ARG_INFO_NOT_AVAILABLE');
    expect(kernel.getInfo(CL.KERNEL_NUM_ARGS)).toBe(2);
  });

  it('builds an object that stands alone, and says what another lacks and where', () => {
    const unit = (text: string) => {
      const program = context.createProgram(text);
      program.compile();
      return context.createProgramWithBinary(context.devices, [binaryFor(program)]);
    };
    const whole = unit(source);
    whole.build();
    expect(run(whole)).toEqual(expected);
    const half = unit('int f(int);\nkernel void k(global int *o) {\n  o[0] = f(1);\n}');
    expect(errorName(() => half.build())).toBe('CL_BUILD_PROGRAM_FAILURE');
    expect(half.getBuildInfo(context.devices[0]!, CL.PROGRAM_BUILD_LOG)).toMatch(
      /^\S+:3:10: error: function 'f' is called by 'k' but not defined\n\S+:1:5: note: 'f' is declared here/,
    );
  });

  it('keeps the places of all instructions only with -g', () => {
    const plain = binaryFor(built()).length;
    expect(binaryFor(built(source, '-g')).length).toBeGreaterThan(plain + 30);
  });
});

describe('wrong binaries', () => {
  it('tell of work-groups for their own devices, which are all that kernels have (5.7.3)', () => {
    const both = createContext([
      getPlatforms()[0]!.getDevices()[0]!,
      getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CUSTOM)[0]!,
    ]);
    const [first, second] = both.devices as [CLDevice, CLDevice];
    const program = both.createProgramWithBinary([second], [binaryFor(built())]);
    program.build();
    const kernel = program.createKernel('triple');
    const asked = (device: CLDevice | null) => kernel.getWorkGroupInfo(device, CL.KERNEL_WORK_GROUP_SIZE);
    expect(asked(null)).toBe(asked(second));
    expect(errorName(() => asked(first))).toBe('CL_INVALID_DEVICE');
    both.releaseAll();
  });

  it('have a status for each device', () => {
    const both = createContext([
      getPlatforms()[0]!.getDevices()[0]!,
      getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CUSTOM)[0]!,
    ]);
    const [first, second] = both.devices as [CLDevice, CLDevice];
    const good = binaryFor(built());
    const bad = good.slice(0, 40);
    const create = (list: readonly CLDevice[], binaries: readonly Uint8Array[], statuses?: number[]) =>
      errorName(() => both.createProgramWithBinary(list, binaries, statuses));
    const statuses: number[] = [];
    expect(create([first, second], [good, bad], statuses)).toBe('CL_INVALID_BINARY');
    expect(statuses).toEqual([CL.SUCCESS, CL.INVALID_BINARY]);
    expect(create([first, second], [new Uint8Array(0), good], statuses)).toBe('CL_INVALID_VALUE');
    expect(statuses).toEqual([CL.INVALID_VALUE, CL.SUCCESS]);
    expect(create([first], [good, good])).toBe('CL_INVALID_VALUE');
    expect(create([], [])).toBe('CL_INVALID_VALUE');
    expect(create(null as never, [good])).toBe('CL_INVALID_VALUE');
    expect(create([first], null as never)).toBe('CL_INVALID_VALUE');
    expect(errorName(() => context.createProgramWithBinary([second], [good]))).toBe('CL_INVALID_DEVICE');
    expect(create([first], [new TextEncoder().encode('kernel void f() {}')])).toBe('CL_INVALID_BINARY');
    // Both devices, but different kernels of one name.
    const other = binaryFor(built('kernel void triple(int x) {}'));
    const mixed = both.createProgramWithBinary([first, second], [good, other]);
    mixed.build();
    expect(errorName(() => mixed.createKernel('triple'))).toBe('CL_INVALID_KERNEL_DEFINITION');
    // Those that can be made are what the program is said to have (5.7.1, table 5.13), and all that are made together.
    const more = built(`${source} kernel void same(int x) {} kernel void alone() {}`);
    const fewer = built('kernel void triple(int x) {} kernel void same(int y) {} kernel void only_here() {}');
    const partly = both.createProgramWithBinary([first, second], [binaryFor(more), binaryFor(fewer)]);
    partly.build();
    expect(partly.getInfo(CL.PROGRAM_KERNEL_NAMES)).toBe('same');
    expect(partly.getInfo(CL.PROGRAM_NUM_KERNELS)).toBe(1);
    expect(partly.createKernelsInProgram().map(({ name }) => name)).toEqual(['same']);
    for (const name of ['alone', 'only_here']) {
      expect(errorName(() => partly.createKernel(name))).toBe('CL_INVALID_KERNEL_DEFINITION');
    }
    expect(errorName(() => partly.createKernel('none'))).toBe('CL_INVALID_KERNEL_NAME');
    // Only one device.
    const one = both.createProgramWithBinary([second], [good]);
    expect(one.getInfo(CL.PROGRAM_DEVICES)).toEqual([second]);
    expect(errorName(() => one.build([first]))).toBe('CL_INVALID_DEVICE');
    both.releaseAll();
  });
});

const [driverDevice] = getPlatforms()[1]?.getDevices() ?? [];

describe.skipIf(!driverDevice)("a driver's own binary (SKIPPED without a driver)", () => {
  // Vectors of GNU C, which our front end does not index.
  const onlyTheirs = `
kernel void triple(global float *data, float4 offset) {
  float __attribute__((vector_size(8))) pair = {3.0f, 11.0f};
  data[get_global_id(0)] = data[get_global_id(0)] * pair[0] + pair[1];
}`;

  it('is what a program has that our front end does not read, and is taken again', () => {
    const native = createContext(driverDevice!);
    const binary = binaryFor(built(onlyTheirs, '', native));
    const loaded = native.createProgramWithBinary([driverDevice!], [binary]);
    expect(loaded.getBuildInfo(driverDevice!, CL.PROGRAM_BINARY_TYPE)).toBe(
      CL.PROGRAM_BINARY_TYPE_EXECUTABLE,
    );
    expect(binaryFor(loaded)).toEqual(binary);
    loaded.build();
    expect(run(loaded, native)).toEqual(expected);
    native.releaseAll();
  });

  it('is judged by the driver when it is built', () => {
    const native = createContext(driverDevice!);
    const nonsense = native.createProgramWithBinary([driverDevice!], [new TextEncoder().encode('nonsense')]);
    expect(errorName(() => nonsense.build())).toBe('CL_INVALID_BINARY');
    expect(nonsense.getBuildInfo(driverDevice!, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_ERROR);
    native.releaseAll();
  });
});
