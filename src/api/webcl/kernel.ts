/** Kernels of WebCL (3.11): arguments are set by typed arrays of the parameter's own type. */
import type { HostLayout } from '../../ir/ir.ts';
import type { KernelParameter } from '../../runtime/device.ts';
import type { CLBuffer } from '../opencl/buffer.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import type { CLImage } from '../opencl/image.ts';
import type { CLKernel } from '../opencl/kernel.ts';
import type { ArgumentValue } from '../opencl/kernel-arguments.ts';
import type { CLProgram } from '../opencl/program.ts';
import type { CLSampler } from '../opencl/sampler.ts';
import type { WebCLContext } from './context.ts';
import { attempt, WebCLException } from './exception.ts';
import { checkName, innerOf, outerOf, WebCLObject } from './handles.ts';
import { type WebCLMemoryObject, WebCLSampler } from './memory.ts';
import { givenDevice, type WebCLDevice } from './platform.ts';
import type { WebCLProgram } from './program.ts';

const names = [CL.KERNEL_FUNCTION_NAME, CL.KERNEL_NUM_ARGS, CL.KERNEL_CONTEXT, CL.KERNEL_PROGRAM];
const workGroupNames = [
  CL.KERNEL_WORK_GROUP_SIZE,
  CL.KERNEL_COMPILE_WORK_GROUP_SIZE,
  CL.KERNEL_LOCAL_MEM_SIZE,
  CL.KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
  CL.KERNEL_PRIVATE_MEM_SIZE,
];

/** What is known of a parameter. */
export class WebCLKernelArgInfo {
  readonly name: string;
  readonly typeName: string;
  /** `global`, `local`, `constant` or `private`. */
  readonly addressQualifier: string;
  /** `read_only`, `write_only` or `none`. */
  readonly accessQualifier: string;

  constructor(name: string, typeName: string, addressQualifier: string, accessQualifier: string) {
    this.name = name;
    this.typeName = typeName;
    this.addressQualifier = addressQualifier;
    this.accessQualifier = accessQualifier;
  }
}

export type WebCLKernelInfo = number | string | WebCLContext | WebCLProgram;

export class WebCLKernel extends WebCLObject<CLKernel> {
  /** KERNEL_FUNCTION_NAME, _NUM_ARGS, _CONTEXT, _PROGRAM. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): WebCLKernelInfo {
    const inner = innerOf<CLKernel>(this);
    attempt(() => inner.check());
    checkName(name, names);
    const answer = attempt(() => inner.getInfo(name));
    if (typeof answer !== 'object') return answer;
    return outerOf<CLContext | CLProgram, WebCLContext | WebCLProgram>(answer, () => {
      throw new Error('an object of OpenCL without one of WebCL');
    });
  }

  /**
   * KERNEL_WORK_GROUP_SIZE, _COMPILE_WORK_GROUP_SIZE, _LOCAL_MEM_SIZE, _PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
   * _PRIVATE_MEM_SIZE. The device may be null when the program has one.
   */
  getWorkGroupInfo(device: WebCLDevice | null | undefined, name: number): number | number[] {
    const inner = innerOf<CLKernel>(this);
    attempt(() => inner.check());
    checkName(name, workGroupNames);
    const answer = attempt(() => inner.getWorkGroupInfo(givenDevice(device), name));
    return typeof answer === 'number' ? answer : [...answer];
  }

  /** @throws WebCLException INVALID_ARG_INDEX */
  getArgInfo(index: number): WebCLKernelArgInfo {
    const info = attempt(() => innerOf<CLKernel>(this).getArgInfo(index));
    // Of a pointer the type that it points to: the address qualifier tells that it is one.
    const typeName = info.typeName.replace(/\*$/, '');
    // An image has the qualifier that is written, which is none.
    const address = info.accessQualifier === 'none' ? info.addressQualifier : 'private';
    return new WebCLKernelArgInfo(info.name, typeName, address, info.accessQualifier);
  }

