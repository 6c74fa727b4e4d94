/** The arguments of a kernel call: from JavaScript values to what the runtime launches with. */
import type { ImageAccess } from '../../ir/images.ts';
import type { HostLayout } from '../../ir/ir.ts';
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { KernelArgument as RuntimeArgument } from '../../runtime/command.ts';
import type { DeviceKernel, KernelParameter as RuntimeParameter } from '../../runtime/device.ts';
import { bytesOf } from '../../runtime/device-memory.ts';
import { encodeValue, type HostValue, ValueError } from '../../runtime/host-values.ts';
import { RuntimeImage } from '../../runtime/image.ts';
import { imageObjectType } from '../../runtime/image-shape.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { betterArray } from './array-kinds.ts';
import { DeviceBuffer } from './device-buffer.ts';
import { DeviceImage, Sampler } from './device-image.ts';
import { DevicePipe } from './device-pipe.ts';
import { LocalMemory } from './local-memory.ts';
import { type ImageKind, isPicture, kindOf, type Picture, shapeOf } from './picture.ts';
import { SharedMemory } from './shared-memory.ts';

export { LocalMemory, local } from './local-memory.ts';

/**
 * What a kernel can be called with. For a global or constant pointer: a typed array of what it points to (copied in, and copied
 * back after the run unless that is const; arrays of bytes and of unsigned integers may hold any bits), a buffer, shared memory, or null. For an image: a picture (copied in if the
 * kernel reads it, and back if it writes it) or an image; for a sampler: `sampler(...)`; for a pipe one of Program.pipe. For a
 * local pointer: `local(bytes)`. For a value: a number, bigint or boolean, an array for a vector, an object for a struct, or a typed array of its bytes.
 */
export type KernelArgument =
  | HostValue
  | DeviceBuffer
  | DeviceImage
  | DevicePipe
  | SharedMemory
  | Picture
  | Sampler
  | LocalMemory
  | null;

/** A parameter as the source declares it. */
export interface KernelParameter {
  readonly name: string;
  /** `float4*`, `uint`. */
  readonly typeName: string;
  readonly kind: RuntimeParameter['kind'];
  /** Whether what a pointer points to is const. */
  readonly isConst: boolean;
  /** Bytes of a value, or of a pipe's packets; 0 if only the device's compiler knows. */
  readonly size: number;
  readonly layout: HostLayout | undefined;
  /** The layout of what a pointer points to. */
  readonly pointee: HostLayout | undefined;
  /** For an image, which kind it takes and what the kernel does with it. */
  readonly image?: { readonly kind: ImageKind; readonly access: ImageAccess } | undefined;
}

/** What describes a parameter to people and to {@link ArgumentBinder}. */
export function describe(parameter: RuntimeParameter, index: number): KernelParameter {
  const { info, kind, size } = parameter;
  return {
    name: info?.name ?? `argument ${index}`,
    typeName: info?.typeName ?? '',
    kind,
    isConst: kind === 'constant' || (info?.typeQualifiers.includes('const') ?? false),
    size: info?.handle?.kind === 'pipe' ? info.handle.packetBytes : size,
    layout: info?.layout,
    pointee: info?.pointee,
    image:
      info?.handle?.kind === 'image' ? { kind: info.handle.type, access: info.handle.access } : undefined,
  };
}

/** An array whose numbers were copied in. */
export interface Copied {
  readonly array: ArrayBufferView;
  readonly buffer: RuntimeBuffer;
  readonly comesBack: boolean;
}

/** Binds the arguments of one call. What it has copied in is the caller's to release. */
export class ArgumentBinder {
  readonly copied: Copied[] = [];
  /** Images made for pictures. */
  readonly images: RuntimeImage[] = [];
  readonly uses: RuntimeBuffer[] = [];
  readonly #queue: CommandQueue;
  readonly #kernel: DeviceKernel;

  constructor(queue: CommandQueue, kernel: DeviceKernel) {
    this.#queue = queue;
    this.#kernel = kernel;
  }

  /** Gives back what was copied in. Commands under way keep the bytes. */
  release(): void {
    for (const { buffer } of this.copied) buffer.release();
    for (const image of this.images) image.release();
  }

  /** @throws OpenCLError CL_INVALID_ARG_VALUE, _ARG_SIZE, _MEM_OBJECT, _SAMPLER if the value does not fit the parameter */
  bind(parameter: KernelParameter, value: KernelArgument): RuntimeArgument {
    switch (parameter.kind) {
      case 'local':
        if (!(value instanceof LocalMemory)) {
          return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', 'give local(bytes) for a local pointer');
        }
        return { kind: 'local', bytes: value.bytes };
      case 'global':
      case 'constant':
        return this.#bindMemory(parameter, value);
      case 'image':
        return this.#bindImage(parameter, value);
      case 'sampler':
        if (!(value instanceof Sampler)) {
          return this.#fail(parameter, 'CL_INVALID_SAMPLER', 'give sampler(...) for a sampler');
        }
        return { kind: 'sampler', bits: value.bits };
      case 'pipe':
        return this.#bindPipe(parameter, value);
      default:
        return this.#bindValue(parameter, value);
    }
  }

