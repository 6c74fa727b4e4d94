/**
 * Every query of OpenCL 1.2 on our device, with answers that follow from the specification (minimum values of table 4.3)
 * or from how the objects were made; and counts of references of every kind of object.
 */
import {
  CL,
  type CLBuffer,
  type CLContext,
  CLEvent,
  CLImage,
  createContext,
  getExtensionFunctionAddress,
  getPlatforms,
  unloadCompiler,
} from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

let context: CLContext;
beforeEach(() => {
  context = createContext();
});
afterEach(() => context.releaseAll());

const atLeast = (least: number) => (value: unknown) => expect(value).toBeGreaterThanOrEqual(least);
const matching = (pattern: RegExp) => (value: unknown) => expect(value).toMatch(pattern);
type Expected = readonly [name: number, expected: unknown];

function check(ask: (name: number) => unknown, rows: readonly Expected[]): void {
  for (const [name, expected] of rows) {
    if (typeof expected === 'function') expected(ask(name));
    else expect(ask(name), `0x${name.toString(16)}`).toEqual(expected);
  }
  expect(errorName(() => ask(0x7777))).toBe('CL_INVALID_VALUE');
}

// That these lines compile is half of the test: the declarations say what is asked for, and the answers are that.
describe('queries have types', () => {
  it('by the constant', () => {
    const context = createContext();
    const [device] = context.devices;
    const program = context.createProgram('kernel void f() {}');
    program.build();
    const [binary]: readonly Uint8Array[] = program.getInfo(CL.PROGRAM_BINARIES);
    const texts: string[] = [
      program.getInfo(CL.PROGRAM_KERNEL_NAMES),
      program.getInfo(CL.PROGRAM_SOURCE),
      program.getBuildInfo(device!, CL.PROGRAM_BUILD_LOG),
      device!.platform.getInfo(CL.PLATFORM_EXTENSIONS),
      device!.getInfo(CL.DEVICE_NAME),
      device!.getInfo(CL.DEVICE_EXTENSIONS),
      device!.getInfo(CL.DRIVER_VERSION),
      device!.getInfo(CL.DEVICE_BUILT_IN_KERNELS),
    ];
    const kernel = program.createKernel('f');
    const event = context.createUserEvent();
    const numbers: number[] = [
      program.getInfo(CL.PROGRAM_NUM_KERNELS),
      program.getBuildInfo(device!, CL.PROGRAM_BUILD_STATUS),
      device!.getInfo(CL.DEVICE_TYPE),
      device!.getInfo(CL.DEVICE_VENDOR_ID),
      device!.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS),
      device!.getInfo(CL.DEVICE_MAX_CLOCK_FREQUENCY),
      device!.getInfo(CL.DEVICE_GLOBAL_MEM_SIZE) / 1024,
      device!.getInfo(CL.DEVICE_SVM_CAPABILITIES),
      device!.getInfo(CL.DEVICE_PROFILING_TIMER_RESOLUTION),
      kernel.getWorkGroupInfo(device, CL.KERNEL_WORK_GROUP_SIZE),
      kernel.getWorkGroupInfo(device, CL.KERNEL_PRIVATE_MEM_SIZE),
      event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS),
    ];
    const [width]: readonly number[] = device!.getInfo(CL.DEVICE_MAX_WORK_ITEM_SIZES);
    const isAvailable: boolean = device!.getInfo(CL.DEVICE_AVAILABLE);
    expect(binary).toBeInstanceOf(Uint8Array);
    expect(texts.map((text) => typeof text)).toEqual(texts.map(() => 'string'));
    expect(numbers.map((number) => typeof number)).toEqual(numbers.map(() => 'number'));
    expect([typeof width, isAvailable]).toEqual(['number', true]);
    context.releaseAll();
  });
});

