/** Kernels (OpenCL 1.2, 5.7). */
import type { DeviceKernel, KernelParameter } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL, type CLValue } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, invalidQuery } from './handle.ts';
import { type ArgumentValue, type BoundArguments, KernelArguments } from './kernel-arguments.ts';
import type { CLDevice } from './platform.ts';
import type { CLProgram } from './program.ts';
import { subGroupInfo } from './sub-group-info.ts';
import { checkSVM, contextCapabilities, type SVMPointer } from './svm.ts';

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
const qualifierBits = {
  const: CL.KERNEL_ARG_TYPE_CONST,
  restrict: CL.KERNEL_ARG_TYPE_RESTRICT,
  volatile: CL.KERNEL_ARG_TYPE_VOLATILE,
  pipe: CL.KERNEL_ARG_TYPE_PIPE,
} as const;

/** Work-items in each dimension that kernels can count. */
const largestGlobal: readonly number[] = [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1];

export class CLKernel extends Handle {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLKernel';
  protected readonly kind = { error: 'CL_INVALID_KERNEL', noun: 'kernel' } as const;
  readonly program: CLProgram;
  readonly name: string;
  readonly #parameters: readonly KernelParameter[];
  readonly #attributes: string;
  readonly #arguments: KernelArguments;

  /** Kernels come from CLProgram.createKernel and {@link clone}, which gives the arguments. */
  constructor(program: CLProgram, name: string, args?: KernelArguments) {
    super();
    this.program = program;
    this.name = name;
    const any = this.#any();
    this.#parameters = any.parameters;
    this.#attributes = attributeText(any);
    this.#arguments = args ?? new KernelArguments(program.context, name, any.parameters);
    program.life.attach(this);
  }

