/**
 * What the runtime asks of a device. Implementations are in src/devices; each runs its commands on threads of its
 * own (or, where there are none, in slices on the host thread).
 *
 * A {@link Device} says what it is. A context *opens* it and gets an {@link OpenDevice}, which builds programs and makes
 * queues. A queue is handed commands and must never block the host thread. Devices of one context work in the
 * context's memory (or keep copies of memory objects, which they bring up to date by themselves) and order themselves
 * by the context's event table: a command may wait for events of any device or of the user, and its device learns of
 * their completion by the doorbell that it registered in control memory (see EventTable).
 */
import type { ImageAccess } from '../ir/images.ts';
import type { KernelAttributes, Module, ParameterInfo } from '../ir/ir.ts';
import type { Command, KernelArgument, MemoryObject, Triple } from './command.ts';
import type { ControlMemory } from './control-memory.ts';
import type { DeviceMemory } from './device-memory.ts';
import type { DeviceQueueLimits, OnDeviceQueues } from './device-queues.ts';
import type { EventTable } from './event-table.ts';
import type { ImageFormat } from './image-format.ts';
import type { Printing } from './printing.ts';
import type { DeviceScreen } from './screen.ts';
import type { OpenCLError } from './status.ts';
import type { ThreadWatch } from './thread-watch.ts';

/** Facts about a device; names after OpenCL 1.2, table 4.3. Sizes in bytes. */
export interface DeviceInfo {
  readonly name: string;
  readonly vendor: string;
  readonly vendorId: number;
  readonly type: 'cpu' | 'gpu' | 'accelerator' | 'custom';
  /** Such as `OpenCL 3.0 Millrace`. */
  readonly version: string;
  /** Such as `OpenCL C 1.2 Millrace`: the version, and what the vendor adds (OpenCL 1.2, table 4.3). */
  readonly languageVersion: string;
  readonly driverVersion: string;
  readonly profile: 'FULL_PROFILE' | 'EMBEDDED_PROFILE';
  readonly extensions: readonly string[];
  readonly addressBits: 32 | 64;
  readonly littleEndian: boolean;
  readonly maxComputeUnits: number;
  /** MHz; 0 if unknown. */
  readonly maxClockFrequency: number;
  readonly maxWorkGroupSize: number;
  readonly maxWorkItemSizes: Triple;
  readonly preferredWorkGroupMultiple: number;
  readonly vectorWidths: VectorWidths;
  readonly nativeVectorWidths: VectorWidths;
  readonly maxParameterSize: number;
  readonly maxMemAllocSize: number;
  readonly globalMemSize: number;
  /** 0 if unknown. */
  readonly globalMemCacheSize: number;
  readonly globalMemCacheLineSize: number;
  readonly globalMemCacheType: 'none' | 'read-only' | 'read-write';
  readonly localMemSize: number;
  readonly localMemType: 'local' | 'global' | 'none';
  readonly maxConstantBufferSize: number;
  readonly maxConstantArgs: number;
  /** Bits, of the largest built-in type. */
  readonly memBaseAddrAlign: number;
  /** Bit fields of CL_FP_*. */
  readonly halfFpConfig: number;
  readonly singleFpConfig: number;
  readonly doubleFpConfig: number;
  readonly imageSupport: boolean;
  readonly maxReadImageArgs: number;
  readonly maxWriteImageArgs: number;
  readonly image2dMax: readonly [number, number];
  readonly image3dMax: Triple;
  readonly imageMaxBufferSize: number;
  readonly imageMaxArraySize: number;
  /** For 2D images whose pixels are a buffer's: in pixels. Absent on devices without such images (OpenCL 2.0, table 4.3). */
  readonly imagesOfBuffers?: { readonly pitchAlignment: number; readonly baseAlignment: number } | undefined;
  readonly maxSamplers: number;
  /** Absent on devices without pipes. */
  readonly pipes?: PipeLimits | undefined;
  readonly errorCorrection: boolean;
  readonly hostUnifiedMemory: boolean;
  /** Nanoseconds. */
  readonly profilingTimerResolution: number;
  readonly available: boolean;
  readonly compilerAvailable: boolean;
  readonly linkerAvailable: boolean;
  readonly nativeKernels: boolean;
  readonly outOfOrderQueues: boolean;
  readonly builtInKernels: readonly string[];
  readonly printfBufferSize: number;
  readonly partitionMaxSubDevices: number;
  /** Sub-groups of a work-group; 0 if it has none. */
  readonly maxNumSubGroups: number;
  /**
   * A bit field of CL_DEVICE_SVM_*; 0 without shared virtual memory. CL_DEVICE_SVM_FINE_GRAIN_SYSTEM holds where the context's
   * memory is the host program's own.
   */
  readonly svmCapabilities: number;
  /** Of the queues by which its kernels launch others; absent where they cannot. */
  readonly deviceQueues?: DeviceQueueLimits | undefined;
}

