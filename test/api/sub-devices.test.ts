/** Sub-devices (OpenCL 1.2, 4.3): on our device, told to have four threads, and on a driver's. */
import { CL, type CLDevice, createContext, getPlatforms } from 'millrace/opencl';
import { describe, expect, it, vi } from 'vitest';
import { errorName } from '../support/error-name.ts';

vi.hoisted(() => {
  process.env['MILLRACE_THREADS'] = '4';
});

const [own, ...drivers] = getPlatforms();
const [device] = own!.getDevices(CL.DEVICE_TYPE_CPU) as [CLDevice];
const counts = (...values: number[]) => [
  CL.DEVICE_PARTITION_BY_COUNTS,
  ...values,
  CL.DEVICE_PARTITION_BY_COUNTS_LIST_END,
  0,
];
const units = (parts: readonly CLDevice[]) => parts.map((part) => part.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS));

/** Squares numbers on every device of one context, each on its part of a buffer. */
function squares(devices: readonly CLDevice[]): number[] {
  const context = createContext(devices);
  const program = context.createProgram(
    'kernel void square(global int *a) { size_t i = get_global_id(0); a[i] = (int)(i * i); }',
  );
  program.build();
  const kernel = program.createKernel('square');
  const each = 1024;
  const buffer = context.createBuffer(0, devices.length * each * 4);
  kernel.setArg(0, buffer);
  const queues = devices.map((used, index) => {
    const queue = context.createCommandQueue(used);
    queue.enqueueNDRangeKernel(kernel, 1, [index * each], [each], null);
    return queue;
  });
  for (const queue of queues) queue.finish();
  const result = new Int32Array(devices.length * each);
  queues[0]!.enqueueReadBuffer(buffer, true, 0, result.byteLength, result);
  context.releaseAll();
  return [...result];
}

const expected = (count: number) => Array.from({ length: count * 1024 }, (_, index) => index * index);

