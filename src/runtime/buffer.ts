/** A range of a context's memory that outlives its release until the commands using it are done. */
import type { KernelAccess, MemoryObject } from './command.ts';
import type { Context, QueueMark } from './context.ts';
import type { ImageShape } from './image-shape.ts';
import type { CommandQueue } from './queue.ts';

/** The bytes and who used them last; apart from the Buffer so that they can be freed after it is collected. */
class Storage {
  readonly #context: Context;
  /** Undefined for bytes that are the host's own. */
  readonly #address: number | undefined;
  readonly #marks = new Map<CommandQueue, QueueMark>();
  readonly isSvm: boolean;
  /** How often the host has been given the bytes; NaN where they are its own. */
  touches = 0;

  constructor(context: Context, address: number | undefined, isSvm = false) {
    this.#context = context;
    this.#address = address;
    this.isSvm = isSvm;
    if (isSvm || this.isHosts) this.touches = Number.NaN;
  }

  get isHosts(): boolean {
    return this.#address === undefined;
  }

  use(mark: QueueMark): void {
    this.#marks.set(mark.queue, mark);
  }

  /** Calls `then` when all commands that use the bytes have ended: at once if there are none. */
  whenUnused(then: () => void): void {
    const marks = [...this.#marks.values()];
    const open = marks.filter(({ queue, count }) => !queue.hasPassed(count) && !queue.isOver);
    let left = open.length;
    if (left === 0) then();
    for (const { queue } of open) {
      queue.whenEmpty(() => {
        left -= 1;
        if (left === 0) then();
      });
    }
  }

  free(): void {
    if (this.#address !== undefined) this.#context.freeAfter(this.#address, this.#marks.values());
  }
}

export class RuntimeBuffer implements MemoryObject {
  readonly context: Context;
  readonly address: number;
  readonly size: number;
  readonly parent: RuntimeBuffer | undefined;
  readonly image: ImageShape | undefined;
  /** Set by who makes it for a host that has said so. */
  kernelAccess: KernelAccess | undefined;
  readonly #storage: Storage;
  #released = false;

  private constructor(
    context: Context,
    address: number,
    size: number,
    parent: RuntimeBuffer | undefined,
    storage: Storage,
    image?: ImageShape,
  ) {
    this.image = image;
    this.context = context;
    this.address = address;
    this.size = size;
    this.parent = parent;
    this.#storage = storage;
  }

  /** `image` if the bytes are an image's. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  static create(context: Context, size: number, image?: ImageShape): RuntimeBuffer {
    const address = context.allocate(size);
    const storage = new Storage(context, address);
    const buffer = new RuntimeBuffer(context, address, size, undefined, storage, image);
    context.whenCollected(buffer, () => storage.free());
    return buffer;
  }

  /** Of bytes that lie in the context's memory already and stay the host's: see DeviceMemory.holds. */
  static over(context: Context, bytes: Uint8Array, image?: ImageShape): RuntimeBuffer {
    const storage = new Storage(context, undefined);
    return new RuntimeBuffer(context, bytes.byteOffset, bytes.byteLength, undefined, storage, image);
  }

  /**
   * Of shared virtual memory, which nobody may give back but its owner: addresses of it may be anywhere.
   * @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  static createSvm(context: Context, size: number): RuntimeBuffer {
    const address = context.allocate(size);
    return new RuntimeBuffer(context, address, size, undefined, new Storage(context, address, true));
  }

  /** A part of this buffer, which keeps the whole alive. */
  part(origin: number, size: number): RuntimeBuffer {
    const part = new RuntimeBuffer(this.context, this.address + origin, size, this, this.#storage);
    part.kernelAccess = this.kernelAccess;
    return part;
  }

  /** Whether the bytes are the host's own: see {@link over}. */
  get isHosts(): boolean {
    return this.#storage.isHosts;
  }

  get isSvm(): boolean {
    return this.#storage.isSvm;
  }

  get touches(): number {
    return this.#storage.touches;
  }

  /** The bytes [offset, offset + bytes) as of now, not copied; see DeviceMemory for how long that lasts. */
  view(offset: number, bytes: number): Uint8Array {
    this.touch();
    return this.context.memory.bytes.subarray(this.address + offset, this.address + offset + bytes);
  }

  /** The host sees the bytes from now on. */
  touch(): void {
    this.#storage.touches += 1;
  }

  /** Remembers that a command uses the bytes. */
  use(mark: QueueMark): void {
    this.#storage.use(mark);
  }

  /** Calls `then` when all commands that use the bytes so far have ended, well or not: at once if there are none. */
  whenUnused(then: () => void): void {
    this.#storage.whenUnused(then);
  }

  /** The owner needs it no more. Parts keep nothing by themselves: release them first. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.parent) return;
    this.context.forget(this);
    this.#storage.free();
  }
}
