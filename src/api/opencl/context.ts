/** Contexts (OpenCL 1.2, 4.4): devices and everything made for them. How they come to be is in create-context.ts. */
import type { FileSystem } from '../../c/preprocessor.ts';
import { Context, type ContextOptions } from '../../runtime/context.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import type { PrintFunction } from '../../runtime/printing.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CLBuffer } from './buffer.ts';
import { CL } from './constants.ts';
import { ContextLife } from './context-life.ts';
import { type ContextProperty, canShareGL, readContextProperties } from './context-properties.ts';
import { CLDeviceQueue } from './device-queue.ts';
import { type CLEvent, CLUserEvent } from './event.ts';
import { createFromGLBuffer, createFromGLRenderbuffer, createFromGLTexture } from './gl/create.ts';
import { GLShareGroup } from './gl/share-group.ts';
import { createEventFromGLsync } from './gl/sync-event.ts';
import { checkHandle, Handle, invalidQuery } from './handle.ts';
import { CLImage, supportedFormats } from './image.ts';
import type { CLImageDescriptor, CLImageFormat } from './image-descriptors.ts';
import { linkPrograms } from './link-programs.ts';
import { CLPipe } from './pipe.ts';
import { CLDevice } from './platform.ts';
import { CLProgram, type ProgramCallback } from './program.ts';
import { createProgramWithBinary } from './program-from-binary.ts';
import { createProgramWithBuiltInKernels } from './program-of-built-ins.ts';
import { keptProperties, type PropertyList, readPropertyList } from './properties.ts';
import { CLCommandQueue } from './queue.ts';
import { queueProperties } from './queue-properties.ts';
import type { QueueExtras } from './queue-state.ts';
import { CLSampler } from './sampler.ts';
import { allocateSVM, type CLSVMBuffer, freeSVM, type SVMPointer } from './svm.ts';

export interface ContextExtras {
  /** `false`: everything on this thread, as in a page that is not cross-origin isolated. */
  readonly shared?: boolean | undefined;
  /**
   * As in C: a list of names and values that ends with 0. CL.CONTEXT_PLATFORM with a platform,
   * CL.CONTEXT_INTEROP_USER_SYNC; in a page CL.GL_CONTEXT_KHR with a WebGL 2 context.
   */
  readonly properties?: readonly ContextProperty[] | null | undefined;
  /**
   * Called, in a later turn of the event loop, for each command that fails by itself, with why, and when a device of the context has
   * died (pfn_notify).
   */
  readonly notify?: ((error: OpenCLError) => void) | null | undefined;
  /** Takes what kernels print; default standard output, in a page the console. See {@link CLContext.print}. */
  readonly print?: PrintFunction | undefined;
  /** For programs that are not JavaScript: whose memory it shares, and how callbacks get there. */
  readonly host?: Omit<ContextOptions, 'shared'> | undefined;
  /** Where `#include` in the context's programs finds files; default nowhere. */
  readonly files?: FileSystem | undefined;
}

export class CLContext extends Handle {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLContext';
  protected readonly kind = { error: 'CL_INVALID_CONTEXT', noun: 'context' } as const;
  readonly devices: readonly CLDevice[];
  /** The share in OpenGL, if it was created from a context of that. */
  readonly glShareGroup: GLShareGroup | undefined;
  /** Where `#include` in its programs finds files. */
  readonly files: FileSystem | undefined;
  /** Which insides it has and for how long: they live on while queues, buffers or programs of it do. */
  readonly life: ContextLife;
  readonly #properties: readonly ContextProperty[];
  readonly #destructors: ((context: CLContext) => void)[] = [];
  readonly #defaultQueues = new Map<CLDevice, CLDeviceQueue>();
  /** The devices are not kept any more. */
  readonly #letGo: () => void;
  #isOver = false;

  /** Contexts come from createContext. */
  constructor(devices: readonly CLDevice[], extras: ContextExtras = {}) {
    super();
    this.devices = devices;
    const runtime = new Context(
      devices.map((device) => device.runtime),
      { shared: extras.shared, ...extras.host },
    );
    this.life = new ContextLife(runtime);
    this.life.watch(this);
    this.#properties = extras.properties ? [...extras.properties] : [];
    const { gl } = readContextProperties(extras.properties);
    if (gl && !devices.every(canShareGL)) {
      throw new OpenCLError('CL_INVALID_OPERATION', 'a device of the context does not share with OpenGL');
    }
    this.glShareGroup = gl ? new GLShareGroup(gl, runtime) : undefined;
    const { notify } = extras;
    if (notify) tellOfFailures(runtime, notify);
    if (extras.print) this.print = extras.print;
    this.files = extras.files;
    this.#letGo = holdAll(devices);
  }

