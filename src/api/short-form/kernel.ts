/** A kernel as a function: its arguments from JavaScript values, its launch, its results back. */
import type { HostLayout } from '../../ir/ir.ts';
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { KernelArgument as RuntimeArgument } from '../../runtime/command.ts';
import type { DeviceKernel, KernelParameter as RuntimeParameter } from '../../runtime/device.ts';
import { eventTime, type RuntimeEvent } from '../../runtime/event.ts';
import { planLaunch } from '../../runtime/launch.ts';
import type { PrintFunction } from '../../runtime/printing.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { readBuffer } from '../../runtime/transfer.ts';
import { encodeValue, type HostValue, ValueError } from '../host-values.ts';
import { DeviceBuffer } from './device-buffer.ts';

/** How many work-items to run: in each dimension, one to three of them. */
export interface LaunchRange {
  readonly global: readonly number[];
  /** Work-items in a work-group, dividing `global`; chosen if left out. */
  readonly local?: readonly number[] | undefined;
  /** Added to the global ids. */
  readonly offset?: readonly number[] | undefined;
}

/** When a launch was queued, handed to the device, started and ended: nanoseconds on a clock of the process. */
export interface LaunchTimes {
  readonly queued: bigint;
  readonly submitted: bigint;
  readonly started: bigint;
  readonly ended: bigint;
}