describe('queries', () => {
  it('of platforms', () => {
    const [platform] = getPlatforms();
    check(
      (name) => platform!.getInfo(name),
      [
        [CL.PLATFORM_PROFILE, 'FULL_PROFILE'],
        [CL.PLATFORM_VERSION, matching(/^OpenCL 3\.0 /)],
        [CL.PLATFORM_NAME, 'Millrace'],
        [CL.PLATFORM_VENDOR, 'Millrace'],
        [CL.PLATFORM_EXTENSIONS, matching(/\bcl_khr_fp64\b/)],
      ],
    );
    unloadCompiler();
    expect(getExtensionFunctionAddress('clIcdGetPlatformIDsKHR')).toBeNull();
  });

  it('of devices: what a full profile must have', () => {
    const [device] = context.devices;
    const pixels = atLeast(8192);
    check(
      (name) => device!.getInfo(name),
      [
        [CL.DEVICE_TYPE, CL.DEVICE_TYPE_CPU | CL.DEVICE_TYPE_DEFAULT],
        [CL.DEVICE_VENDOR_ID, 0],
        [CL.DEVICE_MAX_COMPUTE_UNITS, atLeast(1)],
        [CL.DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3],
        [CL.DEVICE_MAX_WORK_GROUP_SIZE, 4096],
        [CL.DEVICE_MAX_WORK_ITEM_SIZES, [4096, 4096, 4096]],
        // Vectors of 128 bits.
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 16],
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 8],
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4],
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 2],
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4],
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 2],
        [CL.DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 8],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 16],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 8],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_INT, 4],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_LONG, 2],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 2],
        [CL.DEVICE_NATIVE_VECTOR_WIDTH_HALF, 8],
        [CL.DEVICE_MAX_CLOCK_FREQUENCY, atLeast(0)],
        [CL.DEVICE_ADDRESS_BITS, 32],
        [CL.DEVICE_MAX_MEM_ALLOC_SIZE, atLeast(2 ** 30)],
        [CL.DEVICE_IMAGE_SUPPORT, true],
        [CL.DEVICE_MAX_READ_IMAGE_ARGS, atLeast(128)],
        [CL.DEVICE_MAX_WRITE_IMAGE_ARGS, atLeast(8)],
        [CL.DEVICE_IMAGE2D_MAX_WIDTH, pixels],
        [CL.DEVICE_IMAGE2D_MAX_HEIGHT, pixels],
        [CL.DEVICE_IMAGE3D_MAX_WIDTH, atLeast(2048)],
        [CL.DEVICE_IMAGE3D_MAX_HEIGHT, atLeast(2048)],
        [CL.DEVICE_IMAGE3D_MAX_DEPTH, atLeast(2048)],
        [CL.DEVICE_IMAGE_MAX_BUFFER_SIZE, atLeast(65536)],
        [CL.DEVICE_IMAGE_MAX_ARRAY_SIZE, atLeast(2048)],
        [CL.DEVICE_MAX_SAMPLERS, atLeast(16)],
        [CL.DEVICE_MAX_PARAMETER_SIZE, atLeast(1024)],
        // Bits; bytes of a long16.
        [CL.DEVICE_MEM_BASE_ADDR_ALIGN, 1024],
        [CL.DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 128],
        [
          CL.DEVICE_SINGLE_FP_CONFIG,
          (value: number) => expect(value & (CL.FP_ROUND_TO_NEAREST | CL.FP_INF_NAN)).toBe(6),
        ],
        [
          CL.DEVICE_DOUBLE_FP_CONFIG,
          CL.FP_FMA |
            CL.FP_ROUND_TO_NEAREST |
            CL.FP_ROUND_TO_ZERO |
            CL.FP_ROUND_TO_INF |
            CL.FP_INF_NAN |
            CL.FP_DENORM,
        ],
        [
          CL.DEVICE_HALF_FP_CONFIG,
          (value: number) => expect(value & (CL.FP_ROUND_TO_NEAREST | CL.FP_INF_NAN)).toBe(6),
        ],
        [CL.DEVICE_GLOBAL_MEM_CACHE_TYPE, CL.READ_WRITE_CACHE],
        [CL.DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 64],
        [CL.DEVICE_GLOBAL_MEM_CACHE_SIZE, 0],
        [CL.DEVICE_GLOBAL_MEM_SIZE, 2 ** 32],
        [CL.DEVICE_MAX_CONSTANT_BUFFER_SIZE, atLeast(65536)],
        [CL.DEVICE_MAX_CONSTANT_ARGS, atLeast(8)],
        [CL.DEVICE_LOCAL_MEM_TYPE, CL.GLOBAL],
        [CL.DEVICE_LOCAL_MEM_SIZE, atLeast(32768)],
        [CL.DEVICE_ERROR_CORRECTION_SUPPORT, false],
        [CL.DEVICE_HOST_UNIFIED_MEMORY, true],
        [CL.DEVICE_PROFILING_TIMER_RESOLUTION, atLeast(1)],
        [CL.DEVICE_ENDIAN_LITTLE, true],
        [CL.DEVICE_AVAILABLE, true],
        [CL.DEVICE_COMPILER_AVAILABLE, true],
        [CL.DEVICE_LINKER_AVAILABLE, true],
        [CL.DEVICE_EXECUTION_CAPABILITIES, CL.EXEC_KERNEL | CL.EXEC_NATIVE_KERNEL],
        [CL.DEVICE_QUEUE_PROPERTIES, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_PROFILING_ENABLE],
        [CL.DEVICE_BUILT_IN_KERNELS, matching(/^\w+(;\w+)*$/)],
        [CL.DEVICE_PLATFORM, getPlatforms()[0]],
        [CL.DEVICE_NAME, 'Millrace WebAssembly'],
        [CL.DEVICE_VENDOR, 'Millrace'],
        [CL.DRIVER_VERSION, matching(/^\d+\.\d+/)],
        [CL.DEVICE_PROFILE, 'FULL_PROFILE'],
        [CL.DEVICE_VERSION, matching(/^OpenCL 3\.0 /)],
        [CL.DEVICE_OPENCL_C_VERSION, matching(/^OpenCL C 1\.2 /)],
        [CL.DEVICE_EXTENSIONS, matching(/\bcl_khr_byte_addressable_store\b/)],
        [CL.DEVICE_PRINTF_BUFFER_SIZE, atLeast(2 ** 20)],
        [CL.DEVICE_PREFERRED_INTEROP_USER_SYNC, true],
        [CL.DEVICE_PARENT_DEVICE, null],
        [CL.DEVICE_REFERENCE_COUNT, 1],
      ],
    );
  });

  it('of contexts, made from a type: clCreateContextFromType', () => {
    const other = createContext(CL.DEVICE_TYPE_CPU);
    check(
      (name) => other.getInfo(name),
      [
        [CL.CONTEXT_REFERENCE_COUNT, 1],
        [CL.CONTEXT_NUM_DEVICES, 1],
        [CL.CONTEXT_DEVICES, [context.devices[0]]],
        [CL.CONTEXT_PROPERTIES, []],
      ],
    );
    other.releaseAll();
  });

  it('of command queues', () => {
    const queue = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
    check(
      (name) => queue.getInfo(name),
      [
        [CL.QUEUE_CONTEXT, context],
        [CL.QUEUE_DEVICE, context.devices[0]],
        [CL.QUEUE_REFERENCE_COUNT, 1],
        [CL.QUEUE_PROPERTIES, CL.QUEUE_PROFILING_ENABLE],
      ],
    );
  });

  it('of buffers and parts of them', () => {
    const bytes = new Uint8Array(512);
    const whole = context.createBuffer(CL.MEM_USE_HOST_PTR | CL.MEM_READ_ONLY, 512, bytes);
    const part = whole.createSubBuffer(0, 128, 64);
    const queue = context.createCommandQueue();
    queue.enqueueMapBuffer(part, true, CL.MAP_READ, 0, 8);
    const rows = (buffer: CLBuffer): Expected[] => [
      [CL.MEM_TYPE, CL.MEM_OBJECT_BUFFER],
      [CL.MEM_FLAGS, CL.MEM_USE_HOST_PTR | CL.MEM_READ_ONLY],
      [CL.MEM_SIZE, buffer === part ? 64 : 512],
      [CL.MEM_HOST_PTR, buffer === part ? bytes.subarray(128, 192) : bytes],
      [CL.MEM_MAP_COUNT, buffer === part ? 1 : 0],
      // The part holds the whole.
      [CL.MEM_REFERENCE_COUNT, buffer === part ? 1 : 2],
      [CL.MEM_CONTEXT, context],
      [CL.MEM_ASSOCIATED_MEMOBJECT, buffer === part ? whole : null],
      [CL.MEM_OFFSET, buffer === part ? 128 : 0],
    ];
    for (const buffer of [whole, part]) check((name) => buffer.getInfo(name), rows(buffer));
  });

  it('of images', () => {
    const format = { channelOrder: CL.RG, channelType: CL.FLOAT };
    const type = CL.MEM_OBJECT_IMAGE2D_ARRAY;
    const image = context.createImage(0, format, { type, width: 5, height: 3, arraySize: 2 });
    check(
      (name) => image.getImageInfo(name),
      [
        [CL.IMAGE_FORMAT, format],
        [CL.IMAGE_ELEMENT_SIZE, 8],
        [CL.IMAGE_ROW_PITCH, 40],
        [CL.IMAGE_SLICE_PITCH, 120],
        [CL.IMAGE_WIDTH, 5],
        [CL.IMAGE_HEIGHT, 3],
        [CL.IMAGE_DEPTH, 0],
        [CL.IMAGE_ARRAY_SIZE, 2],
        [CL.IMAGE_BUFFER, null],
        [CL.IMAGE_NUM_MIP_LEVELS, 0],
        [CL.IMAGE_NUM_SAMPLES, 0],
      ],
    );
    expect(image).toBeInstanceOf(CLImage);
    expect(image.getInfo(CL.MEM_TYPE)).toBe(type);
  });

  it('of samplers', () => {
    const sampler = context.createSampler(true, CL.ADDRESS_REPEAT, CL.FILTER_LINEAR);
    check(
      (name) => sampler.getInfo(name),
      [
        [CL.SAMPLER_REFERENCE_COUNT, 1],
        [CL.SAMPLER_CONTEXT, context],
        [CL.SAMPLER_NORMALIZED_COORDS, true],
        [CL.SAMPLER_ADDRESSING_MODE, CL.ADDRESS_REPEAT],
        [CL.SAMPLER_FILTER_MODE, CL.FILTER_LINEAR],
      ],
    );
  });

  it('of programs and kernels', () => {
    const source = `__attribute__((reqd_work_group_size(4, 2, 1)))
      kernel void f(global const float4 *restrict data, read_only image2d_t image, local int *l) { l[0] = 1; }`;
    const program = context.createProgram(source);
    const [device] = context.devices;
    expect(program.getBuildInfo(device!, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_NONE);
    program.build(null, '-cl-kernel-arg-info');
    const binaries = program.getInfo(CL.PROGRAM_BINARIES) as Uint8Array[];
    check(
      (name) => program.getInfo(name),
      [
        [CL.PROGRAM_REFERENCE_COUNT, 1],
        [CL.PROGRAM_CONTEXT, context],
        [CL.PROGRAM_NUM_DEVICES, 1],
        [CL.PROGRAM_DEVICES, [device]],
        [CL.PROGRAM_SOURCE, source],
        [CL.PROGRAM_BINARY_SIZES, [binaries[0]!.length]],
        [CL.PROGRAM_NUM_KERNELS, 1],
        [CL.PROGRAM_KERNEL_NAMES, 'f'],
      ],
    );
    check(
      (name) => program.getBuildInfo(device!, name),
      [
        [CL.PROGRAM_BUILD_STATUS, CL.BUILD_SUCCESS],
        [CL.PROGRAM_BUILD_OPTIONS, '-cl-kernel-arg-info'],
        [CL.PROGRAM_BUILD_LOG, ''],
        [CL.PROGRAM_BINARY_TYPE, CL.PROGRAM_BINARY_TYPE_EXECUTABLE],
      ],
    );
    expect(program.createKernelsInProgram().map(({ name }) => name)).toEqual(['f']);
    const kernel = program.createKernel('f');
    check(
      (name) => kernel.getInfo(name),
      [
        [CL.KERNEL_FUNCTION_NAME, 'f'],
        [CL.KERNEL_NUM_ARGS, 3],
        [CL.KERNEL_REFERENCE_COUNT, 1],
        [CL.KERNEL_CONTEXT, context],
        [CL.KERNEL_PROGRAM, program],
        [CL.KERNEL_ATTRIBUTES, 'reqd_work_group_size(4,2,1)'],
      ],
    );
    check(
      (name) => kernel.getArgInfo(0, name),
      [
        [CL.KERNEL_ARG_ADDRESS_QUALIFIER, CL.KERNEL_ARG_ADDRESS_GLOBAL],
        [CL.KERNEL_ARG_ACCESS_QUALIFIER, CL.KERNEL_ARG_ACCESS_NONE],
        [CL.KERNEL_ARG_TYPE_NAME, 'float4*'],
        [CL.KERNEL_ARG_TYPE_QUALIFIER, CL.KERNEL_ARG_TYPE_CONST | CL.KERNEL_ARG_TYPE_RESTRICT],
        [CL.KERNEL_ARG_NAME, 'data'],
      ],
    );
    expect(kernel.getArgInfo(1, CL.KERNEL_ARG_ACCESS_QUALIFIER)).toBe(CL.KERNEL_ARG_ACCESS_READ_ONLY);
    kernel.setArg(2, 100, null);
    check(
      (name) => kernel.getWorkGroupInfo(device, name),
      [
        [CL.KERNEL_WORK_GROUP_SIZE, atLeast(8)],
        [CL.KERNEL_COMPILE_WORK_GROUP_SIZE, [4, 2, 1]],
        [CL.KERNEL_LOCAL_MEM_SIZE, 100],
        [CL.KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, atLeast(1)],
        [CL.KERNEL_PRIVATE_MEM_SIZE, atLeast(0)],
      ],
    );
    expect(errorName(() => kernel.getWorkGroupInfo(device, CL.KERNEL_GLOBAL_WORK_SIZE))).toBe(
      'CL_INVALID_VALUE',
    );
  });

  it('of events', () => {
    const queue = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
    const buffer = context.createBuffer(0, 16);
    const event = new CLEvent();
    queue.enqueueFillBuffer(buffer, Uint8Array.of(1), 0, 16, null, event);
    queue.finish();
    check(
      (name) => event.getInfo(name),
      [
        [CL.EVENT_COMMAND_QUEUE, queue],
        [CL.EVENT_CONTEXT, context],
        [CL.EVENT_COMMAND_TYPE, CL.COMMAND_FILL_BUFFER],
        [CL.EVENT_COMMAND_EXECUTION_STATUS, CL.COMPLETE],
        [CL.EVENT_REFERENCE_COUNT, 1],
      ],
    );
    const times = [
      CL.PROFILING_COMMAND_QUEUED,
      CL.PROFILING_COMMAND_SUBMIT,
      CL.PROFILING_COMMAND_START,
      CL.PROFILING_COMMAND_END,
    ].map((name) => event.getProfilingInfo(name));
    expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
    expect(context.createUserEvent().getInfo(CL.EVENT_COMMAND_QUEUE)).toBeNull();
  });
});

