/** Built-in kernels on every device of the machine, compared with the same in JavaScript. */
import {
  CL,
  type CLContext,
  type CLDevice,
  type CLProgram,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const devices: CLDevice[] = getPlatforms().flatMap((platform) => [
  ...platform.getDevices(),
  ...(platform.getInfo(CL.PLATFORM_NAME) === 'Millrace' ? platform.getDevices(CL.DEVICE_TYPE_CUSTOM) : []),
]);
const names = (getPlatforms()[0]!.getDevices()[0]!.getInfo(CL.DEVICE_BUILT_IN_KERNELS) as string).split(';');

const count = 1000;
/** Small whole numbers, so that sums are exact in any order. */
const values = Float32Array.from({ length: count }, (_, index) => ((index * 37) % 101) - 50);

/** Runs a kernel with one work-group size and gives what it left in `out`. */
function run(
  { context, program }: { context: CLContext; program: CLProgram },
  name: string,
  global: readonly number[],
  local: readonly number[] | null,
  args: readonly (Float32Array | Uint32Array | number)[],
  scratch: boolean,
  outIndex: number,
): Float32Array {
  const kernel = program.createKernel(name);
  const queue = context.createCommandQueue();
  const buffers = args.map((argument, index) => {
    const isBuffer = typeof argument !== 'number';
    const buffer = isBuffer ? context.createBuffer(0, argument) : undefined;
    kernel.setArg(index, buffer ?? (argument as number));
    return buffer;
  });
  if (scratch) kernel.setArg(args.length, 4 * local![0]!, null);
  queue.enqueueNDRangeKernel(kernel, global.length, null, global, local);
  const result = new Float32Array((args[outIndex] as Float32Array).length);
  queue.enqueueReadBuffer(buffers[outIndex]!, true, 0, result.byteLength, result);
  return result;
}

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME), device] as const))(
  'on %s',
  (_, device) => {
    it('do what they say', () => {
      const context = createContext(device);
      const all = { context, program: context.createProgramWithBuiltInKernels([device], names.join(';')) };
      const bits = new Uint32Array(values.buffer);
      const empty = () => new Float32Array(count);
      const one = new Uint32Array(Float32Array.of(1.5).buffer)[0]!;
      expect(run(all, 'millrace_fill', [64], null, [empty(), one, 900], false, 0)).toEqual(
        empty().fill(1.5, 0, 900),
      );
      expect(run(all, 'millrace_copy', [2048], null, [bits, empty(), count], false, 1)).toEqual(values);

      for (const [kernel, reduce] of [
        ['millrace_reduce_sum', (list: Float32Array) => list.reduce((a, b) => a + b, 0)],
        ['millrace_reduce_min', (list: Float32Array) => Math.min(...list)],
        ['millrace_reduce_max', (list: Float32Array) => Math.max(...list)],
      ] as const) {
        // Groups of 12 are no power of two; 36 work-items take every 36th element.
        const partial = run(all, kernel, [36], [12], [values, count, new Float32Array(3)], true, 2);
        const shares = [0, 1, 2].map((group) =>
          reduce(values.filter((_value, index) => Math.floor((index % 36) / 12) === group)),
        );
        expect([...partial]).toEqual(shares);
      }

      const sums = run(all, 'millrace_scan_exclusive', [48], [24], [values, empty(), count], true, 1);
      let sum = 0;
      const before = values.map((value) => {
        sum += value;
        return sum - value;
      });
      expect(sums).toEqual(before);

      const [m, n, k] = [3, 4, 5];
      const a = values.slice(0, m * k);
      const b = values.slice(100, 100 + k * n);
      const c = values.slice(200, 200 + m * n);
      const product = c.map((old, index) => {
        let dot = 0;
        for (let i = 0; i < k; i += 1) dot += a[Math.floor(index / n) * k + i]! * b[i * n + (index % n)]!;
        return 2 * dot + 3 * old;
      });
      expect(run(all, 'millrace_sgemm', [8, 4], null, [m, n, k, 2, a, b, 3, c], false, 7)).toEqual(product);
      context.releaseAll();
    });
  },
);

describe('a program of built-in kernels', () => {
  it('has the kernels asked for, and needs no build', () => {
    const context = createContext();
    const create = (list: unknown, text: unknown) =>
      errorName(() => context.createProgramWithBuiltInKernels(list as CLDevice[], text as string));
    const program = context.createProgramWithBuiltInKernels(context.devices, names.join(';'));
    expect(program.getInfo(CL.PROGRAM_KERNEL_NAMES)).toBe(names.join(';'));
    const two = context.createProgramWithBuiltInKernels(context.devices, 'millrace_copy;millrace_sgemm');
    expect(two.getInfo(CL.PROGRAM_NUM_KERNELS)).toBe(2);
    expect(two.getInfo(CL.PROGRAM_SOURCE)).toBe('');
    expect(two.getBuildInfo(context.devices[0]!, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_SUCCESS);
    expect(errorName(() => two.build())).toBe('CL_INVALID_OPERATION');
    expect(errorName(() => two.compile())).toBe('CL_INVALID_OPERATION');
    const kernel = two.createKernel('millrace_copy');
    expect(errorName(() => kernel.getArgInfo(0))).toBe('CL_KERNEL_ARG_INFO_NOT_AVAILABLE');
    expect(kernel.getWorkGroupInfo(null, CL.KERNEL_GLOBAL_WORK_SIZE)).toHaveLength(3);
    expect(create(null, 'millrace_copy')).toBe('CL_INVALID_VALUE');
    expect(create([], 'millrace_copy')).toBe('CL_INVALID_VALUE');
    expect(create([{}], 'millrace_copy')).toBe('CL_INVALID_DEVICE');
    expect(create(context.devices, null)).toBe('CL_INVALID_VALUE');
    expect(create(context.devices, '')).toBe('CL_INVALID_VALUE');
    expect(create(context.devices, 'millrace_copy;nothing')).toBe('CL_INVALID_VALUE');
    context.releaseAll();
    expect(
      errorName(() =>
        createContext().createProgramWithBuiltInKernels(
          getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CUSTOM),
          names[0]!,
        ),
      ),
    ).toBe('CL_INVALID_DEVICE');
  });
});