/** OpenCL 2.0, table 4.3. */
export interface PipeLimits {
  /** Of one kernel. */
  readonly maxArgs: number;
  /** Of one work-item or work-group, for one pipe. */
  readonly maxActiveReservations: number;
  readonly maxPacketSize: number;
}

export interface VectorWidths {
  readonly char: number;
  readonly short: number;
  readonly int: number;
  readonly long: number;
  readonly float: number;
  readonly double: number;
  readonly half: number;
}

/** Who offers a device; names after OpenCL 1.2, table 4.1. Devices of one platform share the same object. */
export interface PlatformInfo {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly profile: 'FULL_PROFILE' | 'EMBEDDED_PROFILE';
  readonly extensions: readonly string[];
}

/** A way to divide a device into sub-devices (OpenCL 1.2, 4.3). */
export type Partition =
  /** As many sub-devices as have so many compute units each. */
  | { readonly kind: 'equally'; readonly units: number }
  /** One sub-device for each count of compute units. */
  | { readonly kind: 'by-counts'; readonly counts: readonly number[] }
  /** One for each group of compute units that share a cache or memory: one bit of CL_DEVICE_AFFINITY_DOMAIN_*. */
  | { readonly kind: 'by-affinity-domain'; readonly domain: number };

/** How a device can be divided. The number of sub-devices is limited by DeviceInfo.partitionMaxSubDevices. */
export interface Partitions {
  readonly kinds: readonly Partition['kind'][];
  /** A bit field of CL_DEVICE_AFFINITY_DOMAIN_*. */
  readonly affinityDomains: number;
  /**
   * New devices for parts of the compute units. The caller has checked the partition against what is said here.
   * @throws OpenCLError CL_DEVICE_PARTITION_FAILED
   */
  divide(partition: Partition): readonly Device[];
}

/** A device of the machine, before any context uses it. */
export interface Device {
  /** A short word for command lines: `wasm`, `interpreter`. */
  readonly id: string;
  readonly info: DeviceInfo;
  /** Undefined for Millrace's own devices. */
  readonly platform?: PlatformInfo | undefined;
  /**
   * Nanoseconds for which a blocked host looks again and again before it sleeps, since its sleep and its waking take long
   * beside a launch. Only for devices that do not need the host's processors for their work.
   */
  readonly eagerWait?: number;
  /** It has a compiler of its own for OpenCL C, which may take sources that ours does not. */
  readonly compilesSource?: true;
  /** Absent where it cannot be divided. */
  readonly partitions?: Partitions | undefined;
  /** Its messages name places in the source, so a program is compiled anew rather than remembered. */
  readonly namesPlaces?: true;
  /** Its kernels run on the host thread, so that a program which never is in the event loop of its page can use it. */
  readonly startsThreads?: false;
  /**
   * The formats of images that kernels can use in a way. `objectType` is a cl_mem_object_type. The list is empty on devices
   * without images.
   */
  imageFormats(objectType: number, access: ImageAccess): readonly ImageFormat[];
  /**
   * Brings the code by which programs are built and run, where that is not there from the start; to be awaited before the device
   * is opened.
   */
  load?(): Promise<void>;
  /** Makes the device ready for a context. Must return soon: threads may still be starting. */
  open(host: DeviceHost): OpenDevice;
}