describe('references', () => {
  // clRetainContext and clReleaseContext, clRetainCommandQueue and clReleaseCommandQueue, clRetainMemObject and
  // clReleaseMemObject, clRetainSampler and clReleaseSampler, clRetainProgram and clReleaseProgram, clRetainKernel and
  // clReleaseKernel, clRetainEvent and clReleaseEvent; those of devices are in sub-devices.test.ts.
  it('are counted, and the last one ends the object', () => {
    const other = createContext();
    const program = other.createProgram('kernel void f(global int *x) { x[0] = 1; }');
    program.build();
    const objects = [
      [program.createKernel('f'), CL.KERNEL_REFERENCE_COUNT, 'CL_INVALID_KERNEL'],
      [program, CL.PROGRAM_REFERENCE_COUNT, 'CL_INVALID_PROGRAM'],
      [other.createBuffer(0, 4), CL.MEM_REFERENCE_COUNT, 'CL_INVALID_MEM_OBJECT'],
      [
        other.createSampler(false, CL.ADDRESS_NONE, CL.FILTER_NEAREST),
        CL.SAMPLER_REFERENCE_COUNT,
        'CL_INVALID_SAMPLER',
      ],
      [other.createUserEvent(), CL.EVENT_REFERENCE_COUNT, 'CL_INVALID_EVENT'],
      [other.createCommandQueue(), CL.QUEUE_REFERENCE_COUNT, 'CL_INVALID_COMMAND_QUEUE'],
      [other, CL.CONTEXT_REFERENCE_COUNT, 'CL_INVALID_CONTEXT'],
    ] as const;
    for (const [object, name, error] of objects) {
      object.retain();
      expect(object.getInfo(name)).toBe(2);
      object.release();
      expect(object.getInfo(name)).toBe(1);
      object.release();
      expect(errorName(() => object.getInfo(name))).toBe(error);
      expect(errorName(() => object.retain())).toBe(error);
      expect(errorName(() => object.release())).toBe(error);
    }
  });

  it('of a buffer are held by its parts; its destructor callbacks come last first', async () => {
    const whole = context.createBuffer(0, 256);
    const part = whole.createSubBuffer(0, 0, 128);
    const told: string[] = [];
    whole.setDestructorCallback((memory) => told.push(`first ${memory === whole}`));
    whole.setDestructorCallback(() => told.push('second'));
    expect(errorName(() => whole.setDestructorCallback(null as never))).toBe('CL_INVALID_VALUE');
    whole.release();
    await Promise.resolve();
    expect(told).toEqual([]);
    part.release();
    await Promise.resolve();
    expect(told).toEqual(['second', 'first true']);
  });
});

