/**
 * The queries of OpenCL 2.0 to 3.0 on our devices, with answers that follow from the specification (minimum values of 3.0, table 5;
 * what one answer says of another), and the small functions of these versions.
 */
import { CL, type CLNameVersion, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const [platform, ...drivers] = getPlatforms();
const devices = [
  ...platform!.getDevices(CL.DEVICE_TYPE_CPU),
  ...platform!.getDevices(CL.DEVICE_TYPE_CUSTOM),
] as const;
const context = createContext(devices[0]!);
afterAll(() => context.releaseAll());

/** CL_MAKE_VERSION. */
const version = (major: number, minor: number) => major * 2 ** 22 + minor * 2 ** 12;
const namesIn = (list: unknown) => (list as CLNameVersion[]).map(({ name }) => name);

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME) as string, device] as const))(
  '%s',
  (_, device) => {
    const ask = (name: number) => device.getInfo(name);

    it('versions', () => {
      expect(ask(CL.DEVICE_NUMERIC_VERSION)).toBe(version(3, 0));
      const versions = ask(CL.DEVICE_OPENCL_C_ALL_VERSIONS) as CLNameVersion[];
      expect(new Set(namesIn(versions))).toEqual(new Set(['OpenCL C']));
      const numbers = versions.map((each) => each.version);
      expect(numbers).toEqual(expect.arrayContaining([0, 1, 2].map((minor) => version(1, minor))));
      expect(numbers).toContain(version(3, 0));
      expect(namesIn(ask(CL.DEVICE_EXTENSIONS_WITH_VERSION)).join(' ')).toBe(ask(CL.DEVICE_EXTENSIONS));
      expect(namesIn(ask(CL.DEVICE_BUILT_IN_KERNELS_WITH_VERSION)).join(';')).toBe(
        ask(CL.DEVICE_BUILT_IN_KERNELS),
      );
      expect(ask(CL.DEVICE_LATEST_CONFORMANCE_VERSION_PASSED)).toMatch(/^v\d{4}-\d\d-\d\d-\d\d$/);
      expect(ask(CL.DEVICE_IL_VERSION)).toBe('');
      expect(ask(CL.DEVICE_ILS_WITH_VERSION)).toEqual([]);
    });

    it('every feature is a macro of OpenCL C 3.0, and the queries agree with them', () => {
      const features = namesIn(ask(CL.DEVICE_OPENCL_C_FEATURES));
      const other = createContext(device);
      const source = features.map((name) => `#ifndef ${name}\n#error ${name}\n#endif\n`).join('');
      const program = other.createProgram(`${source}kernel void k() {}`);
      expect(errorName(() => program.build(null, '-cl-std=CL3.0'))).toBe('no error');
      other.releaseAll();
      const has = (name: string) => features.includes(`__opencl_c_${name}`);
      expect(ask(CL.DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT)).toBe(has('generic_address_space'));
      expect(ask(CL.DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT)).toBe(
        has('work_group_collective_functions'),
      );
      expect(ask(CL.DEVICE_PIPE_SUPPORT)).toBe(has('pipes'));
      expect((ask(CL.DEVICE_DEVICE_ENQUEUE_CAPABILITIES) as number) !== 0).toBe(has('device_enqueue'));
      expect((ask(CL.DEVICE_MAX_NUM_SUB_GROUPS) as number) > 0).toBe(has('subgroups'));
      const memory = ask(CL.DEVICE_ATOMIC_MEMORY_CAPABILITIES) as number;
      expect((memory & CL.DEVICE_ATOMIC_ORDER_SEQ_CST) !== 0).toBe(has('atomic_order_seq_cst'));
      expect((memory & CL.DEVICE_ATOMIC_SCOPE_ALL_DEVICES) !== 0).toBe(has('atomic_scope_all_devices'));
    });

    it('what is asked for at least', () => {
      const relaxed = CL.DEVICE_ATOMIC_ORDER_RELAXED | CL.DEVICE_ATOMIC_SCOPE_WORK_GROUP;
      expect((ask(CL.DEVICE_ATOMIC_MEMORY_CAPABILITIES) as number) & relaxed).toBe(relaxed);
      const fences = relaxed | CL.DEVICE_ATOMIC_ORDER_ACQ_REL;
      expect((ask(CL.DEVICE_ATOMIC_FENCE_CAPABILITIES) as number) & fences).toBe(fences);
      expect(ask(CL.DEVICE_MAX_READ_WRITE_IMAGE_ARGS)).toBeGreaterThanOrEqual(64);
      expect(ask(CL.DEVICE_MAX_GLOBAL_VARIABLE_SIZE)).toBeGreaterThanOrEqual(65536);
      expect(ask(CL.DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE)).toBeGreaterThanOrEqual(65536);
      expect(ask(CL.DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)).toBe(true);
      expect(ask(CL.DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS)).toBe(false);
      expect(ask(CL.DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)).toBeGreaterThanOrEqual(1);
      for (const name of [
        CL.DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
        CL.DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
        CL.DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
      ]) {
        expect(ask(name)).toBe(0);
      }
      for (const name of [CL.DEVICE_IMAGE_PITCH_ALIGNMENT, CL.DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT]) {
        expect(ask(name)).toBeGreaterThanOrEqual(0);
      }
      const hasQueues = ask(CL.DEVICE_DEVICE_ENQUEUE_CAPABILITIES) !== 0;
      for (const name of [
        CL.DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
        CL.DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
        CL.DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
        CL.DEVICE_MAX_ON_DEVICE_QUEUES,
        CL.DEVICE_MAX_ON_DEVICE_EVENTS,
      ]) {
        expect((ask(name) as number) > 0).toBe(hasQueues);
      }
    });
  },
);