  /** clCloneKernel (OpenCL 2.1): another kernel whose arguments are set to the same. */
  clone(): CLKernel {
    this.check();
    return new CLKernel(this.program, this.name, this.#arguments.copy());
  }

  get context(): CLContext {
    return this.program.context;
  }

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  /**
   * clSetKernelArg, in three manners: `setArg(i, value)` with a buffer, an image, a pipe, a sampler, null, or the value's bytes as
   * a typed array (numbers, arrays for vectors and objects for structs are accepted too); for a local pointer its size as
   * `setArg(i, new Uint32Array([bytes]))` as in WebCL; or `setArg(i, size, value)` as in C, where `setArg(i, bytes, null)`
   * is local memory.
   * @throws OpenCLError CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER,
   *   CL_INVALID_ARG_SIZE
   */
  setArg(index: number, ...value: [ArgumentValue] | [number, ArgumentValue]): void {
    this.check();
    this.#arguments.set(index, ...value);
  }

  /**
   * clSetKernelArgSVMPointer: a pointer into shared memory, or null, for an argument that points to global or constant memory.
   * @throws OpenCLError CL_INVALID_KERNEL, CL_INVALID_OPERATION, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE
   */
  setArgSVMPointer(index: number, pointer: SVMPointer | null): void {
    this.check();
    checkSVM(contextCapabilities(this.context));
    this.#arguments.setSVMPointer(index, pointer);
  }

  /**
   * clSetKernelExecInfo: with KERNEL_EXEC_INFO_SVM_PTRS pointers to shared memory that the kernel uses beside its arguments, one
   * for each buffer; with KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM whether it may use other memory of the host.
   * @throws OpenCLError CL_INVALID_KERNEL, CL_INVALID_OPERATION, CL_INVALID_VALUE
   */
  setExecInfo(name: number, value: readonly SVMPointer[] | boolean | number | null): void {
    this.check();
    const capabilities = contextCapabilities(this.context);
    if (name === CL.KERNEL_EXEC_INFO_SVM_PTRS) {
      checkSVM(capabilities);
      const pointers: unknown = value ?? [];
      if (!Array.isArray(pointers)) {
        throw new OpenCLError('CL_INVALID_VALUE', 'a list of pointers to shared memory is needed');
      }
      this.#arguments.reach(pointers);
    } else if (name === CL.KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) {
      if (typeof value !== 'boolean' && value !== CL.FALSE && value !== CL.TRUE) {
        throw new OpenCLError('CL_INVALID_VALUE', 'SVM_FINE_GRAIN_SYSTEM is true or false');
      }
      if (value && !(capabilities & CL.DEVICE_SVM_FINE_GRAIN_SYSTEM)) {
        throw new OpenCLError('CL_INVALID_OPERATION', 'no device shares all memory of the host');
      }
    } else invalidQuery(name);
  }

  /** What kind of value an argument takes; undefined if there is no such argument. */
  argumentKind(index: number): KernelParameter['kind'] | undefined {
    this.check();
    return this.#parameters[index]?.kind;
  }

  /** The arguments as they are now. @throws OpenCLError CL_INVALID_KERNEL_ARGS if one has not been set */
  bound(): BoundArguments {
    return this.#arguments.bound();
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
      throw new OpenCLError('CL_INVALID_ARG_INDEX', `kernel '${this.name}' has no argument ${shown(index)}`);
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
  getWorkGroupInfo(
    device: CLDevice | null | undefined,
    name: CLValue<'KERNEL_COMPILE_WORK_GROUP_SIZE' | 'KERNEL_GLOBAL_WORK_SIZE'>,
  ): readonly number[];
  getWorkGroupInfo(
    device: CLDevice | null | undefined,
    name: CLValue<
      | 'KERNEL_WORK_GROUP_SIZE'
      | 'KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE'
      | 'KERNEL_LOCAL_MEM_SIZE'
      | 'KERNEL_PRIVATE_MEM_SIZE'
    >,
  ): number;
  getWorkGroupInfo(device: CLDevice | null | undefined, name: number): number | readonly number[];
  getWorkGroupInfo(device: CLDevice | null | undefined, name: number): number | readonly number[] {
    this.check();
    const used = this.#deviceFor(device);
    const kernel = this.builtFor(used);
    switch (name) {
      case CL.KERNEL_WORK_GROUP_SIZE:
        return kernel.maxWorkGroupSize;
      case CL.KERNEL_COMPILE_WORK_GROUP_SIZE:
        return kernel.attributes?.requiredWorkGroupSize ?? [0, 0, 0];
      case CL.KERNEL_LOCAL_MEM_SIZE:
        return kernel.localBytes + this.#arguments.localBytes;
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

  /**
   * clGetKernelSubGroupInfo (OpenCL 2.1). `input` is what the query takes: a local size, or a number of sub-groups, for which
   * `dimensions` numbers of a local size are wanted.
   * @throws OpenCLError CL_INVALID_KERNEL, CL_INVALID_DEVICE, CL_INVALID_OPERATION, CL_INVALID_VALUE
   */
  getSubGroupInfo(
    device: CLDevice | null | undefined,
    name: number,
    input: number | readonly number[] = [],
    dimensions = 1,
  ): number | readonly number[] {
    this.check();
    const used = this.#deviceFor(device);
    if (used.runtime.info.maxNumSubGroups === 0) {
      throw new OpenCLError('CL_INVALID_OPERATION', 'the device has no sub-groups');
    }
    const kernel = this.builtFor(used);
    return subGroupInfo(kernel, name, typeof input === 'number' ? [input] : input, dimensions);
  }

  protected destroy(): void {
    this.program.life.detach(this);
  }

  #deviceFor(device: CLDevice | null | undefined): CLDevice {
    const { devices } = this.program;
    if (!device && devices.length > 1) {
      throw new OpenCLError('CL_INVALID_DEVICE', 'the program has several devices: say which one');
    }
    const used = device ?? devices[0]!;
    if (!devices.includes(used))
      throw new OpenCLError('CL_INVALID_DEVICE', 'the device is not one of the program');
    return used;
  }

  #any(): DeviceKernel {
    for (const device of this.context.devices) {
      const kernel = this.program.builtFor(device)?.kernels.find((candidate) => candidate.name === this.name);
      if (kernel) return kernel;
    }
    throw new OpenCLError('CL_INVALID_PROGRAM_EXECUTABLE', 'the program has not been built');
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

/** Images and pipes lie in global memory, says OpenCL (1.2, 6.5); samplers are values. */
function addressQualifierOf(kind: KernelParameter['kind']): 'global' | 'local' | 'constant' | 'private' {
  if (kind === 'image' || kind === 'pipe') return 'global';
  return kind === 'global' || kind === 'local' || kind === 'constant' ? kind : 'private';
}
