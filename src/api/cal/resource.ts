/**
 * Resources: rows of elements of one format, in the memory of a device (local) or of the system (remote). Here both lie in the
 * memory that host and devices share; what is called local or remote differs in who may use it and in whose budget it is.
 */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { CommandBody } from '../../runtime/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import type { RuntimeEvent } from '../../runtime/event.ts';
import { mayBlock } from '../../runtime/host.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { readBuffer, writeBuffer } from '../../runtime/transfer.ts';
import type { Command } from './command.ts';
import * as C from './constants.ts';
import type { Mem } from './context.ts';
import type { CalDevice } from './device.ts';
import { pitchAlignment } from './devices.ts';
import { CalError, failed } from './error.ts';
import type { Format, ResourceData } from './formats.ts';
import { CalObject } from './handles.ts';

export interface Shape {
  readonly dimensions: 1 | 2;
  readonly width: number;
  readonly height: number;
  readonly format: Format;
  /** From a row to the next, in elements. */
  readonly pitch: number;
  readonly bytes: number;
}

export function shapeOf(dimensions: 1 | 2, width: number, height: number, format: Format): Shape {
  const pitch = roundUp(width, pitchAlignment);
  return { dimensions, width, height, format, pitch, bytes: pitch * height * format.bytes };
}

/** Whose memory it is: of one device, of the system for some devices, or the program's own. */
export type Place = 'local' | 'uncached' | 'cached' | 'pinned';

export class Resource extends CalObject {
  readonly shape: Shape;
  readonly place: Place;
  /** Those that may use it; of a local resource the one whose memory it is. */
  readonly devices: readonly CalDevice[];
  readonly isGlobalBuffer: boolean;
  /** The device in whose budget it is, and with which it ends: the first of those that are open. */
  owner: CalDevice;
  readonly context: Context;
  readonly buffer: RuntimeBuffer;
  /** The program's array, if it is pinned and lies outside of device memory. */
  readonly pinned: HostBytes | undefined;
  /** The memory handles that contexts have for it. */
  readonly mems = new Set<Mem>();
  /** Dispatched commands that use it and may not have ended. */
  commands: Command[] = [];
  #isMapped = false;
  /** Brings what the host has changed to a device with copies. */
  #queue: CommandQueue | undefined;

  /**
   * @param memory the program's own, for pinned resources
   * @throws OpenCLError if there is no memory
   */
  constructor(
    shape: Shape,
    place: Place,
    devices: readonly CalDevice[],
    isGlobalBuffer: boolean,
    memory?: HostBytes,
  ) {
    super();
    this.shape = shape;
    this.place = place;
    this.devices = devices;
    this.owner = devices[0]!;
    this.isGlobalBuffer = isGlobalBuffer;
    this.context = devices[0]!.context;
    const holds = memory !== undefined && this.context.memory.holds(memory);
    this.pinned = holds ? undefined : memory;
    this.buffer = holds
      ? RuntimeBuffer.over(this.context, new Uint8Array(memory.buffer, memory.byteOffset, shape.bytes))
      : RuntimeBuffer.create(this.context, shape.bytes);
  }

  get isMapped(): boolean {
    return this.#isMapped;
  }

  /** Its bytes as they are now, if the host sees them without asking the device. */
  get bytesNow(): Uint8Array | undefined {
    if (this.context.hasCopies) return undefined;
    return this.pinnedBytes ?? this.buffer.view(0, this.shape.bytes);
  }

  /** Whether dispatched commands still use it. */
  get isBusy(): boolean {
    this.commands = this.commands.filter((command) => !command.isDone);
    return this.commands.length > 0;
  }

  /**
   * Its elements, row after row, for the host. Commands that were dispatched end first, if this thread may wait; otherwise
   * that is the program's to see to, as the guide has it.
   * @throws CalError CAL_RESULT_ALREADY if it is mapped
   */
  map(): ResourceData {
    this.#checkUnmapped();
    this.#settle();
    return this.#mapped();
  }

  /** Waits for dispatched commands, if this thread may. */
  #settle(): void {
    if (mayBlock() || !this.context.memory.shared) for (const command of this.commands) command.wait();
  }

  #checkUnmapped(): void {
    if (this.#isMapped) throw new CalError(C.CAL_RESULT_ALREADY, 'the resource is mapped already');
  }

  #mapped(): ResourceData {
    const { shape, buffer, context, pinned } = this;
    if (context.hasCopies) {
      this.#queue ??= this.devices[0]!.newQueue();
      this.#marker({ reads: { memory: buffer, offset: 0 } });
    }
    const { array, components } = shape.format;
    this.#isMapped = true;
    context.memory.mapped += 1;
    const length = shape.pitch * shape.height * components;
    if (pinned) return new array(pinned.buffer as ArrayBuffer, pinned.byteOffset, length);
    const view = buffer.view(0, shape.bytes);
    return new array(view.buffer as ArrayBuffer, view.byteOffset, length);
  }

  /** @throws CalError CAL_RESULT_ERROR if it is not mapped */
  unmap(): void {
    if (!this.#isMapped) throw failed('the resource is not mapped');
    this.#isMapped = false;
    this.context.memory.mapped -= 1;
    if (this.#queue) this.#marker({ writes: { memory: this.buffer, offset: 0 } });
  }

  /** A device with copies is told that the host reads or has written. */
  #marker(ranges: Pick<Extract<CommandBody, { kind: 'marker' }>, 'reads' | 'writes'>): void {
    const event = this.#queue!.enqueue(0, { kind: 'marker', ...ranges }, [], [this.buffer]);
    event.wait();
    const { error } = event;
    event.release();
    if (error) throw error;
  }

  /** Gives the memory back, once no command uses it. The program may free what it pinned as soon as this has returned. */
  free(): void {
    if (this.place === 'pinned') this.#settle();
    if (this.#isMapped) {
      this.#isMapped = false;
      this.context.memory.mapped -= 1;
    }
    this.#queue?.release();
    // Queues keep what their commands use; what the host does itself, nobody else keeps.
    const byHost = this.isBusy ? this.commands.filter(({ isByHost }) => isByHost) : [];
    if (byHost.length === 0) this.buffer.release();
    else void Promise.allSettled(byHost.map(({ ended }) => ended)).then(() => this.buffer.release());
  }

  /** Whether a dispatched command of a context has yet to change it. */
  isWrittenBy(owner: object): boolean {
    return this.isBusy && this.commands.some((command) => command.owner === owner && command.writes(this));
  }

  /** Before a command on `queue`, which follows `waits`, uses what the program pinned outside of device memory. */
  bringIn(queue: CommandQueue, waits: readonly RuntimeEvent[]): void {
    const bytes = this.pinnedBytes;
    if (bytes) writeBuffer(queue, this.buffer, 0, bytes, { type: 0, blocking: false, waits }).release();
  }

  /** After a command on `queue` has changed it; the event is that of the copy, undefined if none is needed. */
  bringBack(queue: CommandQueue): RuntimeEvent | undefined {
    const bytes = this.pinnedBytes;
    return bytes && readBuffer(queue, this.buffer, 0, bytes, { type: 0, blocking: false, waits: [] });
  }

  /** The program's array, if it is pinned outside of device memory. */
  get pinnedBytes(): Uint8Array | undefined {
    const { pinned, shape } = this;
    return pinned && new Uint8Array(pinned.buffer, pinned.byteOffset, shape.bytes);
  }
}

/** @throws the error, as one of CAL */
export function orFailed<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof OpenCLError) throw failed(error.message);
    throw error;
  }
}