describe('what keeps a released context', () => {
  it('is a user event, whose status is told of all the same', async () => {
    const own = createContext();
    const event = own.createUserEvent();
    const told = new Promise((resolve) => event.setCallback(CL.COMPLETE, (_, status) => resolve(status)));
    own.release();
    expect(event.getInfo(CL.EVENT_CONTEXT)).toBe(own);
    expect(own.getInfo(CL.CONTEXT_NUM_DEVICES)).toBe(1);
    event.setStatus(CL.COMPLETE);
    expect(await told).toBe(CL.COMPLETE);
    event.release();
    expect(errorName(() => own.getInfo(CL.CONTEXT_NUM_DEVICES))).toBe('CL_INVALID_CONTEXT');
  });

  it('is a queue; who asks it for the context may retain and release that, and is told of its end once', async () => {
    const own = createContext();
    const told: string[] = [];
    own.setDestructorCallback(() => told.push('over'));
    const queue = own.createCommandQueue();
    own.release();
    own.retain();
    const buffer = own.createBuffer(0, 4);
    queue.release();
    buffer.release();
    await Promise.resolve();
    expect(told).toEqual([]);
    expect(own.references).toBe(1);
    own.release();
    await Promise.resolve();
    expect(told).toEqual(['over']);
    expect(errorName(() => own.retain())).toBe('CL_INVALID_CONTEXT');
  });
});