  /** It has ended with everything in it. */
  override get isOver(): boolean {
    return this.#isOver;
  }

  /** The runtime's context. */
  get runtime(): Context {
    return this.life.runtime;
  }

  /**
   * Takes what kernels print, before the launch's event completes (OpenCL 1.2, 6.12.13.1): whole texts of calls, many in
   * one piece. Millrace's own devices print here; the machine's drivers print to the process's standard output.
   */
  get print(): PrintFunction {
    return this.runtime.printing.print;
  }

  set print(print: PrintFunction) {
    if (typeof print !== 'function') throw new OpenCLError('CL_INVALID_VALUE', 'print must be a function');
    this.runtime.printing.print = print;
  }

  /** The largest buffer that all devices can take. */
  get maxMemAllocSize(): number {
    return Math.min(...this.devices.map((device) => device.runtime.info.maxMemAllocSize));
  }

  /** clGetContextInfo: CONTEXT_REFERENCE_COUNT, _NUM_DEVICES, _DEVICES, _PROPERTIES. */
  getInfo(name: number): number | readonly CLDevice[] | readonly ContextProperty[] {
    this.check();
    switch (name) {
      case CL.CONTEXT_REFERENCE_COUNT:
        return this.references;
      case CL.CONTEXT_NUM_DEVICES:
        return this.devices.length;
      case CL.CONTEXT_DEVICES:
        return [...this.devices];
      case CL.CONTEXT_PROPERTIES:
        return [...this.#properties];
      default:
        return invalidQuery(name);
    }
  }

  /**
   * clCreateBuffer: of so many bytes, with host data for USE_HOST_PTR and COPY_HOST_PTR; or as long as the typed array
   * given in place of the size, which is then copied.
   */
  createBuffer(memFlags: number, sizeInBytes: number | HostBytes, hostPtr?: HostBytes | null): CLBuffer {
    this.check();
    return CLBuffer.create(this, memFlags, sizeInBytes, hostPtr);
  }

  /**
   * clCreateBufferWithProperties (OpenCL 3.0). There are no properties yet: the list is null or `[0]`.
   * @throws OpenCLError CL_INVALID_PROPERTY, and what createBuffer throws
   */
  createBufferWithProperties(
    properties: PropertyList,
    memFlags: number,
    sizeInBytes: number | HostBytes,
    hostPtr?: HostBytes | null,
  ): CLBuffer {
    this.check();
    readPropertyList(properties, [], 'a memory object', 'CL_INVALID_PROPERTY');
    const buffer = this.createBuffer(memFlags, sizeInBytes, hostPtr);
    buffer.properties = keptProperties(properties);
    return buffer;
  }

  /**
   * clCreateImage. Data for USE_HOST_PTR and COPY_HOST_PTR is a typed array with the pitches of the descriptor.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR,
   *   CL_INVALID_IMAGE_SIZE, CL_INVALID_HOST_PTR, CL_INVALID_OPERATION, CL_IMAGE_FORMAT_NOT_SUPPORTED,
   *   CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  createImage(
    memFlags: number,
    format: CLImageFormat,
    descriptor: CLImageDescriptor,
    hostPtr?: HostBytes | null,
  ): CLImage {
    this.check();
    return CLImage.create(this, memFlags, format, descriptor, hostPtr);
  }

  /**
   * clCreateImageWithProperties (OpenCL 3.0). There are no properties yet: the list is null or `[0]`.
   * @throws OpenCLError CL_INVALID_PROPERTY, and what createImage throws
   */
  createImageWithProperties(
    properties: PropertyList,
    memFlags: number,
    format: CLImageFormat,
    descriptor: CLImageDescriptor,
    hostPtr?: HostBytes | null,
  ): CLImage {
    this.check();
    readPropertyList(properties, [], 'a memory object', 'CL_INVALID_PROPERTY');
    const image = this.createImage(memFlags, format, descriptor, hostPtr);
    image.properties = keptProperties(properties);
    return image;
  }

  /** clCreateImage2D (OpenCL 1.1): wrong sizes and pitches are CL_INVALID_IMAGE_SIZE. */
  createImage2D(
    memFlags: number,
    format: CLImageFormat,
    width: number,
    height: number,
    rowPitch = 0,
    hostPtr?: HostBytes | null,
  ): CLImage {
    this.check();
    const descriptor = { type: CL.MEM_OBJECT_IMAGE2D, width, height, rowPitch };
    return CLImage.create(this, memFlags, format, descriptor, hostPtr, 'CL_INVALID_IMAGE_SIZE');
  }

  /** clCreateImage3D (OpenCL 1.1), whose images have at least two slices. */
  createImage3D(
    memFlags: number,
    format: CLImageFormat,
    width: number,
    height: number,
    depth: number,
    rowPitch = 0,
    slicePitch = 0,
    hostPtr?: HostBytes | null,
  ): CLImage {
    this.check();
    const type = CL.MEM_OBJECT_IMAGE3D;
    const descriptor = { type, width, height, depth: depth === 1 ? 0 : depth, rowPitch, slicePitch };
    return CLImage.create(this, memFlags, format, descriptor, hostPtr, 'CL_INVALID_IMAGE_SIZE');
  }

  /**
   * clCreateFromGLBuffer: a buffer as large as a WebGLBuffer, which has its data store already.
   * @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_GL_OBJECT, CL_INVALID_BUFFER_SIZE,
   *   CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  createFromGLBuffer(memFlags: number, bufobj: object): CLBuffer {
    this.check();
    return createFromGLBuffer(this, memFlags, bufobj);
  }

  /**
   * clCreateFromGLTexture: an image of a level of a WebGLTexture. Targets are WebGL's TEXTURE_2D, TEXTURE_3D,
   * TEXTURE_2D_ARRAY and the faces of a cube map, TEXTURE_CUBE_MAP_POSITIVE_X and so on.
   * @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_GL_OBJECT, CL_INVALID_MIP_LEVEL,
   *   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  createFromGLTexture(memFlags: number, target: number, miplevel: number, texture: object): CLImage {
    this.check();
    return createFromGLTexture(this, memFlags, target, miplevel, texture);
  }

  /**
   * clCreateFromGLRenderbuffer: a 2D image of a WebGLRenderbuffer.
   * @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_GL_OBJECT, CL_INVALID_OPERATION,
   *   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  createFromGLRenderbuffer(memFlags: number, renderbuffer: object): CLImage {
    this.check();
    return createFromGLRenderbuffer(this, memFlags, renderbuffer);
  }

  /**
   * clCreateEventFromGLsyncKHR: an event that ends when OpenGL has passed the fence, a WebGLSync.
   * @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_GL_OBJECT
   */
  createEventFromGLsyncKHR(sync: object): CLEvent {
    this.check();
    return createEventFromGLsync(this, sync);
  }

  /**
   * clSVMAlloc: shared virtual memory. `memFlags` has CL.MEM_SVM_FINE_GRAIN_BUFFER where host and kernels use it at the same
   * time, and CL.MEM_SVM_ATOMICS where they do so by atomic operations; an alignment of 0 is the largest, 128.
   * @throws OpenCLError CL_INVALID_OPERATION without a device that has it, CL_INVALID_VALUE, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  svmAlloc(memFlags: number, size: number, alignment = 0): CLSVMBuffer {
    this.check();
    return allocateSVM(this, memFlags, size, alignment);
  }

  /**
   * clSVMFree: gives shared memory back, by its beginning; nothing for null. Commands that use it must have ended, but for
   * those that have it as an argument.
   * @throws OpenCLError CL_INVALID_VALUE if none begins there
   */
  svmFree(svmPointer: SVMPointer | null | undefined): void {
    this.check();
    if (svmPointer) freeSVM(this, svmPointer);
  }

  /**
   * clCreatePipe: for `maxPackets` packets of `packetSize` bytes. Flags are MEM_READ_WRITE and MEM_HOST_NO_ACCESS, or 0, which
   * means both; there are no properties.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_PIPE_SIZE, CL_INVALID_OPERATION if no device has pipes,
   *   CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  createPipe(
    memFlags: number,
    packetSize: number,
    maxPackets: number,
    properties?: readonly number[] | null,
  ): CLPipe {
    this.check();
    return CLPipe.create(this, memFlags, packetSize, maxPackets, properties);
  }

  /** clGetSupportedImageFormats: what at least one device of the context supports, in the way that the flags say. */
  getSupportedImageFormats(memFlags: number, imageType: number = CL.MEM_OBJECT_IMAGE2D): CLImageFormat[] {
    this.check();
    return supportedFormats(this, memFlags, imageType);
  }

  /** clCreateSampler. `addressingMode` is CL.ADDRESS_*, `filterMode` CL.FILTER_*. */
  createSampler(normalizedCoords: boolean | number, addressingMode: number, filterMode: number): CLSampler {
    this.check();
    return new CLSampler(this, normalizedCoords, addressingMode, filterMode);
  }

  /**
   * clCreateSamplerWithProperties (OpenCL 2.0). Properties are SAMPLER_NORMALIZED_COORDS (default true), SAMPLER_ADDRESSING_MODE
   * (ADDRESS_CLAMP) and SAMPLER_FILTER_MODE (FILTER_NEAREST).
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_OPERATION without a device that has images
   */
  createSamplerWithProperties(properties?: PropertyList): CLSampler {
    this.check();
    return CLSampler.withProperties(this, properties);
  }

  /** clCreateCommandQueue. `properties`: QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, QUEUE_PROFILING_ENABLE. */
  createCommandQueue(device?: CLDevice | null, properties = 0, extras: QueueExtras = {}): CLCommandQueue {
    this.check();
    return new CLCommandQueue(this, this.#deviceOf(device), properties, extras);
  }

  /**
   * clSetDefaultDeviceCommandQueue: what kernels get as the default queue of the device.
   * @throws OpenCLError CL_INVALID_DEVICE, CL_INVALID_COMMAND_QUEUE
   */
  setDefaultDeviceCommandQueue(device: CLDevice, queue: CLDeviceQueue): void {
    this.check();
    const used = this.#deviceOf(device);
    checkHandle(queue, CLDeviceQueue, 'CL_INVALID_COMMAND_QUEUE');
    if (queue.context !== this || queue.device !== used) {
      throw new OpenCLError('CL_INVALID_COMMAND_QUEUE', 'the queue is not one of the device in the context');
    }
    this.#defaultQueues.set(used, queue);
    this.runtime.opened(used.runtime).onDeviceQueues?.setDefault(queue.number);
  }

  /** The default queue that kernels of a device have. */
  defaultDeviceQueue(device: CLDevice): CLDeviceQueue | null {
    return this.#defaultQueues.get(device) ?? null;
  }

  /** A queue has been released. */
  forgetDeviceQueue(queue: CLDeviceQueue): void {
    if (this.#defaultQueues.get(queue.device) === queue) this.#defaultQueues.delete(queue.device);
  }

  #deviceOf(device: CLDevice | null | undefined): CLDevice {
    const used = device ?? this.devices[0]!;
    if (used instanceof CLDevice && this.devices.includes(used)) return used;
    throw new OpenCLError('CL_INVALID_DEVICE', 'the device is not one of the context');
  }

  /**
   * clCreateCommandQueueWithProperties (OpenCL 2.0): QUEUE_PROPERTIES, with the bits of createCommandQueue, and QUEUE_SIZE. With
   * QUEUE_ON_DEVICE it makes a queue for kernels. There is one default queue a device: who asks for another gets that
   * one, with a reference more.
   * @throws OpenCLError CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES, CL_OUT_OF_RESOURCES,
   *   CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  createCommandQueueWithProperties(
    device?: CLDevice | null,
    properties?: PropertyList,
    extras: QueueExtras = {},
  ): CLCommandQueue | CLDeviceQueue {
    this.check();
    const used = this.#deviceOf(device);
    const { bits, size } = queueProperties(properties);
    const list = keptProperties(properties);
    if (!(bits & CL.QUEUE_ON_DEVICE)) {
      const queue = new CLCommandQueue(this, used, bits, extras);
      queue.propertyList = list;
      return queue;
    }
    const isDefault = (bits & CL.QUEUE_ON_DEVICE_DEFAULT) !== 0;
    const known = isDefault ? this.defaultDeviceQueue(used) : null;
    if (known) {
      known.retain();
      return known;
    }
    const queue = new CLDeviceQueue(this, used, bits, size, list);
    if (isDefault) this.setDefaultDeviceCommandQueue(used, queue);
    return queue;
  }

  /** clCreateProgramWithSource; several strings are joined. @throws OpenCLError CL_INVALID_VALUE if there is none */
  createProgram(source: string | readonly string[]): CLProgram {
    this.check();
    const parts: readonly unknown[] = Array.isArray(source) ? source : [source];
    if (parts.length === 0 || !parts.every((part) => typeof part === 'string')) {
      throw new OpenCLError('CL_INVALID_VALUE', 'a program needs a source text');
    }
    return new CLProgram(this, this.devices, { kind: 'source', source: parts.join('') });
  }

  /**
   * clCreateProgramWithBinary: for each device its binary, as PROGRAM_BINARIES gave it. What came of each is written to
   * `binaryStatus`, if given: CL.SUCCESS, or the code of the error. To be built before kernels are made.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_DEVICE, CL_INVALID_BINARY
   */
  createProgramWithBinary(
    devices: readonly CLDevice[],
    binaries: readonly Uint8Array[],
    binaryStatus?: number[] | null,
  ): CLProgram {
    this.check();
    return createProgramWithBinary(this, devices, binaries, binaryStatus);
  }

  /**
   * clCreateProgramWithIL (OpenCL 2.1): no device here takes programs in an intermediate language.
   * @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_OPERATION
   */
  createProgramWithIL(_il: HostBytes | null): never {
    this.check();
    throw new OpenCLError('CL_INVALID_OPERATION', 'no device takes programs in an intermediate language');
  }

  /**
   * clCreateProgramWithBuiltInKernels: `kernelNames` are joined by semicolons. The program needs no build.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_DEVICE
   */
  createProgramWithBuiltInKernels(devices: readonly CLDevice[], kernelNames: string): CLProgram {
    this.check();
    return createProgramWithBuiltInKernels(this, devices, kernelNames);
  }

  /**
   * clLinkProgram: a program for some devices of the context (default all) from programs that have been compiled, or from
   * libraries. Options: -create-library, -enable-link-options and permissions. With a callback it returns at once.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_DEVICE, CL_INVALID_PROGRAM, CL_INVALID_LINKER_OPTIONS,
   *   CL_INVALID_OPERATION, CL_LINKER_NOT_AVAILABLE, CL_LINK_PROGRAM_FAILURE
   */
  linkProgram(
    devices: readonly CLDevice[] | null | undefined,
    options: string | null | undefined,
    inputPrograms: readonly CLProgram[],
    whenFinished?: ProgramCallback,
  ): CLProgram {
    this.check();
    return linkPrograms(this, devices, options, inputPrograms, whenFinished);
  }

  /** clCreateUserEvent. */
  createUserEvent(): CLUserEvent {
    this.check();
    return new CLUserEvent(this);
  }

  /**
   * clSetContextDestructorCallback (OpenCL 3.0): called when the context and all that was made in it have been released, the one
   * set last first.
   * @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_VALUE
   */
  setDestructorCallback(callback: (context: CLContext) => void): void {
    this.check();
    if (typeof callback !== 'function')
      throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
    this.#destructors.push(callback);
  }

  /** WebCL's releaseAll: ends the context with everything in it, commands under way included. */
  releaseAll(): void {
    this.#isOver = true;
    this.#letGo();
    this.runtime.close();
  }

  override get isKept(): boolean {
    return this.life.isUsed;
  }

  protected destroy(): void {
    // The insides may outlive this handle, and then must not refer to it (context-life.ts), unless somebody is to be told with it.
    const destructors = this.#destructors.map((callback) => () => callback(this)).reverse();
    this.life.release(atEnd(this.runtime, destructors, this.#letGo));
  }

  protected override revive(): void {
    this.life.revive();
  }
}

/** What is done when a context ends; as for {@link tellOfFailures}. */
function atEnd(runtime: Context, tasks: readonly (() => void)[], letGo: () => void): () => void {
  return () => {
    for (const task of tasks) runtime.callBack(task);
    letGo();
  };
}

/** Keeps devices until the result is called. */
function holdAll(devices: readonly CLDevice[]): () => void {
  let isHeld = true;
  for (const device of devices) device.hold();
  return () => {
    if (isHeld) for (const device of devices) device.letGo();
    isHeld = false;
  };
}

/** What it keeps must not refer to the context's handle: see ContextLife. */
function tellOfFailures(runtime: Context, notify: (error: OpenCLError) => void): void {
  runtime.whenFailed((error) => runtime.callBack(() => notify(error)));
}
