/** A kernel's arguments as the host sets them (OpenCL 1.2, 5.7.2). */
import type { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { KernelArgument, MemoryRange } from '../../runtime/command.ts';
import type { KernelParameter } from '../../runtime/device.ts';
import { bytesOf } from '../../runtime/device-memory.ts';
import { encodeValue, type HostValue, ValueError } from '../../runtime/host-values.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { counted } from '../../source/counted.ts';
import { shown } from '../../source/shown.ts';
import { CLBuffer } from './buffer.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { CLDeviceQueue } from './device-queue.ts';
import { Handle, shownBits } from './handle.ts';
import { CLImage } from './image.ts';
import { CLMemory } from './memory.ts';
import { CLPipe } from './pipe.ts';
import { CLSampler } from './sampler.ts';
import { addressOf, CLSVMBuffer, contextCapabilities, placeOf, type SVMPointer } from './svm.ts';

const imageTypes = {
  image1d_t: CL.MEM_OBJECT_IMAGE1D,
  image1d_array_t: CL.MEM_OBJECT_IMAGE1D_ARRAY,
  image1d_buffer_t: CL.MEM_OBJECT_IMAGE1D_BUFFER,
  image2d_t: CL.MEM_OBJECT_IMAGE2D,
  image2d_array_t: CL.MEM_OBJECT_IMAGE2D_ARRAY,
  image3d_t: CL.MEM_OBJECT_IMAGE3D,
  image2d_depth_t: CL.MEM_OBJECT_IMAGE2D,
  image2d_array_depth_t: CL.MEM_OBJECT_IMAGE2D_ARRAY,
} as const;

/** What an argument can be set to. */
export type ArgumentValue =
  | CLBuffer
  | CLSVMBuffer
  | CLImage
  | CLPipe
  | CLSampler
  | CLDeviceQueue
  | HostValue
  | null;

/** Argument values as set, with the memory that they use. */
export interface BoundArguments {
  readonly values: readonly KernelArgument[];
  readonly uses: readonly RuntimeBuffer[];
}

export class KernelArguments {
  readonly #context: CLContext;
  readonly #kernelName: string;
  readonly #parameters: readonly KernelParameter[];
  readonly #values: (KernelArgument | undefined)[];
  /** The memory objects and samplers among the values. */
  readonly #objects: (CLMemory | CLSampler | undefined)[];
  /** The addresses among the values that are pointers to shared memory. */
  readonly #addresses = new Map<number, number>();
  /** Addresses of other shared memory that the kernel may use (CL_KERNEL_EXEC_INFO_SVM_PTRS). */
  #reached: readonly number[] = [];

  constructor(context: CLContext, kernelName: string, parameters: readonly KernelParameter[]) {
    this.#context = context;
    this.#kernelName = kernelName;
    this.#parameters = parameters;
    this.#values = new Array<undefined>(parameters.length).fill(undefined);
    this.#objects = new Array<undefined>(parameters.length).fill(undefined);
  }

  /** The same values for another kernel of the same parameters. */
  copy(): KernelArguments {
    const copy = new KernelArguments(this.#context, this.#kernelName, this.#parameters);
    for (const index of this.#parameters.keys()) {
      copy.#values[index] = this.#values[index];
      copy.#objects[index] = this.#objects[index];
    }
    for (const [index, address] of this.#addresses) copy.#addresses.set(index, address);
    copy.#reached = this.#reached;
    return copy;
  }

  /** Bytes of local memory among the arguments. */
  get localBytes(): number {
    return this.#values.reduce((bytes, value) => bytes + (value?.kind === 'local' ? value.bytes : 0), 0);
  }

  /** See CLKernel.setArg. */
  set(index: number, ...value: [ArgumentValue] | [number, ArgumentValue]): void {
    const parameter = this.#parameter(index);
    if (value.length === 2) this.#setSized(index, parameter, value[0], value[1]);
    else this.#set(index, parameter, value[0]);
  }

  /** See CLKernel.setArgSVMPointer. */
  setSVMPointer(index: number, pointer: SVMPointer | null): void {
    const { kind } = this.#parameter(index);
    if (kind !== 'global' && kind !== 'constant') {
      this.#fail('CL_INVALID_ARG_VALUE', index, 'it is no pointer to global or constant memory');
    }
    if (pointer === null) {
      this.#setBuffer(index, null);
      return;
    }
    const address = addressOf(this.#context, pointer, 'CL_INVALID_ARG_VALUE');
    this.#values[index] = { kind: 'memory', range: this.#rangeAt(address) };
    this.#objects[index] = undefined;
    this.#addresses.set(index, address);
  }

  /** See CLKernel.setExecInfo. */
  reach(pointers: readonly SVMPointer[]): void {
    this.#reached = pointers.map((pointer) => {
      const address = addressOf(this.#context, pointer, 'CL_INVALID_VALUE');
      if (!this.#sharesAll) placeOf(this.#context, address, 0);
      return address;
    });
  }

  /** The arguments as they are now. @throws OpenCLError CL_INVALID_KERNEL_ARGS if one has not been set */
  bound(): BoundArguments {
    const missing = this.#values.indexOf(undefined);
    if (missing >= 0) {
      throw new OpenCLError('CL_INVALID_KERNEL_ARGS', `${this.#describe(missing)} has not been set`);
    }
    const uses: RuntimeBuffer[] = [];
    for (const object of this.#objects) {
      object?.check();
      if (object instanceof CLMemory) uses.push(...object.uses);
    }
    const values = this.#values.slice() as KernelArgument[];
    const { svm } = this.#context.runtime;
    for (const [index, address] of this.#addresses) {
      // Other memory may be there than when the argument was set.
      values[index] = { kind: 'memory', range: this.#rangeAt(address, index) };
    }
    for (const address of [...this.#addresses.values(), ...this.#reached]) {
      const buffer = svm.find(address);
      if (buffer) uses.push(buffer);
    }
    return { values, uses };
  }

  #parameter(index: number): KernelParameter {
    const parameter = this.#parameters[index];
    if (Number.isInteger(index) && parameter) return parameter;
    throw new OpenCLError(
      'CL_INVALID_ARG_INDEX',
      `kernel '${this.#kernelName}' has ${counted(this.#parameters.length, 'argument')}; there is no argument ${shown(index)}`,
    );
  }

  /** Whether kernels may use all memory of the host: then nobody can say which pointers lead nowhere. */
  get #sharesAll(): boolean {
    return (contextCapabilities(this.#context) & CL.DEVICE_SVM_FINE_GRAIN_SYSTEM) !== 0;
  }

  /**
   * The memory that an address leads to.
   * @throws OpenCLError CL_INVALID_ARG_VALUE if it is not shared, or CL_INVALID_KERNEL_ARGS if argument `index` was set to it
   */
  #rangeAt(address: number, index?: number): MemoryRange {
    const found = this.#context.runtime.svm.find(address);
    if (found) return { memory: found, offset: address - found.address };
    if (this.#sharesAll) return { memory: { address, size: 0 }, offset: 0 };
    const why = `there is no shared memory at ${shownBits(address)}`;
    if (index === undefined) throw new OpenCLError('CL_INVALID_ARG_VALUE', why);
    return this.#fail('CL_INVALID_KERNEL_ARGS', index, why);
  }

  #describe(index: number): string {
    const info = this.#parameters[index]?.info;
    const said = info ? ` '${info.typeName} ${info.name}'` : '';
    return `argument ${index}${said} of kernel '${this.#kernelName}'`;
  }

  #fail(error: StatusName, index: number, why: string): never {
    throw new OpenCLError(error, `${this.#describe(index)}: ${why}`);
  }

  #setSized(index: number, parameter: KernelParameter, size: number, value: ArgumentValue): void {
    if (parameter.kind === 'local') {
      if (value !== null) this.#fail('CL_INVALID_ARG_VALUE', index, 'local memory has no value: pass null');
      this.#setLocal(index, size);
      return;
    }
    if (value === null && (parameter.kind === 'value' || parameter.kind === 'aggregate')) {
      this.#fail('CL_INVALID_ARG_VALUE', index, 'a by-value argument needs a value');
    }
    if (size !== parameter.size && parameter.size !== 0) {
      this.#fail('CL_INVALID_ARG_SIZE', index, `it takes ${parameter.size} bytes, not ${shown(size)}`);
    }
    this.#set(index, parameter, value);
  }

  #set(index: number, parameter: KernelParameter, value: ArgumentValue): void {
    if (value instanceof CLSVMBuffer) {
      this.setSVMPointer(index, value);
      return;
    }
    switch (parameter.kind) {
      case 'local':
        if (!ArrayBuffer.isView(value) || value.byteLength !== 4) {
          this.#fail(
            'CL_INVALID_ARG_VALUE',
            index,
            'for a local pointer give its size: new Uint32Array([bytes])',
          );
        } else {
          const bytes = bytesOf(value).slice();
          this.#setLocal(index, new Uint32Array(bytes.buffer)[0]!);
        }
        return;
      case 'global':
      case 'constant':
        this.#setBuffer(index, value);
        return;
      case 'image':
        this.#setImage(index, parameter, value);
        return;
      case 'sampler':
        this.#setSampler(index, value);
        return;
      case 'pipe':
        this.#setPipe(index, parameter, value);
        return;
      case 'queue':
        this.#setQueue(index, value);
        return;
      default:
        this.#setValue(index, parameter, value);
    }
  }

  #setLocal(index: number, bytes: number): void {
    if (!Number.isInteger(bytes) || bytes <= 0) {
      this.#fail('CL_INVALID_ARG_SIZE', index, `local memory of ${shown(bytes)} bytes`);
    }
    this.#values[index] = { kind: 'local', bytes };
  }

  #setBuffer(index: number, value: ArgumentValue): void {
    if (value === null) {
      this.#values[index] = { kind: 'memory', range: undefined };
      this.#objects[index] = undefined;
      this.#addresses.delete(index);
      return;
    }
    if (!(value instanceof CLBuffer))
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'a pointer takes a buffer or null');
    if (value.context !== this.#context) {
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'the buffer belongs to another context');
    }
    this.#values[index] = { kind: 'memory', range: { memory: value.runtime, offset: 0 } };
    this.#objects[index] = value;
    this.#addresses.delete(index);
  }

  /** @throws OpenCLError as OpenCL 1.2, 5.7.2 says; a kind of image that the parameter does not take is CL_INVALID_ARG_VALUE */
  #setImage(index: number, parameter: KernelParameter, value: ArgumentValue): void {
    if (!(value instanceof CLImage)) this.#fail('CL_INVALID_MEM_OBJECT', index, 'it takes an image');
    value.check();
    if (value.context !== this.#context) {
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'the image belongs to another context');
    }
    const { handle } = parameter.info ?? {};
    if (handle?.kind === 'image') {
      const { type, access } = handle;
      const { channelOrder } = value.format;
      const isDepth = channelOrder === CL.DEPTH || channelOrder === CL.DEPTH_STENCIL;
      if (imageTypes[type] !== value.type || type.includes('depth') !== isDepth) {
        this.#fail('CL_INVALID_ARG_VALUE', index, `the image is not of the kind that ${type} takes`);
      }
      const mayRead = !(value.flags & CL.MEM_WRITE_ONLY);
      const mayWrite = !(value.flags & CL.MEM_READ_ONLY);
      if ((access !== 'write_only' && !mayRead) || (access !== 'read_only' && !mayWrite)) {
        const way = mayRead ? 'READ_ONLY' : 'WRITE_ONLY';
        this.#fail('CL_INVALID_ARG_VALUE', index, `it is ${access}, and the image was created ${way}`);
      }
    }
    this.#values[index] = value.image.argument;
    this.#objects[index] = value;
  }

  #setSampler(index: number, value: ArgumentValue): void {
    if (!(value instanceof CLSampler)) this.#fail('CL_INVALID_SAMPLER', index, 'it takes a sampler');
    value.check();
    if (value.context !== this.#context) {
      this.#fail('CL_INVALID_SAMPLER', index, 'the sampler belongs to another context');
    }
    this.#values[index] = { kind: 'sampler', bits: value.bits };
    this.#objects[index] = value;
  }

  /** A kernel copies whole packets of its own type, so a pipe of others is CL_INVALID_ARG_VALUE. */
  #setPipe(index: number, parameter: KernelParameter, value: ArgumentValue): void {
    if (!(value instanceof CLPipe)) this.#fail('CL_INVALID_MEM_OBJECT', index, 'it takes a pipe');
    value.check();
    if (value.context !== this.#context) {
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'the pipe belongs to another context');
    }
    const { handle } = parameter.info ?? {};
    const { packetBytes } = value.shape;
    if (handle?.kind === 'pipe' && handle.packetBytes !== packetBytes) {
      this.#fail(
        'CL_INVALID_ARG_VALUE',
        index,
        `its packets have ${handle.packetBytes} bytes, those of the pipe ${packetBytes}`,
      );
    }
    this.#values[index] = { kind: 'memory', range: { memory: value.runtime, offset: 0 } };
    this.#objects[index] = value;
  }

  #setQueue(index: number, value: ArgumentValue): void {
    if (!(value instanceof CLDeviceQueue))
      this.#fail('CL_INVALID_DEVICE_QUEUE', index, 'it takes a queue of the device');
    value.check('CL_INVALID_DEVICE_QUEUE');
    if (value.context !== this.#context) {
      this.#fail('CL_INVALID_DEVICE_QUEUE', index, 'the queue belongs to another context');
    }
    this.#values[index] = { kind: 'value', bytes: new Uint8Array(Uint32Array.of(value.number).buffer) };
  }

  #setValue(index: number, parameter: KernelParameter, value: ArgumentValue): void {
    const { size, info } = parameter;
    if (value === null || value === undefined || value instanceof Handle) {
      this.#fail('CL_INVALID_ARG_VALUE', index, 'it is no pointer, so it takes a value');
    }
    if (ArrayBuffer.isView(value)) {
      if (value.byteLength !== size && size !== 0) {
        this.#fail('CL_INVALID_ARG_SIZE', index, `it takes ${size} bytes, not ${value.byteLength}`);
      }
      this.#values[index] = { kind: 'value', bytes: bytesOf(value).slice() };
      return;
    }
    if (!info?.layout) {
      this.#fail('CL_INVALID_ARG_VALUE', index, `give a typed array of ${size || 'its'} bytes`);
    }
    try {
      this.#values[index] = { kind: 'value', bytes: encodeValue(info.layout, value as HostValue) };
    } catch (error) {
      if (error instanceof ValueError) this.#fail('CL_INVALID_ARG_VALUE', index, error.message);
      throw error;
    }
  }
}