it('of platforms', () => {
  expect(platform!.getInfo(CL.PLATFORM_NUMERIC_VERSION)).toBe(version(3, 0));
  expect(platform!.getInfo(CL.PLATFORM_HOST_TIMER_RESOLUTION)).toBeGreaterThan(0);
  expect(namesIn(platform!.getInfo(CL.PLATFORM_EXTENSIONS_WITH_VERSION)).join(' ')).toBe(
    platform!.getInfo(CL.PLATFORM_EXTENSIONS),
  );
});

it('devices of drivers say that they have nothing of what is not passed on', () => {
  for (const device of drivers.flatMap((driver) => driver.getDevices())) {
    const [, major, minor] = /(\d+)\.(\d+)/.exec(String(device.getInfo(CL.DEVICE_VERSION)))!;
    expect(device.getInfo(CL.DEVICE_NUMERIC_VERSION)).toBe(version(Number(major), Number(minor)));
    expect(device.getInfo(CL.DEVICE_SVM_CAPABILITIES)).toBe(0);
    const other = createContext(device);
    expect(errorName(() => other.svmAlloc(0, 64))).toBe('CL_INVALID_OPERATION');
    const queue = other.createCommandQueue();
    expect(errorName(() => queue.enqueueSVMUnmap(64))).toBe('CL_INVALID_OPERATION');
    other.releaseAll();
  }
});

it('of programs and kernels', () => {
  const program = context.createProgram('kernel void k(global int *out) { out[0] = get_sub_group_size(); }');
  program.build(null, '-cl-std=CL3.0');
  expect(program.getInfo(CL.PROGRAM_IL)).toEqual([]);
  expect(program.getInfo(CL.PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)).toBe(false);
  expect(program.getInfo(CL.PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)).toBe(false);
  expect(errorName(() => program.setReleaseCallback(null))).toBe('CL_INVALID_VALUE');
  expect(errorName(() => program.setReleaseCallback(() => {}))).toBe('CL_INVALID_OPERATION');
  expect(errorName(() => program.setSpecializationConstant(0, Int32Array.of(1)))).toBe(
    'CL_INVALID_OPERATION',
  );
  expect(errorName(() => context.createProgramWithIL(new Uint8Array(8)))).toBe('CL_INVALID_OPERATION');

  // What a kernel finds out is the reference.
  const kernel = program.createKernel('k');
  const queue = context.createCommandQueue();
  const out = new Int32Array(1);
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 4);
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, 1, null, [64], [64]);
  queue.enqueueReadBuffer(buffer, CL.TRUE, 0, 4, out);
  const size = out[0]!;
  const ask = (name: number, input?: number | number[], dimensions?: number) =>
    kernel.getSubGroupInfo(null, name, input, dimensions);
  const most = Number(kernel.getWorkGroupInfo(null, CL.KERNEL_WORK_GROUP_SIZE));
  expect(ask(CL.KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, [64, 2])).toBe(size);
  expect(ask(CL.KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, [3])).toBe(3);
  expect(ask(CL.KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, [size, 2, 3])).toBe(6);
  expect(ask(CL.KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, [size * 2 + 1])).toBe(3);
  expect(ask(CL.KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4, 2)).toEqual([size * 4, 1]);
  expect(ask(CL.KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, most, 3)).toEqual([0, 0, 0]);
  expect(ask(CL.KERNEL_MAX_NUM_SUB_GROUPS)).toBe(most / size);
  expect(ask(CL.KERNEL_COMPILE_NUM_SUB_GROUPS)).toBe(0);
  expect(errorName(() => ask(CL.KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE))).toBe('CL_INVALID_VALUE');
  expect(errorName(() => ask(CL.KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, [1, 2]))).toBe('CL_INVALID_VALUE');
  expect(errorName(() => ask(0x9999, [1]))).toBe('CL_INVALID_VALUE');
  expect(errorName(() => kernel.getSubGroupInfo(devices[1], CL.KERNEL_MAX_NUM_SUB_GROUPS))).toBe(
    'CL_INVALID_DEVICE',
  );
});

it('timers are the clock of profiling', () => {
  const [device] = context.devices;
  const before = device!.getHostTimer();
  const { deviceTimestamp, hostTimestamp } = device!.getDeviceAndHostTimer();
  expect(deviceTimestamp).toBe(hostTimestamp);
  expect(hostTimestamp >= before && device!.getHostTimer() >= hostTimestamp).toBe(true);
});

it('contexts call back when they end, the one set last first', async () => {
  const other = createContext(devices[0]!);
  const calls: string[] = [];
  other.setDestructorCallback(() => calls.push('first'));
  other.setDestructorCallback((ended) => calls.push(ended === other ? 'last' : 'another'));
  expect(errorName(() => other.setDestructorCallback(null as never))).toBe('CL_INVALID_VALUE');
  other.retain();
  other.release();
  await Promise.resolve();
  expect(calls).toEqual([]);
  other.release();
  await Promise.resolve();
  expect(calls).toEqual(['last', 'first']);
});
