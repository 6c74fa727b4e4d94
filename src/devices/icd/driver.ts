/**
 * The machine's OpenCL loader, called through koffi. The functions are those of OpenCL 1.2, so that they are there in
 * every loader. Handles and addresses are plain numbers: user addresses have at most 48 bits on all 64-bit systems.
 */
import { operatingSystem, optionalModule } from '../../runtime/host.ts';

/** Bytes of the host that a function reads or writes; null is the null pointer. */
export type Bytes = ArrayBufferView<ArrayBufferLike> | null;

/** What all clGet...Info functions look like: object, name, size, value, size returned. Results are CL error codes. */
export type InfoFunction = (
  object: number,
  name: number,
  size: number,
  value: Bytes,
  needed: Bytes,
) => number;

/** The functions used, as in the specification; `bigint` never comes back. */
export interface Driver {
  /** The address of bytes that never move, such as those of a shared WebAssembly.Memory. */
  addressOf(bytes: Bytes): number;
  clGetPlatformIDs(count: number, platforms: Bytes, found: Bytes): number;
  clGetPlatformInfo: InfoFunction;
  clGetDeviceIDs(platform: number, type: number, count: number, devices: Bytes, found: Bytes): number;
  clGetDeviceInfo: InfoFunction;
  clCreateSubDevices(device: number, properties: Bytes, count: number, devices: Bytes, found: Bytes): number;
  clReleaseDevice(device: number): number;
  clCreateContext(
    properties: Bytes,
    count: number,
    devices: Bytes,
    notify: number,
    data: number,
    error: Bytes,
  ): number;
  clReleaseContext(context: number): number;
  clCreateCommandQueue(context: number, device: number, properties: number, error: Bytes): number;
  clReleaseCommandQueue(queue: number): number;
  clCreateBuffer(context: number, flags: number, size: number, host: number, error: Bytes): number;
  clCreateSubBuffer(buffer: number, flags: number, type: number, region: Bytes, error: Bytes): number;
  clCreateImage(
    context: number,
    flags: number,
    format: Bytes,
    description: Bytes,
    host: number,
    error: Bytes,
  ): number;
  clReleaseMemObject(memory: number): number;
  clGetSupportedImageFormats(
    context: number,
    flags: number,
    type: number,
    count: number,
    formats: Bytes,
    found: Bytes,
  ): number;
  clCreateSampler(
    context: number,
    normalized: number,
    addressing: number,
    filter: number,
    error: Bytes,
  ): number;
  clReleaseSampler(sampler: number): number;
  clCreateProgramWithSource(
    context: number,
    count: number,
    strings: Bytes,
    lengths: Bytes,
    error: Bytes,
  ): number;
  clCreateProgramWithBinary(
    context: number,
    count: number,
    devices: Bytes,
    lengths: Bytes,
    binaries: Bytes,
    status: Bytes,
    error: Bytes,
  ): number;
  clBuildProgram(
    program: number,
    count: number,
    devices: Bytes,
    options: Bytes,
    notify: number,
    data: number,
  ): number;
  clReleaseProgram(program: number): number;
  clGetProgramInfo: InfoFunction;
  clGetProgramBuildInfo(
    program: number,
    device: number,
    name: number,
    size: number,
    value: Bytes,
    needed: Bytes,
  ): number;
  clCreateKernel(program: number, name: Bytes, error: Bytes): number;
  clReleaseKernel(kernel: number): number;
  clGetKernelInfo: InfoFunction;
  clGetKernelArgInfo(
    kernel: number,
    index: number,
    name: number,
    size: number,
    value: Bytes,
    needed: Bytes,
  ): number;
  clGetKernelWorkGroupInfo(
    kernel: number,
    device: number,
    name: number,
    size: number,
    value: Bytes,
    needed: Bytes,
  ): number;
  clSetKernelArg(kernel: number, index: number, size: number, value: Bytes): number;
  /** This and clGetEventInfo, of which there are many, take addresses: a typed array costs koffi 50 nanoseconds. */
  clEnqueueNDRangeKernel(
    queue: number,
    kernel: number,
    dimensions: number,
    offset: number,
    global: number,
    local: number,
    waitCount: number,
    waits: number,
    event: number,
  ): number;
  clEnqueueCopyBuffer(
    queue: number,
    source: number,
    target: number,
    sourceOffset: number,
    targetOffset: number,
    size: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueCopyBufferRect(
    queue: number,
    source: number,
    target: number,
    sourceOrigin: Bytes,
    targetOrigin: Bytes,
    region: Bytes,
    sourceRowPitch: number,
    sourceSlicePitch: number,
    targetRowPitch: number,
    targetSlicePitch: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueFillBuffer(
    queue: number,
    buffer: number,
    pattern: Bytes,
    patternSize: number,
    offset: number,
    size: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueReadBuffer(
    queue: number,
    buffer: number,
    blocking: number,
    offset: number,
    size: number,
    target: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueWriteBuffer(
    queue: number,
    buffer: number,
    blocking: number,
    offset: number,
    size: number,
    source: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueReadImage(
    queue: number,
    image: number,
    blocking: number,
    origin: Bytes,
    region: Bytes,
    rowPitch: number,
    slicePitch: number,
    target: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueWriteImage(
    queue: number,
    image: number,
    blocking: number,
    origin: Bytes,
    region: Bytes,
    rowPitch: number,
    slicePitch: number,
    source: number,
    waitCount: number,
    waits: Bytes,
    event: Bytes,
  ): number;
  clEnqueueMarkerWithWaitList(queue: number, waitCount: number, waits: Bytes, event: Bytes): number;
  clFlush(queue: number): number;
  clGetEventInfo(event: number, name: number, size: number, value: number, needed: number): number;
  clGetEventProfilingInfo: InfoFunction;
  clReleaseEvent(event: number): number;
}

// One letter a parameter: h handle or address, b bytes, s size_t, u cl_uint, l cl_ulong. The result is a cl_int, or
// a handle where the name begins with clCreate and is not one of `statusFunctions`.
export const driverSignatures: Readonly<Record<Exclude<keyof Driver, 'addressOf'>, string>> = {
  clGetPlatformIDs: 'ubb',
  clGetPlatformInfo: 'husbb',
  clGetDeviceIDs: 'hlubb',
  clGetDeviceInfo: 'husbb',
  clCreateSubDevices: 'hbubb',
  clReleaseDevice: 'h',
  clCreateContext: 'bubhhb',
  clReleaseContext: 'h',
  clCreateCommandQueue: 'hhlb',
  clReleaseCommandQueue: 'h',
  clCreateBuffer: 'hlshb',
  clCreateSubBuffer: 'hlubb',
  clCreateImage: 'hlbbhb',
  clReleaseMemObject: 'h',
  clGetSupportedImageFormats: 'hluubb',
  clCreateSampler: 'huuub',
  clReleaseSampler: 'h',
  clCreateProgramWithSource: 'hubbb',
  clCreateProgramWithBinary: 'hubbbbb',
  clBuildProgram: 'hubbhh',
  clReleaseProgram: 'h',
  clGetProgramInfo: 'husbb',
  clGetProgramBuildInfo: 'hhusbb',
  clCreateKernel: 'hbb',
  clReleaseKernel: 'h',
  clGetKernelInfo: 'husbb',
  clGetKernelArgInfo: 'huusbb',
  clGetKernelWorkGroupInfo: 'hhusbb',
  clSetKernelArg: 'husb',
  clEnqueueNDRangeKernel: 'hhuhhhuhh',
  clEnqueueCopyBuffer: 'hhhsssubb',
  clEnqueueCopyBufferRect: 'hhhbbbssssubb',
  clEnqueueFillBuffer: 'hhbsssubb',
  clEnqueueReadBuffer: 'hhusshubb',
  clEnqueueWriteBuffer: 'hhusshubb',
  clEnqueueReadImage: 'hhubbsshubb',
  clEnqueueWriteImage: 'hhubbsshubb',
  clEnqueueMarkerWithWaitList: 'hubb',
  clFlush: 'h',
  clGetEventInfo: 'hushh',
  clGetEventProfilingInfo: 'husbb',
  clReleaseEvent: 'h',
};

/** They make several objects, so they answer with a cl_int. */
const statusFunctions: ReadonlySet<string> = new Set(['clCreateSubDevices']);

const types: Readonly<Record<string, string>> = {
  h: 'uintptr_t',
  b: 'void *',
  s: 'size_t',
  u: 'uint32_t',
  l: 'uint64_t',
};

/** Where the loader is, by operating system; the first that can be opened is used. */
const loaders: Readonly<Record<string, readonly string[]>> = {
  linux: ['libOpenCL.so.1', 'libOpenCL.so'],
  freebsd: ['libOpenCL.so.1', 'libOpenCL.so'],
  android: ['libOpenCL.so'],
  win32: ['OpenCL.dll'],
  darwin: ['/System/Library/Frameworks/OpenCL.framework/OpenCL'],
};

/** What is used of the package that calls functions of C. */
export interface Koffi {
  load(path: string): { func(name: string, result: string, parameters: readonly string[]): unknown };
  address(bytes: Bytes): bigint;
  sizeof(type: string): number;
  proto(result: string, parameters: readonly string[]): object;
  pointer(type: object): object;
  /** The address of a function of the type that calls this one, on the thread that it was made on. */
  register(callback: (...values: number[]) => number, type: object): bigint;
  /** Calls what is at an address. */
  call(address: number | bigint, type: object, ...values: unknown[]): unknown;
  /** What is at an address: of the type of a function, what calls it. */
  decode(address: number | bigint, type: object): unknown;
}

let loaded: Driver | string | undefined;

/** The loader's functions, opened at the first call of each thread; or, in words, why there are none. */
export function loadDriver(): Driver | string {
  loaded ??= open();
  return loaded;
}

function open(): Driver | string {
  let koffi: Koffi | undefined;
  try {
    koffi = optionalModule('koffi') as Koffi | undefined;
  } catch (error) {
    return `OpenCL drivers need the package 'koffi', which cannot be loaded: ${firstLine(error)}`;
  }
  if (!koffi) return 'OpenCL drivers cannot be called from here';
  if (koffi.sizeof('void *') !== 8) return 'OpenCL drivers are called on 64-bit systems only';
  const names = loaders[operatingSystem() ?? ''];
  if (!names) return `where OpenCL's loader is on ${operatingSystem()} is not known`;
  let failure = '';
  for (const name of names) {
    try {
      return bind(koffi, koffi.load(name));
    } catch (error) {
      failure ||= firstLine(error);
    }
  }
  return `there is no OpenCL loader (${names.join(', ')}): ${failure}`;
}

function bind(koffi: Koffi, library: ReturnType<Koffi['load']>): Driver {
  const functions: Record<string, unknown> = {
    addressOf: (bytes: Bytes) => Number(koffi.address(bytes)),
  };
  for (const [name, signature] of Object.entries(driverSignatures)) {
    const result = name.startsWith('clCreate') && !statusFunctions.has(name) ? 'uintptr_t' : 'int32_t';
    functions[name] = library.func(
      name,
      result,
      [...signature].map((letter) => types[letter]!),
    );
  }
  return functions as unknown as Driver;
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!;
}