describe('synchronisation', () => {
  it('barriers and waits hold back what comes after them, in a queue out of order', async () => {
    const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const buffer = context.createBuffer(0, Int32Array.of(0));
    for (const hold of [
      (gate: CLEvent) => queue.enqueueBarrierWithWaitList([gate]),
      (gate: CLEvent) => queue.enqueueWaitForEvents([gate]),
      (gate: CLEvent) => {
        queue.enqueueMarkerWithWaitList([gate]);
        queue.enqueueBarrier();
      },
    ]) {
      const gate = context.createUserEvent();
      hold(gate);
      const after = new CLEvent();
      queue.enqueueFillBuffer(buffer, Int32Array.of(1), 0, 4, null, after);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(after.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBeGreaterThan(CL.RUNNING);
      gate.setStatus(CL.COMPLETE);
      await after.done;
    }
    expect(errorName(() => queue.enqueueWaitForEvents([]))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueMarker(null as never))).toBe('CL_INVALID_VALUE');
  });

  it('migrations are commands with events', () => {
    const queue = context.createCommandQueue();
    const buffers = [context.createBuffer(0, 4), context.createBuffer(0, 4)];
    const event = new CLEvent();
    queue.enqueueMigrateMemObjects(buffers, CL.MIGRATE_MEM_OBJECT_HOST, null, event);
    expect(event.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(CL.COMMAND_MIGRATE_MEM_OBJECTS);
    queue.finish();
    expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.COMPLETE);
    expect(errorName(() => queue.enqueueMigrateMemObjects([], 0))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueMigrateMemObjects(buffers, 64))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueMigrateMemObjects([7 as never], 0))).toBe('CL_INVALID_MEM_OBJECT');
  });
});