/** Work-group-local memory for a `__local` pointer; see {@link local}. */
export class LocalMemory {
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

/** So many bytes of local memory for each work-group, as the argument for a `__local` pointer. */
export function local(bytes: number): LocalMemory {
  if (!Number.isInteger(bytes) || bytes <= 0) {
    throw new OpenCLError('CL_INVALID_ARG_SIZE', `local memory of ${bytes} bytes`);
  }
  return new LocalMemory(bytes);
}

/**
 * What a kernel can be called with. For a global or constant pointer: a typed array (copied in, and copied back after
 * the run unless what it points to is const), a buffer, or null. For a local pointer: `local(bytes)`. For a value: a
 * number, bigint or boolean, an array for a vector, an object for a struct, or a typed array of its bytes.
 */
export type KernelArgument = HostValue | DeviceBuffer | LocalMemory | null;

/** A parameter as the source declares it. */
export interface KernelParameter {
  readonly name: string;
  /** `float4*`, `uint`. */
  readonly typeName: string;
  readonly kind: RuntimeParameter['kind'];
  /** Whether what a pointer points to is const. */
  readonly isConst: boolean;
  /** Bytes of a value; 0 if only the device's compiler knows. */
  readonly size: number;
  readonly layout: HostLayout | undefined;
  /** The layout of what a pointer points to. */
  readonly pointee: HostLayout | undefined;
}

/**
 * Enqueues a launch at once and resolves with its times when it has run and its results are back in their arrays. Calls
 * run in the order in which they are made, awaited or not.
 */
export interface Kernel {
  (range: LaunchRange, ...args: readonly KernelArgument[]): Promise<LaunchTimes>;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly requiredWorkGroupSize: readonly [number, number, number] | undefined;
}

const commandLaunch = 0x11f0;
const commandRead = 0x11f3;

/** `check` throws if the program has been released. */
export function createKernel(
  queue: CommandQueue,
  kernel: DeviceKernel,
  check: () => void,
  print?: PrintFunction | undefined,
): Kernel {
  const parameters = kernel.parameters.map(describe);
  const call = async (range: LaunchRange, ...args: readonly KernelArgument[]): Promise<LaunchTimes> => {
    check();
    return launch(queue, kernel, parameters, print, range, args);
  };
  Object.defineProperty(call, 'name', { value: kernel.name });
  return Object.assign(call, {
    parameters,
    requiredWorkGroupSize: kernel.attributes?.requiredWorkGroupSize,
  }) as Kernel;
}

function describe(parameter: RuntimeParameter, index: number): KernelParameter {
  const { info, kind, size } = parameter;
  return {
    name: info?.name ?? `argument ${index}`,
    typeName: info?.typeName ?? '',
    kind,
    isConst: kind === 'constant' || (info?.typeQualifiers.includes('const') ?? false),
    size,
    layout: info?.layout,
    pointee: info?.pointee,
  };
}

/** A typed array that was copied in. */
interface Copied {
  readonly array: ArrayBufferView;
  readonly buffer: RuntimeBuffer;
  readonly comesBack: boolean;
}

async function launch(
  queue: CommandQueue,
  kernel: DeviceKernel,
  parameters: readonly KernelParameter[],
  print: PrintFunction | undefined,
  range: LaunchRange,
  args: readonly KernelArgument[],
): Promise<LaunchTimes> {
  if (args.length !== parameters.length) {
    const names = parameters.map((parameter) => parameter.name).join(', ');
    throw new OpenCLError(
      'CL_INVALID_KERNEL_ARGS',
      `kernel '${kernel.name}' takes ${parameters.length} arguments (${names || 'none'}); ${args.length} were given`,
    );
  }
  const copied: Copied[] = [];
  const events: RuntimeEvent[] = [];
  let launched: RuntimeEvent;
  try {
    const uses: RuntimeBuffer[] = [];
    const values = parameters.map((parameter, index) =>
      argumentValue(queue, kernel, parameter, args[index]!, copied, uses),
    );
    const body = planLaunch(kernel, queue.device.info, values, {
      dimensions: range.global.length,
      offset: range.offset,
      global: range.global,
      local: range.local ?? kernel.attributes?.requiredWorkGroupSize?.slice(0, range.global.length),
    });
    launched = queue.enqueue(commandLaunch, { ...body, print }, [], uses);
    events.push(launched);
    for (const { array, buffer, comesBack } of copied) {
      if (!comesBack) continue;
      events.push(
        readBuffer(queue, buffer, 0, array, { type: commandRead, blocking: false, waits: [launched] }),
      );
    }
  } finally {
    // Commands under way keep the bytes.
    for (const { buffer } of copied) buffer.release();
  }
  try {
    const ends = await Promise.allSettled(events.map((event) => event.done));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return {
      queued: launched.time(eventTime.queued),
      submitted: launched.time(eventTime.submitted),
      started: launched.time(eventTime.started),
      ended: launched.time(eventTime.ended),
    };
  } finally {
    for (const event of events) event.release();
  }
}

function argumentValue(
  queue: CommandQueue,
  kernel: DeviceKernel,
  parameter: KernelParameter,
  value: KernelArgument,
  copied: Copied[],
  uses: RuntimeBuffer[],
): RuntimeArgument {
  const fail = (error: StatusName, why: string): never => {
    const type = parameter.typeName === '' ? '' : `${parameter.typeName} `;
    throw new OpenCLError(error, `argument '${type}${parameter.name}' of kernel '${kernel.name}': ${why}`);
  };
  if (parameter.kind === 'local') {
    if (!(value instanceof LocalMemory))
      return fail('CL_INVALID_ARG_VALUE', 'give local(bytes) for a local pointer');
    return { kind: 'local', bytes: value.bytes };
  }
  if (value instanceof LocalMemory) return fail('CL_INVALID_ARG_VALUE', 'it is not a local pointer');
  if (parameter.kind === 'global' || parameter.kind === 'constant') {
    if (value === null) return { kind: 'memory', range: undefined };
    let memory: RuntimeBuffer;
    if (value instanceof DeviceBuffer) {
      memory = value.memoryFor(queue);
    } else if (ArrayBuffer.isView(value)) {
      if (value.byteLength === 0) return { kind: 'memory', range: undefined };
      // The same array for two parameters is the same memory.
      const known = copied.find(({ array }) => array === value);
      memory = known?.buffer ?? copyIn(queue, value);
      const comesBack =
        !parameter.isConst && !copied.some((other) => other.array === value && other.comesBack);
      copied.push({ array: value, buffer: memory, comesBack });
    } else {
      return fail('CL_INVALID_ARG_VALUE', 'a pointer takes a typed array, a buffer or null');
    }
    uses.push(memory);
    return { kind: 'memory', range: { memory, offset: 0 } };
  }
  if (value === null || value instanceof DeviceBuffer) {
    return fail('CL_INVALID_ARG_VALUE', 'it is no pointer, so it takes a value');
  }
  if (!parameter.layout) {
    const { size } = parameter;
    if (!ArrayBuffer.isView(value) || (value.byteLength !== size && size !== 0)) {
      return fail('CL_INVALID_ARG_SIZE', `it takes a typed array of ${size || 'its'} bytes`);
    }
    return { kind: 'value', bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice() };
  }
  try {
    return { kind: 'value', bytes: encodeValue(parameter.layout, value) };
  } catch (error) {
    if (error instanceof ValueError) return fail('CL_INVALID_ARG_VALUE', error.message);
    throw error;
  }
}

function copyIn(queue: CommandQueue, array: ArrayBufferView): RuntimeBuffer {
  const buffer = RuntimeBuffer.create(queue.context, array.byteLength);
  // Fresh memory: nothing under way can use it, so the host copies at once.
  buffer.view(0, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return buffer;
}
