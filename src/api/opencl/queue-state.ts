/**
 * What all commands of a queue share: its context, device and properties, what they wait for, the event that they give. CLCommandQueue
 * (queue.ts) is this and the commands of the files in `commands`, each of which stands on this alone.
 */
import type { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { CommandBody } from '../../runtime/command.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import type { RuntimeEvent } from '../../runtime/event.ts';
import { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { CLEvent, type WaitList, waitListOf } from './event.ts';
import { checkHandle, Handle, isBitsOf, shownBits } from './handle.ts';
import type { CLMemory } from './memory.ts';
import type { CLDevice } from './platform.ts';
import type { CLCommandQueue } from './queue.ts';
import { hostBytes } from './ranges.ts';

/** What clCreateCommandQueue has no parameter for. */
export interface QueueExtras {
  /** Milliseconds that one launch may run before it fails with CL_OUT_OF_RESOURCES; default 0, for ever. */
  readonly timeout?: number | undefined;
}

function dropping(runtime: CommandQueue): () => void {
  return () => runtime.drop();
}

export abstract class QueueState extends Handle {
  protected readonly kind = { error: 'CL_INVALID_COMMAND_QUEUE', noun: 'command queue' } as const;
  readonly context: CLContext;
  readonly device: CLDevice;
  readonly properties: number;
  /** The list that it was created with (CL_QUEUE_PROPERTIES_ARRAY). */
  propertyList: readonly number[] = [];
  protected readonly runtime: CommandQueue;

  /** Queues come from CLContext.createCommandQueue. */
  constructor(context: CLContext, device: CLDevice, properties: number, extras: QueueExtras) {
    super();
    const known = CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_PROFILING_ENABLE;
    if (!isBitsOf(properties, known)) {
      throw new OpenCLError('CL_INVALID_VALUE', `queue properties ${shownBits(properties)} are not defined`);
    }
    const outOfOrder = (properties & CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
    if (outOfOrder && !device.runtime.info.outOfOrderQueues) {
      throw new OpenCLError('CL_INVALID_QUEUE_PROPERTIES', 'the device has no out-of-order queues');
    }
    const { timeout = 0 } = extras;
    if (!(timeout >= 0)) throw new OpenCLError('CL_INVALID_VALUE', `a time-out of ${timeout} ms`);
    this.context = context;
    this.device = device;
    this.properties = properties;
    this.runtime = new CommandQueue(context.runtime, device.runtime, {
      outOfOrder,
      timeout,
      profiling: (properties & CL.QUEUE_PROFILING_ENABLE) !== 0,
    });
    context.life.attach(this, dropping(this.runtime));
  }

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  get isProfiling(): boolean {
    return (this.properties & CL.QUEUE_PROFILING_ENABLE) !== 0;
  }

  /**
   * A command that moves no byte, or nothing but its event where there is nothing to wait for. It is none of a program's markers:
   * without a wait list it does not wait for what an out-of-order queue holds.
   */
  protected marker(
    type: number,
    body: Extract<CommandBody, { kind: 'marker' }>,
    waits: readonly RuntimeEvent[],
    uses: readonly RuntimeBuffer[],
  ): RuntimeEvent {
    if (!this.context.runtime.hasCopies && this.runtime.isReady(waits))
      return this.runtime.completed(type, waits);
    return this.runtime.enqueue(type, { ...body, gathers: false }, waits, uses);
  }

  /** The first `numBytes` bytes of a host array. @throws OpenCLError CL_INVALID_VALUE if it has fewer */
  protected hostPart(hostPtr: HostBytes, numBytes: number): Uint8Array {
    const bytes = hostBytes(hostPtr);
    if (bytes.length < numBytes) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `the host array has ${bytes.length} bytes; ${numBytes} are needed`,
      );
    }
    return bytes.subarray(0, numBytes);
  }

  /** Checks the queue and a memory object of the class, in this order. */
  protected checkMemory<T extends CLMemory>(memory: T, kind: abstract new (...args: never[]) => T): void {
    this.check();
    checkHandle(memory, kind, 'CL_INVALID_MEM_OBJECT');
    if (memory.context !== this.context) {
      throw new OpenCLError('CL_INVALID_CONTEXT', 'the memory object belongs to another context');
    }
  }

  /**
   * What a command waits for. Checks the event that the call was given, too. Only some commands may wait for fences of
   * OpenGL (OpenCL 1.2 extensions, 9.8.2).
   * @throws OpenCLError CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT, CL_INVALID_EVENT
   */
  protected waits(
    list: WaitList,
    event: CLEvent | null | undefined,
    mayWaitForFences = false,
  ): readonly RuntimeEvent[] {
    const waits = waitListOf(list, this.context);
    if (!mayWaitForFences && list?.some((each) => each.isOfFence)) {
      throw new OpenCLError(
        'CL_INVALID_EVENT',
        'only the acquiring of objects of OpenGL waits for its fences',
      );
    }
    this.#checkEvent(event);
    return waits;
  }

  #checkEvent(event: CLEvent | null | undefined): void {
    if (event === null || event === undefined) return;
    checkHandle(event, CLEvent, 'CL_INVALID_EVENT');
    if (event.isFilled) throw new OpenCLError('CL_INVALID_EVENT', 'the event already belongs to a command');
  }

  /** @throws OpenCLError CL_INVALID_VALUE for flags that do not exist or exclude each other */
  protected checkMapFlags(mapFlags: number): void {
    const known = CL.MAP_READ | CL.MAP_WRITE | CL.MAP_WRITE_INVALIDATE_REGION;
    const others = CL.MAP_READ | CL.MAP_WRITE;
    if (!isBitsOf(mapFlags, known) || (mapFlags & CL.MAP_WRITE_INVALIDATE_REGION && mapFlags & others)) {
      throw new OpenCLError('CL_INVALID_VALUE', `map flags ${shownBits(mapFlags)} are not defined together`);
    }
  }

  /** Whether the flags of an object allow the host what a mapping with these flags does. */
  protected checkMapAccess(memory: CLMemory, mapFlags: number): void {
    if (mapFlags & CL.MAP_READ) this.hostMayRead(memory);
    if (mapFlags & (CL.MAP_WRITE | CL.MAP_WRITE_INVALIDATE_REGION)) this.hostMayWrite(memory);
  }

  protected hostMayRead(memory: CLMemory): void {
    if (memory.flags & (CL.MEM_HOST_WRITE_ONLY | CL.MEM_HOST_NO_ACCESS)) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the memory object was created without read access for the host',
      );
    }
  }

  protected hostMayWrite(memory: CLMemory): void {
    if (memory.flags & (CL.MEM_HOST_READ_ONLY | CL.MEM_HOST_NO_ACCESS)) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the memory object was created without write access for the host',
      );
    }
  }

  /** Whether a program wants no event of its command. Those in C have said so if they want one. */
  protected wantsNone(event: CLEvent | null | undefined): boolean {
    return event === null || (event === undefined && this.context.runtime.releasesAll);
  }

  /**
   * The command's event: the one that the call was given, filled in, or a new one. Who gives null wants none, and gets one that
   * belongs to no command.
   */
  protected give(runtime: RuntimeEvent, event: CLEvent | null | undefined): CLEvent {
    const given = event ?? new CLEvent();
    if (this.wantsNone(event)) runtime.release();
    // CLCommandQueue is the only class that there are objects of.
    else given.fill(runtime, this.context, this as QueueState as CLCommandQueue);
    return given;
  }

  /** A command that does nothing but wait. */
  protected synchronise(
    type: number,
    kind: 'marker' | 'barrier',
    eventWaitList: WaitList,
    event: CLEvent | null | undefined,
  ): CLEvent {
    this.check();
    const waits = this.waits(eventWaitList, event);
    return this.give(this.runtime.enqueue(type, { kind }, waits), event);
  }
}