/** What a context offers its devices. */
export interface DeviceHost {
  readonly memory: DeviceMemory;
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly printing: Printing;
  /** The context's shared virtual memory, by ascending addresses. */
  readonly svm: Iterable<MemoryObject>;
  /** Puts a word of control memory on the list of doorbells that completions ring. */
  addDoorbell(word: number): void;
  removeDoorbell(word: number): void;
  /** A thread of the device has posted a message: the host looks at its list. */
  pump(): void;
  /** Asks to be called whenever the host thread looks around; true means that something was done. */
  onPump(task: () => boolean): void;
  /** Asks to be called while the host thread would otherwise sleep; true means that something was done. */
  onBlock(task: () => boolean): void;
  /** Calls `then` on the host thread when an event has ended, at once if it has. */
  whenDone(slot: number, then: () => void): void;
  /** How many devices the context has. */
  readonly deviceCount: number;
  /** The device keeps copies of buffers: the host must leave accesses to their bytes to its queues. */
  keepsCopies(): void;
  /** Asks to be told when memory is freed, by its address. */
  onFree(task: (address: number) => void): void;
  /** Frees device memory once all commands submitted so far are done. */
  freeLater(address: number): void;
  /** Does something once all commands submitted so far are done. */
  afterCommands(task: () => void): void;
  /** The device has died, and has failed its commands (EventTable.failOwned). */
  lost(error: OpenCLError): void;
  /** The thread whose life lasts as long as somebody awaits an event. */
  setKeepAlive(keep: (on: boolean) => void): void;
}

/** Keeps the machine code that devices make of one program, from one process to another. */
export interface CodeStore {
  /** What was kept for a variant: a word that says the device and all that the code depends on beside the program. */
  find(variant: string): Uint8Array | undefined;
  keep(variant: string, code: () => Uint8Array): void;
}

/** What a program is built from. */
export interface ProgramInput {
  /** OpenCL C, for devices with a compiler of their own; undefined for other languages. */
  readonly source: string | undefined;
  /** DeviceProgram.binary of a device that compiles sources; there is nothing else then. */
  readonly binary?: Uint8Array | undefined;
  /** As given to clBuildProgram. */
  readonly options: string;
  /** Whether our front end takes the program. If not, there is no IR, only `source` for a device that compiles it. */
  readonly isChecked: boolean;
  /** Whether all kernels are wanted at once: devices that compile a kernel when it is first launched do so in the build. */
  readonly isEarly?: boolean | undefined;
  /** The units of work that compiling a kernel may take (src/source/build-budget.ts); undefined for the usual number. */
  readonly budget?: number | undefined;
  /** Where machine code for the program can be kept, if it can. */
  readonly code?: CodeStore | undefined;
  /**
   * The program in IR, linked with the library, new at every call: passes rewrite it in place.
   * @param singles whether functions of float are to compute in float alone, as doubles are slow
   */
  lower(singles?: boolean): Module;
}

/** A device in a context. */
export interface OpenDevice {
  readonly device: Device;
  /**
   * Builds a program. May block the host thread where that is allowed.
   * @throws BuildFailure if the device refuses it, OpenCLError CL_INVALID_OPERATION if it would have to block and cannot
   */
  build(input: ProgramInput): DeviceProgram;
  /** The same without blocking. */
  buildAsync(input: ProgramInput): Promise<DeviceProgram>;
  createQueue(options: QueueOptions): DeviceQueue;
  /** The queues by which its kernels launch others; absent where they cannot. */
  readonly onDeviceQueues?: OnDeviceQueues;
  /**
   * Has the device draw on a canvas from its own memory, from now on and alone; absent where it cannot. The canvas is transferred.
   * @throws OpenCLError CL_OUT_OF_RESOURCES if it cannot be drawn on
   */
  openScreen?(canvas: OffscreenCanvas): Promise<DeviceScreen>;
  /** Begins to note what the device's threads do; absent where that cannot be known. */
  watchThreads?(): ThreadWatch;
  /** Ends the device's threads. The context is gone; running commands are abandoned. */
  close(): void;
}

