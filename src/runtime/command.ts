/**
 * Commands as the runtime hands them to a device's queue. Ranges of memory name a memory object and an offset, so
 * that a device with memory of its own can find its copy; a device that works in the context's memory adds the
 * object's address.
 */
import type { DeviceKernel } from './device.ts';
import type { ImageShape } from './image-shape.ts';
import type { PrintFunction } from './printing.ts';

/** What devices know of a buffer, or of the pixels of an image. */
export interface MemoryObject {
  /** Where its bytes begin in the context's memory. */
  readonly address: number;
  readonly size: number;
  /** The buffer that it is a part of. Devices with memory of their own keep copies of whole buffers only. */
  readonly parent?: MemoryObject | undefined;
  /** How pixels lie in it, if it was made for an image: devices with memory of their own keep an image of it. */
  readonly image?: ImageShape | undefined;
  /** It is shared virtual memory, or a part of it: to kernels it has the address that it has to the host. */
  readonly isSvm?: boolean | undefined;
  /** What the host has said kernels do with it; absent for both. Only devices that check look at it. */
  readonly kernelAccess?: KernelAccess | undefined;
  /** How often hosts have been given its bytes, to read or to write; not a number where they may write them at any time. */
  readonly touches?: number | undefined;
}

export type KernelAccess = 'read-only' | 'write-only';

export interface MemoryRange {
  readonly memory: MemoryObject;
  /** Bytes from the beginning of the object. */
  readonly offset: number;
}

/** The value of one kernel parameter. */
export type KernelArgument =
  | { readonly kind: 'value'; readonly bytes: Uint8Array }
  /** A buffer, or a null pointer. */
  | { readonly kind: 'memory'; readonly range: MemoryRange | undefined }
  /** Local memory of so many bytes, one for each work-group. */
  | { readonly kind: 'local'; readonly bytes: number }
  | ImageArgument
  /** The bits of src/runtime/image-descriptor.ts. */
  | { readonly kind: 'sampler'; readonly bits: number };

/** An image: its pixels, and its descriptor in the context's memory for devices that work there. */
export interface ImageArgument {
  readonly kind: 'image';
  readonly pixels: MemoryRange;
  readonly descriptor: MemoryRange;
  readonly shape: ImageShape;
}

export type Triple = readonly [number, number, number];

/** The local size of a launch whose device finds one itself, when the command runs. */
export const deviceChoosesLocal: Triple = [0, 0, 0];

/** A rectangle in memory: bytes to a row, rows to a slice (OpenCL 1.2, 5.2.2). */
export interface RectangleRange extends MemoryRange {
  readonly rowPitch: number;
  readonly slicePitch: number;
}

export type CommandBody =
  /** Runs a kernel. `local` divides `global` or is {@link deviceChoosesLocal}; unused dimensions are 1 with offset 0. */
  | {
      readonly kind: 'launch';
      readonly kernel: DeviceKernel;
      readonly arguments: readonly KernelArgument[];
      readonly dimensions: 1 | 2 | 3;
      readonly offset: Triple;
      readonly global: Triple;
      readonly local: Triple;
      /** Takes what it prints, in the place of the context's print function. */
      readonly print?: PrintFunction | undefined;
    }
  /** Copies bytes; the ranges may overlap. */
  | {
      readonly kind: 'copy';
      readonly source: MemoryRange;
      readonly target: MemoryRange;
      readonly bytes: number;
    }
  /**
   * `region` is bytes in a row, rows, slices; the offsets are those of the first byte. Pitches of 0 on the side of the
   * source repeat its row, which is then a range of no buffer.
   */
  | {
      readonly kind: 'copy-rectangle';
      readonly source: RectangleRange;
      readonly target: RectangleRange;
      readonly region: Triple;
    }
  /** Repeats a pattern; `bytes` is a multiple of its length. */
  | {
      readonly kind: 'fill';
      readonly target: MemoryRange;
      readonly bytes: number;
      readonly pattern: Uint8Array;
    }
  /**
   * Does nothing, once its waits and, with an empty wait list, all earlier commands are done; but the host's view of what
   * it `reads` is then up to date, and what the host has changed in what it `writes` counts from now on.
   * `gathers: false` makes an empty wait list mean what it means for commands that are no markers: nothing to wait for.
   */
  | {
      readonly kind: 'marker';
      readonly reads?: MemoryRange;
      readonly writes?: MemoryRange;
      readonly gathers?: false;
    }
  /** A marker that no later command of the queue may overtake. */
  | { readonly kind: 'barrier' }
  /**
   * Something only the host thread can do, such as copying to an ordinary typed array. When its turn comes the device
   * starts the event, sees to it that host-visible memory is up to date, and calls the host, which completes the event.
   */
  | {
      readonly kind: 'host';
      readonly reads?: MemoryRange;
      readonly writes?: MemoryRange;
      /** How many bytes it moves, where that is known: for those who watch. */
      readonly bytes?: number;
    };

/** A command with its event and what it waits for, as slots of the context's event table. */
export interface Command {
  readonly body: CommandBody;
  /** The device releases it after completing it. */
  readonly event: number;
  /** The device releases each when it has looked at it for the last time. */
  readonly waits: readonly number[];
}
