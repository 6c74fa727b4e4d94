/** Kernels and their arguments (OpenCL 1.2, 5.7). */
import type { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { KernelArgument } from '../../runtime/command.ts';
import type { DeviceKernel, KernelParameter } from '../../runtime/device.ts';
import { bytesOf } from '../../runtime/device-memory.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { encodeValue, type HostValue, ValueError } from '../host-values.ts';
import { CLBuffer } from './buffer.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, invalidQuery } from './handle.ts';
import { CLImage } from './image.ts';
import { CLMemory } from './memory.ts';
import type { CLDevice } from './platform.ts';
import type { CLProgram } from './program.ts';
import { CLSampler } from './sampler.ts';

/** What clGetKernelArgInfo tells, in WebCL's words; numbers as in C come from CLKernel.getArgInfo with a name. */
export interface CLKernelArgInfo {
  readonly name: string;
  readonly typeName: string;
  readonly addressQualifier: 'global' | 'local' | 'constant' | 'private';
  readonly accessQualifier: 'read_only' | 'write_only' | 'read_write' | 'none';
  readonly typeQualifiers: readonly string[];
}

const addressNumbers = {
  global: CL.KERNEL_ARG_ADDRESS_GLOBAL,
  local: CL.KERNEL_ARG_ADDRESS_LOCAL,
  constant: CL.KERNEL_ARG_ADDRESS_CONSTANT,
  private: CL.KERNEL_ARG_ADDRESS_PRIVATE,
} as const;
const accessNumbers = {
  read_only: CL.KERNEL_ARG_ACCESS_READ_ONLY,
  write_only: CL.KERNEL_ARG_ACCESS_WRITE_ONLY,
  read_write: CL.KERNEL_ARG_ACCESS_READ_WRITE,
  none: CL.KERNEL_ARG_ACCESS_NONE,
} as const;
const imageTypes = {
  image1d_t: CL.MEM_OBJECT_IMAGE1D,
  image1d_array_t: CL.MEM_OBJECT_IMAGE1D_ARRAY,
  image1d_buffer_t: CL.MEM_OBJECT_IMAGE1D_BUFFER,
  image2d_t: CL.MEM_OBJECT_IMAGE2D,
  image2d_array_t: CL.MEM_OBJECT_IMAGE2D_ARRAY,
  image3d_t: CL.MEM_OBJECT_IMAGE3D,
} as const;
const qualifierBits = {
  const: CL.KERNEL_ARG_TYPE_CONST,
  restrict: CL.KERNEL_ARG_TYPE_RESTRICT,
  volatile: CL.KERNEL_ARG_TYPE_VOLATILE,
  pipe: CL.KERNEL_ARG_TYPE_PIPE,
} as const;

/** What an argument can be set to. */
export type ArgumentValue = CLBuffer | CLImage | CLSampler | HostValue | null;

/** Work-items in each dimension that kernels can count. */
const largestGlobal: readonly number[] = [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1];

/** Argument values as set, with the memory that they use. */
export interface BoundArguments {
  readonly values: readonly KernelArgument[];
  readonly uses: readonly RuntimeBuffer[];
}

export class CLKernel extends Handle {
  protected readonly kind = { error: 'CL_INVALID_KERNEL', noun: 'kernel' } as const;
  readonly program: CLProgram;
  readonly name: string;
  readonly #parameters: readonly KernelParameter[];
  readonly #attributes: string;
  readonly #values: (KernelArgument | undefined)[];
  /** The memory objects and samplers among the values. */
  readonly #objects: (CLMemory | CLSampler | undefined)[];

  /** Kernels come from CLProgram.createKernel. */
  constructor(program: CLProgram, name: string) {
    super();
    this.program = program;
    this.name = name;
    const any = this.#any();
    this.#parameters = any.parameters;
    this.#attributes = attributeText(any);
    this.#values = new Array<undefined>(this.#parameters.length).fill(undefined);
    this.#objects = new Array<undefined>(this.#parameters.length).fill(undefined);
    program.attach();
  }

  get context(): CLContext {
    return this.program.context;
  }

  /**
   * clSetKernelArg, in three manners: `setArg(i, value)` with a buffer, an image, a sampler, null, or the value's bytes as a typed array
   * (numbers, arrays for vectors and objects for structs are accepted too); for a local pointer its size as
   * `setArg(i, new Uint32Array([bytes]))` as in WebCL; or `setArg(i, size, value)` as in C, where `setArg(i, bytes, null)`
   * is local memory.
   * @throws OpenCLError CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER,
   *   CL_INVALID_ARG_SIZE
   */
  setArg(index: number, ...value: [ArgumentValue] | [number, ArgumentValue]): void {
    this.check();
    const parameter = this.#parameters[index];
    if (!Number.isInteger(index) || !parameter) {
      throw new OpenCLError(
        'CL_INVALID_ARG_INDEX',
        `kernel '${this.name}' has ${this.#parameters.length} arguments; there is no argument ${index}`,
      );
    }
    if (value.length === 2) this.#setSized(index, parameter, value[0], value[1]);
    else this.#set(index, parameter, value[0]);
  }

  /** The arguments as they are now. @throws OpenCLError CL_INVALID_KERNEL_ARGS if one has not been set */
  bound(): BoundArguments {
    const missing = this.#values.indexOf(undefined);
    if (missing >= 0) {
      throw new OpenCLError(
        'CL_INVALID_KERNEL_ARGS',
        `${this.#describe(missing)} of ${this.#values.length} has not been set`,
      );
    }
    const uses: RuntimeBuffer[] = [];
    for (const object of this.#objects) {
      object?.check();
      if (object instanceof CLMemory) uses.push(...object.uses);
    }
    return { values: this.#values.slice() as KernelArgument[], uses };
  }

  /** The kernel as built for a device. @throws OpenCLError CL_INVALID_PROGRAM_EXECUTABLE */
  builtFor(device: CLDevice): DeviceKernel {
    const kernel = this.program.builtFor(device)?.kernels.find((candidate) => candidate.name === this.name);
    if (!kernel) {
      throw new OpenCLError(
        'CL_INVALID_PROGRAM_EXECUTABLE',
        'the program is not built for the device of this queue',
      );
    }
    return kernel;
  }

  /** clGetKernelInfo. */
  getInfo(name: number): number | string | CLContext | CLProgram {
    this.check();
    switch (name) {
      case CL.KERNEL_FUNCTION_NAME:
        return this.name;
      case CL.KERNEL_NUM_ARGS:
        return this.#parameters.length;
      case CL.KERNEL_REFERENCE_COUNT:
        return this.references;
      case CL.KERNEL_CONTEXT:
        return this.context;
      case CL.KERNEL_PROGRAM:
        return this.program;
      case CL.KERNEL_ATTRIBUTES:
        return this.#attributes;
      default:
        return invalidQuery(name);
    }
  }

  /** clGetKernelArgInfo: everything in words, or with a name KERNEL_ARG_* one thing as in C. */
  getArgInfo(index: number): CLKernelArgInfo;
  getArgInfo(index: number, name: number): number | string;
  getArgInfo(index: number, name?: number): CLKernelArgInfo | number | string {
    this.check();
    const parameter = this.#parameters[index];
    if (!Number.isInteger(index) || !parameter) {
      throw new OpenCLError('CL_INVALID_ARG_INDEX', `kernel '${this.name}' has no argument ${index}`);
    }
    const { info, kind } = parameter;
    if (!info || !this.program.documents(this.name)) {
      throw new OpenCLError(
        'CL_KERNEL_ARG_INFO_NOT_AVAILABLE',
        `kernel '${this.name}' was not built from a source with -cl-kernel-arg-info`,
      );
    }
    const addressQualifier = addressQualifierOf(kind);
    const accessQualifier = info.accessQualifier ?? 'none';
    switch (name) {
      case undefined:
        return {
          name: info.name,
          typeName: info.typeName,
          addressQualifier,
          accessQualifier,
          typeQualifiers: info.typeQualifiers,
        };
      case CL.KERNEL_ARG_ADDRESS_QUALIFIER:
        return addressNumbers[addressQualifier];
      case CL.KERNEL_ARG_ACCESS_QUALIFIER:
        return accessNumbers[accessQualifier];
      case CL.KERNEL_ARG_TYPE_NAME:
        return info.typeName;
      case CL.KERNEL_ARG_TYPE_QUALIFIER:
        return info.typeQualifiers.reduce((bits, qualifier) => bits | qualifierBits[qualifier], 0);
      case CL.KERNEL_ARG_NAME:
        return info.name;
      default:
        return invalidQuery(name);
    }
  }

  /** clGetKernelWorkGroupInfo. The device may be left out when the program has one. */
  getWorkGroupInfo(device: CLDevice | null | undefined, name: number): number | readonly number[] {
    this.check();
    const { devices } = this.context;
    if (!device && devices.length > 1) {
      throw new OpenCLError('CL_INVALID_DEVICE', 'the program has several devices: say which one');
    }
    const used = device ?? devices[0]!;
    if (!devices.includes(used))
      throw new OpenCLError('CL_INVALID_DEVICE', 'the device is not one of the program');
    const kernel = this.builtFor(used);
    switch (name) {
      case CL.KERNEL_WORK_GROUP_SIZE:
        return kernel.maxWorkGroupSize;
      case CL.KERNEL_COMPILE_WORK_GROUP_SIZE:
        return kernel.attributes?.requiredWorkGroupSize ?? [0, 0, 0];
      case CL.KERNEL_LOCAL_MEM_SIZE:
        return this.#values.reduce(
          (bytes, value) => bytes + (value?.kind === 'local' ? value.bytes : 0),
          kernel.localBytes,
        );
      case CL.KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return kernel.preferredWorkGroupMultiple;
      case CL.KERNEL_PRIVATE_MEM_SIZE:
        return kernel.privateBytes;
      case CL.KERNEL_GLOBAL_WORK_SIZE:
        if (this.program.isBuiltIn || used.runtime.info.type === 'custom') return largestGlobal;
        throw new OpenCLError(
          'CL_INVALID_VALUE',
          'KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels',
        );
      default:
        return invalidQuery(name);
    }
  }

  protected destroy(): void {
    this.program.detach();
  }

  #any(): DeviceKernel {
    for (const device of this.context.devices) {
      const kernel = this.program.builtFor(device)?.kernels.find((candidate) => candidate.name === this.name);
      if (kernel) return kernel;
    }
    throw new OpenCLError('CL_INVALID_PROGRAM_EXECUTABLE', 'the program has not been built');
  }

  #describe(index: number): string {
    const info = this.#parameters[index]?.info;
    const said = info ? ` '${info.typeName} ${info.name}'` : '';
    return `argument ${index}${said} of kernel '${this.name}'`;
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
      this.#fail('CL_INVALID_ARG_SIZE', index, `it takes ${parameter.size} bytes, not ${size}`);
    }
    this.#set(index, parameter, value);
  }

  #set(index: number, parameter: KernelParameter, value: ArgumentValue): void {
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
      default:
        this.#setValue(index, parameter, value);
    }
  }

  #setLocal(index: number, bytes: number): void {
    if (!Number.isInteger(bytes) || bytes <= 0) {
      this.#fail('CL_INVALID_ARG_SIZE', index, `local memory of ${bytes} bytes`);
    }
    this.#values[index] = { kind: 'local', bytes };
  }

  #setBuffer(index: number, value: ArgumentValue): void {
    if (value === null) {
      this.#values[index] = { kind: 'memory', range: undefined };
      this.#objects[index] = undefined;
      return;
    }
    if (!(value instanceof CLBuffer))
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'a pointer takes a buffer or null');
    if (value.context !== this.context) {
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'the buffer belongs to another context');
    }
    this.#values[index] = { kind: 'memory', range: { memory: value.runtime, offset: 0 } };
    this.#objects[index] = value;
  }

  /** @throws OpenCLError as OpenCL 1.2, 5.7.2 says; a kind of image that the parameter does not take is CL_INVALID_ARG_VALUE */
  #setImage(index: number, parameter: KernelParameter, value: ArgumentValue): void {
    if (!(value instanceof CLImage)) this.#fail('CL_INVALID_MEM_OBJECT', index, 'it takes an image');
    value.check();
    if (value.context !== this.context) {
      this.#fail('CL_INVALID_MEM_OBJECT', index, 'the image belongs to another context');
    }
    const { handle } = parameter.info ?? {};
    if (handle?.kind === 'image') {
      const { type, access } = handle;
      if (imageTypes[type] !== value.type) {
        this.#fail('CL_INVALID_ARG_VALUE', index, `the image is not of the kind that ${type} takes`);
      }
      const excluded = access === 'read_only' ? CL.MEM_WRITE_ONLY : CL.MEM_READ_ONLY;
      if (value.flags & excluded) {
        const way = access === 'read_only' ? 'WRITE_ONLY' : 'READ_ONLY';
        this.#fail('CL_INVALID_ARG_VALUE', index, `it is ${access}, and the image was created ${way}`);
      }
    }
    this.#values[index] = value.image.argument;
    this.#objects[index] = value;
  }

  #setSampler(index: number, value: ArgumentValue): void {
    if (!(value instanceof CLSampler)) this.#fail('CL_INVALID_SAMPLER', index, 'it takes a sampler');
    value.check();
    if (value.context !== this.context) {
      this.#fail('CL_INVALID_SAMPLER', index, 'the sampler belongs to another context');
    }
    this.#values[index] = { kind: 'sampler', bits: value.bits };
    this.#objects[index] = value;
  }

  #setValue(index: number, parameter: KernelParameter, value: ArgumentValue): void {
    const { size, info } = parameter;
    if (value === null || value === undefined || value instanceof CLMemory || value instanceof CLSampler) {
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

/** The attributes as KERNEL_ATTRIBUTES spells them. */
function attributeText(kernel: DeviceKernel): string {
  const { requiredWorkGroupSize, workGroupSizeHint, vectorTypeHint } = kernel.attributes ?? {};
  const parts: string[] = [];
  if (vectorTypeHint) parts.push(`vec_type_hint(${vectorTypeHint})`);
  if (workGroupSizeHint) parts.push(`work_group_size_hint(${workGroupSizeHint.join(',')})`);
  if (requiredWorkGroupSize) parts.push(`reqd_work_group_size(${requiredWorkGroupSize.join(',')})`);
  return parts.join(' ');
}

/** Images lie in global memory, says OpenCL (1.2, 6.5); samplers are values. */
function addressQualifierOf(kind: KernelParameter['kind']): 'global' | 'local' | 'constant' | 'private' {
  if (kind === 'image') return 'global';
  return kind === 'global' || kind === 'local' || kind === 'constant' ? kind : 'private';
}
