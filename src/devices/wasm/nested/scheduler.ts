/**
 * A thread's end of the queues that a device has for its kernels (OpenCL 2.0, 6.13.17). Kernels call it, in the middle of
 * their work-groups, to put launches into a queue; compute threads take these from there by themselves, so that neither the
 * host nor the processor is on the way. All that threads share lies in control memory (words.ts) and is changed by atomic
 * operations alone.
 *
 * A launch is released when nothing is left that it waits for: `waits` counts its events, and one more for the call that
 * makes it, or the kernel or work-group that is to end before. It then lies in the ring of its queue. Who takes it and finds
 * that there is more than one chunk puts it back for the next thread before it begins. Who leaves it last ends it.
 *
 * A launch of the host is complete when all that it led to is. So is each launch whose event somebody knows; of the others
 * nobody can tell, and their children count for the nearest launch around of which somebody can (`scope`). So a chain
 * of kernels that launch each other needs no more records the longer it gets. What a launch has is given back before
 * anything is released that waits for its end, so that it is free for these however long the system holds the thread up.
 *
 * What holds, and conformance/models (`nested-chunks`, `nested-deferred`, `nested-scopes`) looks for in every order of steps: each chunk is run once; a launch
 * begins once, and not before what it waits for; its record, nodes and event come back once; an event ends, and the launch of the host is
 * complete, once, when all that it led to has ended.
 */
import { launchOffsets } from '../../../codegen/wasm/module/abi.ts';
import { enqueueFlags, type LaunchRequest, queueStatus } from '../../../ir/device-queues.ts';
import type { ControlMemory } from '../../../runtime/control-memory.ts';
import { executionStatus } from '../../../runtime/status.ts';
import { encodeLaunch, shapeOf } from '../launch-encoding.ts';
import type { LaunchTable } from '../launch-table.ts';
import { launchBlockBytes, launchWords, poolWords, type SharedLayout } from '../shared-layout.ts';
import { failedWait, NestedEvents } from './events.ts';
import type { QueueCalls } from './imports.ts';
import { DeviceView } from './memory-view.ts';
import { QueueTable } from './queue-table.ts';
import { type NestedKernel, readRequest } from './read-request.ts';
import { pushTo, takeFrom } from './shared-ring.ts';
import { putInto, takeOne } from './shared-set.ts';
import { nestedEvent, nestedLaunch, nestedWords, queueRecord, smallBlockBytes } from './words.ts';

export class NestedScheduler implements QueueCalls {
  readonly #control: ControlMemory;
  readonly #layout: SharedLayout;
  readonly #launches: LaunchTable;
  readonly #table: number;
  readonly #view: DeviceView;
  readonly #queues: QueueTable;
  readonly #events: NestedEvents;
  /** What this thread runs: the slot of the host's launch, the nested launch or 0, and its program's kernels. */
  #slot = 0;
  #launch = 0;
  #kernels: readonly { readonly nested: NestedKernel | undefined }[] = [];
  /** Launches that wait for the work-group that this thread runs. */
  readonly #forGroup: number[] = [];