  /**
   * Sets an argument: a memory object, a sampler, for a local pointer its size as a Uint32Array of one element, else the
   * value as a typed array of the parameter's type. Integers of 64 bits are two elements of 32, the low one first; vectors
   * of three have four elements, or three.
   * @throws WebCLException INVALID_ARG_INDEX, INVALID_ARG_VALUE, INVALID_ARG_SIZE, INVALID_MEM_OBJECT, INVALID_SAMPLER
   */
  setArg(index: number, value: WebCLMemoryObject | WebCLSampler | ArrayBufferView): void {
    attempt(() => {
      const inner = innerOf<CLKernel>(this);
      if (value instanceof WebCLSampler) {
        innerOf<CLSampler>(value).check();
        inner.check();
        const { kind } = parameterOf(inner, index) ?? {};
        if (kind !== undefined && kind !== 'sampler') {
          const why = `argument ${index} takes no sampler`;
          throw new WebCLException('INVALID_SAMPLER', why, CL.INVALID_SAMPLER);
        }
      }
      if (value instanceof WebCLObject) {
        inner.check();
        inner.setArg(index, innerOf<CLBuffer | CLImage | CLSampler>(value));
        return;
      }
      inner.check();
      const parameter = parameterOf(inner, index);
      inner.setArg(index, parameter ? argumentFor(index, parameter, value) : null);
    });
  }
}

function parameterOf(kernel: CLKernel, index: number): KernelParameter | undefined {
  for (const device of kernel.program.devices) {
    const built = kernel.program.builtFor(device)?.kernels.find(({ name }) => name === kernel.name);
    if (built) return built.parameters[index];
  }
  return undefined;
}

/** A typed array for a parameter, if it is of its type. @throws WebCLException INVALID_ARG_VALUE, INVALID_ARG_SIZE */
function argumentFor(index: number, { kind, info, size }: KernelParameter, value: unknown): ArgumentValue {
  const fail = (name: 'INVALID_ARG_VALUE' | 'INVALID_ARG_SIZE', why: string): never => {
    throw new WebCLException(name, `argument ${index}: ${why}`, CL[name]);
  };
  if (!ArrayBuffer.isView(value)) {
    return fail('INVALID_ARG_VALUE', 'it takes a memory object, a sampler or a typed array');
  }
  if (kind === 'local') {
    if (!(value instanceof Uint32Array) || value.length > 1) {
      fail('INVALID_ARG_VALUE', 'the size of local memory is a Uint32Array of one element');
    }
    if (value.byteLength === 0) fail('INVALID_ARG_SIZE', 'the size of local memory is missing');
    return value;
  }
  if (kind !== 'value') return fail('INVALID_ARG_VALUE', 'it takes a memory object or a sampler');
  const layout = info?.layout;
  if (!layout) return value;
  const array = arrayOf(layout.kind === 'vector' ? layout.element : layout);
  if (!array.some((kindOfArray) => value instanceof kindOfArray)) {
    fail('INVALID_ARG_VALUE', `'${info.typeName}' takes a ${array[0]!.name}`);
  }
  const three = layout.kind === 'vector' && layout.lanes === 3 ? (size / 4) * 3 : size;
  if (value.byteLength !== size && value.byteLength !== three) {
    fail('INVALID_ARG_SIZE', `'${info.typeName}' takes ${size} bytes, not ${value.byteLength}`);
  }
  if (value.byteLength === size) return value;
  const padded = new Uint8Array(size);
  padded.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return padded;
}

type ArrayClass = { readonly name: string; new (length: number): ArrayBufferView };

/** The typed arrays that hold values of a scalar type. */
function arrayOf(layout: HostLayout): readonly ArrayClass[] {
  if (layout.kind === 'float') {
    if (layout.size === 2) return [Uint16Array];
    return layout.size === 4 ? [Float32Array] : [Float64Array];
  }
  if (layout.kind !== 'integer') return [Uint8Array];
  const { size, signed } = layout;
  if (size === 1) return signed ? [Int8Array] : [Uint8Array, Uint8ClampedArray];
  if (size === 2) return signed ? [Int16Array] : [Uint16Array];
  if (size === 4) return signed ? [Int32Array] : [Uint32Array];
  return signed ? [Int32Array, BigInt64Array] : [Uint32Array, BigUint64Array];
}
