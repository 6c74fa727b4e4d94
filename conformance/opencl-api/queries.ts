/** Every query parameter of OpenCL 3.0, asked of an object of our device. */
import { CL, CLEvent, createContext } from 'millrace/opencl';

export interface QueryGroup {
  readonly title: string;
  readonly queries: readonly { readonly name: string; readonly answer: string }[];
}

type Name = keyof typeof CL;

/** The parameters of the specification, by the beginnings of their names. */
const last = { DEVICE: 0x1072, PROGRAM: 0x116b, KERNEL: 0x1195, EVENT: 0x11d4, SAMPLER: 0x1154 } as const;

function between(first: number, end: number): Name[] {
  const names = Object.keys(CL) as Name[];
  return names.filter((name) => CL[name] >= first && CL[name] <= end && !notQueries.has(name));
}

/** Later names of the same numbers, and numbers of other things in these ranges. */
const notQueries: ReadonlySet<string> = new Set([
  'DEVICE_QUEUE_ON_HOST_PROPERTIES',
  'MEM_PROPERTIES',
  'MEM_KERNEL_READ_AND_WRITE',
]);

const subGroupQueries: readonly Name[] = [
  'KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE',
  'KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE',
  'KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT',
  'KERNEL_MAX_NUM_SUB_GROUPS',
  'KERNEL_COMPILE_NUM_SUB_GROUPS',
];

const source = 'kernel void f(global float4 *restrict data, read_only image2d_t image) { }';

/** Asks everything. Waits for the device, so that times are known. */
export function askEverything(): QueryGroup[] {
  const context = createContext(null, { shared: false });
  try {
    const queue = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
    const device = context.devices[0]!;
    const program = context.createProgram(source);
    program.build(null, '-cl-kernel-arg-info');
    const kernel = program.createKernel('f');
    const builtIn = context.createProgramWithBuiltInKernels(
      [device],
      String(device.getInfo(CL.DEVICE_BUILT_IN_KERNELS)).split(';')[0]!,
    );
    const custom = builtIn.createKernelsInProgram()[0]!;
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
    const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
    const image = context.createImage(CL.MEM_READ_WRITE, format, {
      type: CL.MEM_OBJECT_IMAGE2D,
      width: 4,
      height: 4,
    });
    const sampler = context.createSampler(true, CL.ADDRESS_CLAMP, CL.FILTER_LINEAR);
    const event = new CLEvent();
    queue.enqueueFillBuffer(buffer, Uint8Array.of(0), 0, 16, null, event);
    queue.finish();
    const group = (title: string, names: readonly Name[], ask: (name: number) => unknown): QueryGroup => ({
      title,
      queries: names.map((name) => ({ name, answer: describe(() => ask(CL[name])) })),
    });
    return [
      group('clGetPlatformInfo', between(0x900, 0x907), (name) => device.platform.getInfo(name)),
      group('clGetDeviceInfo', between(0x1000, last.DEVICE), (name) => device.getInfo(name)),
      group(
        'clGetContextInfo',
        ['CONTEXT_REFERENCE_COUNT', 'CONTEXT_DEVICES', 'CONTEXT_PROPERTIES', 'CONTEXT_NUM_DEVICES'],
        (name) => context.getInfo(name),
      ),
      group('clGetCommandQueueInfo', between(0x1090, 0x1093), (name) => queue.getInfo(name)),
      group('clGetMemObjectInfo', between(0x1100, 0x1109), (name) => buffer.getInfo(name)),
      group('clGetImageInfo', between(0x1110, 0x111a), (name) => image.getImageInfo(name)),
      group('clGetSamplerInfo', between(0x1150, last.SAMPLER), (name) => sampler.getInfo(name)),
      group('clGetProgramInfo', between(0x1160, last.PROGRAM), (name) => program.getInfo(name)),
      group('clGetProgramBuildInfo', between(0x1181, 0x1184), (name) => program.getBuildInfo(device, name)),
      group('clGetKernelInfo', between(0x1190, last.KERNEL), (name) => kernel.getInfo(name)),
      group('clGetKernelArgInfo', between(0x1196, 0x119a), (name) => kernel.getArgInfo(0, name)),
      group('clGetKernelWorkGroupInfo', between(0x11b0, 0x11b5), (name) =>
        (name === CL.KERNEL_GLOBAL_WORK_SIZE ? custom : kernel).getWorkGroupInfo(device, name),
      ),
      group('clGetKernelSubGroupInfo', subGroupQueries, (name) =>
        kernel.getSubGroupInfo(device, name, name === CL.KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT ? 4 : [64]),
      ),
      group('clGetEventInfo', between(0x11d0, last.EVENT), (name) => event.getInfo(name)),
      group('clGetEventProfilingInfo', between(0x1280, 0x1283), (name) => event.getProfilingInfo(name)),
    ];
  } finally {
    context.releaseAll();
  }
}

/** What kind of answer comes back. */
function describe(ask: () => unknown): string {
  try {
    return kindOf(ask());
  } catch (error) {
    return error instanceof Error ? `**${error.name}**` : '**an error**';
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null or an object';
  if (value instanceof Uint8Array) return 'Uint8Array';
  if (Array.isArray(value)) return value.length > 0 ? `list of ${kindOf(value[0])}` : 'list';
  if (typeof value !== 'object') return typeof value;
  // A bundler may put a line before the name.
  const name = value.constructor.name.replace(/^_/, '');
  return name === 'Object' ? `{ ${Object.keys(value).join(', ')} }` : name;
}