  #fail(parameter: KernelParameter, error: StatusName, why: string): never {
    const type = parameter.typeName === '' ? '' : `${parameter.typeName} `;
    throw new OpenCLError(
      error,
      `argument '${type}${parameter.name}' of kernel '${this.#kernel.name}': ${why}`,
    );
  }

  #bindPipe(parameter: KernelParameter, value: KernelArgument): RuntimeArgument {
    if (!(value instanceof DevicePipe)) {
      return this.#fail(parameter, 'CL_INVALID_MEM_OBJECT', 'give a pipe, as Program.pipe makes them');
    }
    if (value.packetBytes !== parameter.size) {
      const sizes = `its packets have ${parameter.size} bytes, those of the pipe ${value.packetBytes}`;
      return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', sizes);
    }
    const memory = value.memoryFor(this.#queue);
    this.uses.push(memory);
    return { kind: 'memory', range: { memory, offset: 0 } };
  }

  #bindMemory(parameter: KernelParameter, value: KernelArgument): RuntimeArgument {
    if (value === null) return { kind: 'memory', range: undefined };
    let memory: RuntimeBuffer;
    if (value instanceof DeviceBuffer || value instanceof SharedMemory) {
      memory = value.memoryFor(this.#queue);
    } else if (ArrayBuffer.isView(value)) {
      if (value.byteLength === 0) return { kind: 'memory', range: undefined };
      const better = betterArray(parameter.pointee, value);
      if (better !== undefined) {
        const why = `give a ${better}, or its bytes as a Uint8Array, not ${value.constructor.name}`;
        return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', why);
      }
      // The same array for two parameters is the same memory.
      const known = this.copied.find(({ array, buffer }) => array === value && !buffer.image);
      memory = known?.buffer ?? this.#copyIn(value);
      const comesBack =
        !parameter.isConst && !this.copied.some((other) => other.array === value && other.comesBack);
      this.copied.push({ array: value, buffer: memory, comesBack });
    } else if (value instanceof LocalMemory) {
      return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', 'it is not a local pointer');
    } else {
      return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', 'a pointer takes a typed array, a buffer or null');
    }
    this.uses.push(memory);
    return { kind: 'memory', range: { memory, offset: 0 } };
  }

  #bindImage(parameter: KernelParameter, value: KernelArgument): RuntimeArgument {
    const wanted = parameter.image?.kind;
    let image: RuntimeImage;
    if (value instanceof DeviceImage) {
      if (value.kind !== wanted) {
        return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', `the image is of type ${value.kind}`);
      }
      image = value.imageFor(this.#queue);
    } else if (isPicture(value)) {
      image = this.#copyPicture(parameter, value);
    } else {
      return this.#fail(parameter, 'CL_INVALID_MEM_OBJECT', 'an image parameter takes a picture or an image');
    }
    this.uses.push(...image.uses);
    return image.argument;
  }

  #copyPicture(parameter: KernelParameter, picture: Picture): RuntimeImage {
    const kind = kindOf(picture);
    const wanted = parameter.image?.kind;
    const isLine = wanted === 'image1d_buffer_t' && kind === 'image1d_t';
    if (kind !== wanted && !isLine) {
      this.#fail(parameter, 'CL_INVALID_ARG_VALUE', `the picture's sizes are those of an ${kind}`);
    }
    const shape = shapeOf(picture);
    const access = parameter.image?.access ?? 'read_write';
    const image = isLine
      ? RuntimeImage.over(this.#copyIn(picture.data), { ...shape, objectType: imageObjectType.image1dBuffer })
      : RuntimeImage.create(this.#queue.context, shape);
    this.images.push(image);
    // What the kernel leaves as it is must come back as it was.
    if (!isLine) image.pixels.view(0, image.pixels.size).set(bytesOf(picture.data));
    const buffer = image.pixels.parent ?? image.pixels;
    this.copied.push({ array: picture.data, buffer, comesBack: access !== 'read_only' });
    return image;
  }

  #bindValue(parameter: KernelParameter, value: KernelArgument): RuntimeArgument {
    if (value instanceof LocalMemory) {
      return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', 'it is not a local pointer');
    }
    if (
      value === null ||
      value instanceof DeviceBuffer ||
      value instanceof SharedMemory ||
      value instanceof DeviceImage ||
      value instanceof Sampler
    ) {
      return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', 'it is no pointer, so it takes a value');
    }
    if (!parameter.layout) {
      const { size } = parameter;
      if (!ArrayBuffer.isView(value) || (value.byteLength !== size && size !== 0)) {
        return this.#fail(
          parameter,
          'CL_INVALID_ARG_SIZE',
          `it takes a typed array of ${size || 'its'} bytes`,
        );
      }
      return {
        kind: 'value',
        bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice(),
      };
    }
    try {
      return { kind: 'value', bytes: encodeValue(parameter.layout, value as HostValue) };
    } catch (error) {
      if (error instanceof ValueError) return this.#fail(parameter, 'CL_INVALID_ARG_VALUE', error.message);
      throw error;
    }
  }

  #copyIn(array: ArrayBufferView): RuntimeBuffer {
    const buffer = RuntimeBuffer.create(this.#queue.context, array.byteLength);
    // Fresh memory: nothing under way can use it, so the host copies at once.
    buffer.view(0, array.byteLength).set(bytesOf(array));
    return buffer;
  }
}