  constructor(
    control: ControlMemory,
    memory: WebAssembly.Memory,
    layout: SharedLayout,
    launches: LaunchTable,
  ) {
    this.#control = control;
    this.#layout = layout;
    this.#launches = launches;
    this.#table = layout.nested;
    this.#view = new DeviceView(memory);
    this.#queues = new QueueTable(control, layout.nested);
    this.#events = new NestedEvents(control, this.#view, layout.nested, this.#queues, (launch) =>
      this.#release(launch),
    );
    launches.onEnd = (slot) => this.#hostLaunchEnded(slot);
  }

  // ------------------------------------------------------------------------------------- what threads run

  /** From here on kernels of this thread belong to a launch of the host, or one that it led to (else 0). */
  begin(
    slot: number,
    launch: number,
    kernels: readonly { readonly nested: NestedKernel | undefined }[],
  ): void {
    this.#queues.reach();
    this.#slot = slot;
    this.#launch = launch;
    this.#kernels = kernels;
  }

  /** Whether there are queues of kernels at all. */
  get isUsed(): boolean {
    return this.#queues.count > 0;
  }

  /** Whether launches wait for the work-group that this thread runs, which only this thread knows of. */
  get isHolding(): boolean {
    return this.#forGroup.length > 0;
  }

  /** The work-groups of a chunk have run. */
  chunkEnded(): void {
    for (const launch of this.#forGroup.splice(0)) this.#release(launch);
  }

  /** A launch that may begin; 0 for none. */
  take(): number {
    const count = this.#queues.count;
    for (let queue = 1; queue <= count; queue += 1) {
      const record = this.#queues.record(queue);
      const { words } = this.#control;
      const launch = record === 0 ? -1 : takeFrom(words, words[record + queueRecord.ready]!);
      if (launch >= 0) return launch;
    }
    return 0;
  }

  /** The number of the next chunk of a launch that was taken, or -1. The first marks it as running. */
  chunkOf(launch: number): number {
    const { words } = this.#control;
    const slot = this.#launches.base(words[launch + nestedLaunch.slot]!);
    if (words[launch + nestedLaunch.failed] !== 0 || Atomics.load(words, slot + launchWords.failed) !== 0) {
      Atomics.store(words, launch + nestedLaunch.next, words[launch + nestedLaunch.chunks]!);
      return -1;
    }
    const chunks = words[launch + nestedLaunch.chunks]!;
    if (Atomics.load(words, launch + nestedLaunch.next) >= chunks) return -1;
    const chunk = Atomics.add(words, launch + nestedLaunch.next, 1);
    if (chunk === 0) this.#started(launch);
    return chunk < chunks ? chunk : -1;
  }

  /** Lets another thread at a launch that has more chunks. */
  passOn(launch: number): void {
    const { words } = this.#control;
    if (Atomics.load(words, launch + nestedLaunch.next) >= words[launch + nestedLaunch.chunks]!) return;
    Atomics.add(words, launch + nestedLaunch.visitors, 1);
    this.#makeReady(launch);
  }

  /** A thread runs no more chunks of a launch that it has taken. */
  leave(launch: number): void {
    this.#queues.reach();
    const { words } = this.#control;
    if (Atomics.sub(words, launch + nestedLaunch.visitors, 1) !== 1) return;
    const event = words[launch + nestedLaunch.event]!;
    if (event !== 0) this.#events.time(event, nestedEvent.ended);
    const deferred = Atomics.exchange(words, launch + nestedLaunch.deferred, 0);
    const slot = words[launch + nestedLaunch.slot]!;
    this.#freeLarge(launch);
    const first = event === 0 ? this.#free(launch) : launch;
    this.#releaseDeferred(deferred);
    this.#settle(first, slot);
  }

  /** Completes an event of a kernel's making with an error, if nobody has completed it. */
  failUserEvent(event: number): boolean {
    return this.#events.endUser(event, failedWait);
  }

  #started(launch: number): void {
    const { words } = this.#control;
    const event = words[launch + nestedLaunch.event]!;
    if (event === 0) return;
    this.#events.time(event, nestedEvent.started);
    Atomics.store(words, event + nestedEvent.status, executionStatus.running);
  }

  #hostLaunchEnded(slot: number): void {
    this.#queues.reach();
    const { words } = this.#control;
    const place = this.#launches.base(slot) + launchWords.deferred;
    if (Atomics.load(words, place) !== 0) this.#releaseDeferred(Atomics.exchange(words, place, 0));
  }

  /** Counts a launch as complete for its scope, and the scope for its own if it is the last. */
  #settle(first: number, slot: number): void {
    const { words } = this.#control;
    let launch = first;
    while (launch !== 0) {
      if (Atomics.sub(words, launch + nestedLaunch.pending, 1) !== 1) return;
      const status = words[launch + nestedLaunch.failed] === 0 ? executionStatus.complete : failedWait;
      const event = words[launch + nestedLaunch.event]!;
      launch = this.#free(launch);
      this.#events.end(event, status);
    }
    this.#launches.settle(slot);
  }

  /** Gives a record back; the scope that it had. */
  #free(launch: number): number {
    const { words } = this.#control;
    const scope = words[launch + nestedLaunch.scope]!;
    const free = this.#queues.word(words[launch + nestedLaunch.queue]!, queueRecord.freeRecords);
    putInto(this.#control.words, free, words[launch + nestedLaunch.number]!);
    return scope;
  }

  /** Gives the larger launch block back, if it has one. */
  #freeLarge(launch: number): void {
    const { words } = this.#control;
    const large = words[launch + nestedLaunch.large]!;
    if (large === 0) return;
    const free = this.#queues.word(words[launch + nestedLaunch.queue]!, queueRecord.freeLarge);
    putInto(this.#control.words, free, large - 1);
  }

  /** Releases a list of launches, the last of which was put there first. */
  #releaseDeferred(list: number): void {
    // They may be of queues that are new to this thread.
    this.#queues.reach();
    const { words } = this.#control;
    let turned = 0;
    for (let launch = list; launch !== 0; ) {
      const next = words[launch + nestedLaunch.link]!;
      words[launch + nestedLaunch.link] = turned;
      turned = launch;
      launch = next;
    }
    for (let launch = turned; launch !== 0; ) {
      const next = words[launch + nestedLaunch.link]!;
      this.#release(launch);
      launch = next;
    }
  }

  /** One thing less that a launch waits for. */
  #release(launch: number): void {
    const { words } = this.#control;
    if (Atomics.sub(words, launch + nestedLaunch.waits, 1) !== 1) return;
    const event = words[launch + nestedLaunch.event]!;
    if (event !== 0) Atomics.store(words, event + nestedEvent.status, executionStatus.submitted);
    this.#makeReady(launch);
  }

  #makeReady(launch: number): void {
    const ready = this.#queues.word(this.#control.words[launch + nestedLaunch.queue]!, queueRecord.ready);
    const { words } = this.#control;
    pushTo(words, ready, launch);
    const signal = this.#layout.pool + poolWords.signal;
    Atomics.add(words, signal, 1);
    if (Atomics.load(words, this.#layout.pool + poolWords.sleepers) > 0) Atomics.notify(words, signal, 1);
  }

  // ------------------------------------------------------------------------------------ what kernels call

  enqueueKernel(
    ...[kernel, queue, flags, range, count, waits, event, captures, sizes]: LaunchRequest
  ): number {
    const nested = this.#kernels[kernel]?.nested;
    if (!nested) throw new RangeError('enqueue_kernel of what is no block');
    const record = this.#queues.openRecord(queue);
    if (record === 0) return queueStatus.invalidQueue;
    const read = readRequest(this.#view, nested, range, captures, sizes, this.#layout.workerCount);
    if (typeof read === 'number') return read;
    const { words } = this.#control;
    const { code } = nested;
    const shape = shapeOf(read, code, this.#layout.workerCount);
    const slot = this.#launches.base(this.#slot);
    if (shape.areaBytes > words[slot + launchWords.areaStride]!) return queueStatus.outOfResources;
    const events = this.#waitList(count, waits, event);
    if (!events) return queueStatus.invalidWaitList;
    const launch = this.#takeRecord(record);
    if (launch === 0) return queueStatus.queueFull;
    const block = this.#blockFor(launch, record, launchOffsets.arguments + code.argumentBytes);
    if (block === 0) return this.#refuse(launch, queueStatus.queueFull);
    const printf = this.#view.words(words[slot + launchWords.block]!, launchBlockBytes)[
      (words[slot + launchWords.block]! + launchOffsets.printf) >>> 2
    ]!;
    const target = this.#view.words(block, smallBlockBytes);
    encodeLaunch(read, code, target, this.#view.bytes, block >>> 0, printf);
    words[launch + nestedLaunch.kernel] = kernel;
    words[launch + nestedLaunch.block] = block;
    words[launch + nestedLaunch.groups] = shape.groups;
    words[launch + nestedLaunch.groupsPerChunk] = shape.groupsPerChunk;
    words[launch + nestedLaunch.chunks] = shape.chunks;
    words[launch + nestedLaunch.wholeChunks] = shape.wholeChunks;
    return this.#submit(launch, flags, events, event);
  }

  enqueueMarker(queue: number, count: number, waits: number, event: number): number {
    const record = this.#queues.openRecord(queue);
    if (record === 0) return queueStatus.invalidQueue;
    const { words } = this.#control;
    const events = this.#waitList(count, waits, event);
    if (!events) return queueStatus.invalidWaitList;
    const launch = this.#takeRecord(record);
    if (launch === 0) return queueStatus.queueFull;
    words[launch + nestedLaunch.large] = 0;
    words[launch + nestedLaunch.block] = 0;
    words[launch + nestedLaunch.chunks] = 0;
    return this.#submit(launch, enqueueFlags.noWait, events, event);
  }

  get defaultQueue(): number {
    return Atomics.load(this.#control.words, this.#table + nestedWords.defaultQueue);
  }

  /** A handle; 0 where there are too many. */
  createUserEvent(): number {
    if (Atomics.load(this.#control.words, this.#table + nestedWords.events) === 0) return 0;
    const event = this.#events.create(true);
    return event === 0 ? 0 : this.#events.handleOf(event);
  }

  retainEvent(handle: number): void {
    this.#events.retain(handle);
  }

  releaseEvent(handle: number): void {
    this.#events.release(handle);
  }

  isValidEvent(handle: number): boolean {
    return this.#events.find(handle) !== 0;
  }

  setStatus(handle: number, status: number): void {
    this.#events.setStatus(handle, status);
  }

  capture(handle: number, what: number, place: number): void {
    this.#events.capture(handle, what, place);
  }

  workGroupSize(kernel: number): number {
    return this.#kernels[kernel]?.nested?.maxWorkGroupSize ?? 0;
  }

  /**
   * The events to wait for; undefined if something is wrong with them. Comes before anything is taken that others need, for it
   * throws where an address is none, which ends the kernel.
   * @param event where its own event is wanted, or 0
   */
  #waitList(count: number, waits: number, event: number): number[] | undefined {
    if (event !== 0) this.#view.words(event, 4);
    return this.#events.waitList(count >>> 0, waits);
  }

  /** Gives a record its place among the others and lets it go. */
  #submit(launch: number, flags: number, events: readonly number[], event: number): number {
    const { words } = this.#control;
    if (!Object.values(enqueueFlags).some((one) => one === flags)) {
      return this.#refuse(launch, queueStatus.enqueueFailure);
    }
    const nodes = this.#events.takeNodes(words[launch + nestedLaunch.queue]!, events.length);
    if (!nodes) return this.#refuse(launch, queueStatus.outOfResources);
    const own = event === 0 ? 0 : this.#events.create(false);
    if (event !== 0 && own === 0) {
      for (const node of nodes) this.#events.freeNode(node);
      return this.#refuse(launch, queueStatus.eventAllocationFailure);
    }
    const around = this.#launch;
    const scope =
      around === 0 || words[around + nestedLaunch.event] !== 0 ? around : words[around + nestedLaunch.scope]!;
    words[launch + nestedLaunch.slot] = this.#slot;
    words[launch + nestedLaunch.scope] = scope;
    words[launch + nestedLaunch.next] = 0;
    words[launch + nestedLaunch.visitors] = 1;
    words[launch + nestedLaunch.failed] = 0;
    words[launch + nestedLaunch.pending] = 1;
    words[launch + nestedLaunch.event] = own;
    words[launch + nestedLaunch.deferred] = 0;
    Atomics.store(words, launch + nestedLaunch.waits, 1 + events.length);
    const pending =
      scope === 0 ? this.#launches.base(this.#slot) + launchWords.pending : scope + nestedLaunch.pending;
    Atomics.add(words, pending, 1);
    if (event !== 0) this.#view.words(event, 4)[event >>> 2] = this.#events.handleOf(own);
    events.forEach((other, index) => {
      this.#events.await(launch, other, nodes[index]!);
    });
    if (flags === enqueueFlags.waitKernel) this.#defer(launch, around);
    else if (flags === enqueueFlags.waitWorkGroup) this.#forGroup.push(launch);
    else this.#release(launch);
    return queueStatus.success;
  }

  #refuse(launch: number, status: number): number {
    this.#freeLarge(launch);
    this.#free(launch);
    return status;
  }

  /** Lets a launch wait for the end of the one around it: a nested one, or (0) that of the host. */
  #defer(launch: number, around: number): void {
    const { words } = this.#control;
    const place =
      around === 0 ? this.#launches.base(this.#slot) + launchWords.deferred : around + nestedLaunch.deferred;
    for (;;) {
      const first = Atomics.load(words, place);
      words[launch + nestedLaunch.link] = first;
      if (Atomics.compareExchange(words, place, first, launch) === first) return;
    }
  }

  /** A launch record of a queue; 0 if all are in use. */
  #takeRecord(record: number): number {
    const { words } = this.#control;
    const index = takeOne(words, words[record + queueRecord.freeRecords]!);
    return index < 0 ? 0 : words[record + queueRecord.records]! + index * nestedLaunch.size;
  }

  /** The address of a launch block of so many bytes; 0 if there is none. */
  #blockFor(launch: number, record: number, bytes: number): number {
    const { words } = this.#control;
    words[launch + nestedLaunch.large] = 0;
    if (bytes <= smallBlockBytes) {
      return words[record + queueRecord.blocks]! + words[launch + nestedLaunch.number]! * smallBlockBytes;
    }
    const large = takeOne(words, words[record + queueRecord.freeLarge]!);
    if (large < 0) return 0;
    words[launch + nestedLaunch.large] = large + 1;
    return words[record + queueRecord.largeBlocks]! + large * launchBlockBytes;
  }
}