/** A device's own compiler refused a program. */
export class BuildFailure extends Error {
  readonly log: string;

  constructor(log: string) {
    super(log);
    this.name = 'BuildFailure';
    this.log = log;
  }
}

/** A program built for a device. */
export interface DeviceProgram {
  readonly kernels: readonly DeviceKernel[];
  /** What the device's compiler said, beside our own diagnostics. */
  readonly log: string;
  /** The machine code, for people and for binaries. */
  readonly binary: Uint8Array;
  /** Bytes of its variables in global memory (CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE). */
  readonly globalVariableBytes: number;
  /**
   * Of a device that compiles kernels when they are first launched, which does not wait for anything: compiles them now, if they are few.
   * @returns whether no part of the compiler (src/parts) was missing, and none will be for launches
   */
  compilesNow?(): boolean;
  /** The host needs it no more; commands under way may. */
  release(): void;
}

export interface DeviceKernel {
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes | undefined;
  /** Bytes of local memory that its own variables take. */
  readonly localBytes: number;
  /** Bytes of private memory a work-item. */
  readonly privateBytes: number;
  readonly maxWorkGroupSize: number;
  readonly preferredWorkGroupMultiple: number;
  /**
   * What runs when it is launched with these arguments and sizes, where devices have several forms of a kernel; `local` is what the host
   * gives, which nobody has checked.
   */
  forLaunch?(
    values: readonly KernelArgument[],
    global: Triple,
    local: readonly number[] | null | undefined,
  ): DeviceKernel;
  /** The local size to use when the host gives none: it divides `global`, or is `deviceChoosesLocal`. */
  chooseLocalSize(dimensions: 1 | 2 | 3, global: Triple, localBytes: number): Triple;
  /** Why a launch with these sizes cannot run, or undefined. */
  refuses(local: Triple, dynamicLocalBytes: number): string | undefined;
}

export interface KernelParameter {
  /** For `image`, `sampler` and `pipe`, `info.handle` says more. */
  readonly kind:
    | 'value'
    | 'aggregate'
    | 'global'
    | 'constant'
    | 'local'
    | 'image'
    | 'sampler'
    | 'pipe'
    | 'queue';
  /**
   * Bytes of a value (0 if only the device's compiler knows); of a pointer, those of an address; of an image, those of its descriptor's; of a sampler or a pipe, 4.
   */
  readonly size: number;
  readonly align: number;
  readonly info: ParameterInfo | undefined;
}

export interface QueueOptions {
  readonly outOfOrder: boolean;
  /** Milliseconds that one launch may run; 0 for ever. A launch beyond it fails with CL_OUT_OF_RESOURCES. */
  readonly timeout: number;
  /** Whether the program may ask when commands began and ended; else a device need not find out. */
  readonly profiling: boolean;
}

/** A device's end of a command queue. */
export interface DeviceQueue {
  /** Which queue of the context it is, as a number that is not 0 and that no other one alive has: see EventTable.setOwner. */
  readonly owner: number;
  /** Takes a command. Never blocks. The references of its event and waits are the device's now. */
  submit(command: Command): void;
  /** All submitted commands will run without further calls. */
  flush(): void;
  /** Number of commands of which all earlier ones are complete too; counts up to the number submitted. */
  completed(): number;
  /** Resolves when the device's threads run; absent where there is nothing to wait for. */
  ready?(): Promise<void>;
  /** No more commands will come; those submitted still run. */
  release(): void;
}