describe('sub-devices', () => {
  it('divide our device equally and by counts', () => {
    expect(device.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS)).toBe(4);
    expect(device.getInfo(CL.DEVICE_PARTITION_MAX_SUB_DEVICES)).toBe(4);
    expect(device.getInfo(CL.DEVICE_PARTITION_PROPERTIES)).toEqual([
      CL.DEVICE_PARTITION_EQUALLY,
      CL.DEVICE_PARTITION_BY_COUNTS,
    ]);
    expect(device.getInfo(CL.DEVICE_PARTITION_AFFINITY_DOMAIN)).toBe(0);
    expect(device.getInfo(CL.DEVICE_PARTITION_TYPE)).toEqual([]);
    expect(device.getInfo(CL.DEVICE_PARENT_DEVICE)).toBeNull();
    expect(units(device.createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 2, 0]))).toEqual([2, 2]);
    // What is left over belongs to none of them.
    expect(units(device.createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 3]))).toEqual([3]);
    const parts = device.createSubDevices(counts(3, 1));
    expect(units(parts)).toEqual([3, 1]);
    expect(parts[0]!.getInfo(CL.DEVICE_PARENT_DEVICE)).toBe(device);
    expect(parts[0]!.getInfo(CL.DEVICE_PARTITION_TYPE)).toEqual(counts(3, 1));
    expect(parts[0]!.getInfo(CL.DEVICE_PLATFORM)).toBe(own);
    expect(own!.getDevices()).not.toContain(parts[0]);
    expect(units(parts[0]!.createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 1, 0]))).toEqual([1, 1, 1]);
  });

  it('run kernels, alone and several in one context', () => {
    const parts = device.createSubDevices(counts(2, 1, 1));
    expect(squares(parts.slice(0, 1))).toEqual(expected(1));
    expect(squares(parts)).toEqual(expected(3));
  });

  it('are counted by clRetainDevice and clReleaseDevice; other devices are not', () => {
    const [part] = device.createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 2, 0]) as [CLDevice];
    part.retain();
    expect(part.getInfo(CL.DEVICE_REFERENCE_COUNT)).toBe(2);
    part.release();
    const context = createContext(part);
    part.release();
    expect(errorName(() => part.release())).toBe('CL_INVALID_DEVICE');
    // What uses it goes on, and keeps it (4.3: it is deleted when all objects attached to it have been released).
    expect(part.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS)).toBe(2);
    expect(context.getInfo(CL.CONTEXT_DEVICES)).toEqual([part]);
    const bytes = new Uint8Array(4);
    const queue = context.createCommandQueue();
    queue.enqueueReadBuffer(context.createBuffer(0, Uint8Array.of(1, 2, 3, 4)), true, 0, 4, bytes);
    expect([...bytes]).toEqual([1, 2, 3, 4]);
    context.releaseAll();
    expect(errorName(() => part.getInfo(CL.DEVICE_NAME))).toBe('CL_INVALID_DEVICE');
    expect(errorName(() => part.release())).toBe('CL_INVALID_DEVICE');
    expect(errorName(() => createContext(part))).toBe('CL_INVALID_DEVICE');
    device.retain();
    device.release();
    device.release();
    expect(device.getInfo(CL.DEVICE_REFERENCE_COUNT)).toBe(1);
  });

  it('are refused as the specification says', () => {
    const refusal = (properties: number[], of = device) => errorName(() => of.createSubDevices(properties));
    expect(refusal([])).toBe('CL_INVALID_VALUE');
    expect(refusal([0x1234, 1, 0])).toBe('CL_INVALID_VALUE');
    expect(refusal([CL.DEVICE_PARTITION_EQUALLY, 0, 0])).toBe('CL_INVALID_VALUE');
    expect(refusal([CL.DEVICE_PARTITION_EQUALLY, 1, CL.DEVICE_PARTITION_EQUALLY, 1, 0])).toBe(
      'CL_INVALID_VALUE',
    );
    expect(refusal([CL.DEVICE_PARTITION_EQUALLY, 5, 0])).toBe('CL_DEVICE_PARTITION_FAILED');
    const [one] = device.createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 1, 0]);
    expect(refusal([CL.DEVICE_PARTITION_EQUALLY, 1, 0], one)).toBe('CL_DEVICE_PARTITION_FAILED');
    expect(refusal(counts())).toBe('CL_INVALID_VALUE');
    expect(refusal(counts(4, 1))).toBe('CL_INVALID_DEVICE_PARTITION_COUNT');
    expect(refusal(counts(1, -1))).toBe('CL_INVALID_DEVICE_PARTITION_COUNT');
    expect(refusal([CL.DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL.DEVICE_AFFINITY_DOMAIN_NUMA, 0])).toBe(
      'CL_INVALID_VALUE',
    );
    expect(refusal([CL.DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 3, 0])).toBe('CL_INVALID_VALUE');
    expect(errorName(() => device.createSubDevices(null as never))).toBe('CL_INVALID_VALUE');
    const [interpreter] = own!.getDevices(CL.DEVICE_TYPE_CUSTOM);
    expect(interpreter!.getInfo(CL.DEVICE_PARTITION_PROPERTIES)).toEqual([]);
    expect(refusal([CL.DEVICE_PARTITION_EQUALLY, 1, 0], interpreter)).toBe('CL_INVALID_VALUE');
  });

  const divisible = drivers
    .flatMap((platform) => platform.getDevices())
    .find((other) => Number(other.getInfo(CL.DEVICE_PARTITION_MAX_SUB_DEVICES)) > 1);
  it.skipIf(!divisible)("divide a driver's device (needs one with several compute units)", () => {
    const parts = divisible!.createSubDevices([CL.DEVICE_PARTITION_EQUALLY, 1, 0]);
    expect(parts).toHaveLength(Number(divisible!.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS)));
    expect(new Set(units(parts))).toEqual(new Set([1]));
    expect(squares(parts.slice(0, 2))).toEqual(expected(2));
    expect(errorName(() => divisible!.createSubDevices(counts(10_000)))).toBe(
      'CL_INVALID_DEVICE_PARTITION_COUNT',
    );
  });
});
