/**
 * Where the wasm device's threads find things in control memory, as word indices and offsets. The host lays it out
 * once a context ({@link layOut}); processor and workers get the result with their start message.
 */
import type { ControlMemory } from '../../runtime/control-memory.ts';
import { nestedWords } from './nested/words.ts';
import { commonProcessorWords } from './processor-words.ts';

/** How many launches can be prepared or running at a time in one context. */
export const launchSlots = 32;

/** Where nested launches belong whose own launch was given up: nobody waits for it. */
export const graveyardSlot = launchSlots;

/** Bytes of kernel arguments a launch can have (CL_DEVICE_MAX_PARAMETER_SIZE). */
export const maximumArgumentBytes = 4096;
/** Bytes of device memory for one launch block. */
export const launchBlockBytes = 4096 + 128;

/** The processor's words. */
export const processorWords = {
  ...commonProcessorWords,
  /** 1: no compute thread could start. */
  lost: 68,
  /** Counts up when a compute thread has ended without being told to; see `workerWords.diedIn`. */
  deaths: 69,
  /** The system's number of the thread; see runtime/system-threads.ts. */
  systemThread: 70,
  /** 1: a launch waits for a slot, and of those without one a worker may still be at each. Who leaves one puts 0 there, and rings. */
  slotWanted: 71,
} as const;

/**
 * The workers' common words. `signal` counts up when a launch becomes active, `sleepers` says who must be woken. `visits`, which
 * seldom changes, says where workers write what they do (thread-visits.ts); 0 while nobody watches.
 */
export const poolWords = { signal: 0, sleepers: 32, visits: 64, size: 96 } as const;

/** One worker's words. */
export const workerWords = {
  /**
   * 1 + the launch slot whose work-groups it runs now; 0 none; -1 condemned: its work is accounted to the processor; -2: it
   * must not be condemned just now.
   */
  current: 0,
  /** -1: the processor wants the host to end this thread; machine code returns then (codegen/x64/calling-convention.ts). 2: the host has. */
  kill: 1,
  /** 1: the thread runs; 0 again when it leaves. */
  started: 2,
  /** 1 + the launch slot that its thread looked at or ran when it ended by itself; the processor accounts for it. */
  diedIn: 3,
  /** The nested launch (nested/words.ts) whose chunk it runs; 0 where that is one of the slot's own. */
  nested: 4,
  /** 1: it is in machine code, or in what calls that: the code's pages must stay, and the thread must not be ended. */
  inCode: 5,
  /** 1 + the launch slot whose chunks it takes; a slot is used again only when nobody is at it. */
  visiting: 6,
  /** 1: it is changing what all threads share, and nobody could go on where it stops. */
  delicate: 7,
  /** The system's number of the thread; see runtime/system-threads.ts. */
  systemThread: 8,
  /** As `nested`, of the thread that has ended. */
  diedInNested: 9,
  size: 32,
} as const;

/** One launch slot's words. See LaunchTable for the protocol. */
export const launchWords = {
  state: 0,
  event: 2,
  /** Word index of the module record. */
  module: 3,
  moduleId: 4,
  /** Which of the module's kernels. */
  kernel: 5,
  /** Addresses in device memory, unsigned. */
  block: 6,
  area: 7,
  areaStride: 8,
  groups: 9,
  groupsPerChunk: 10,
  chunks: 11,
  /** 1 + the slot to activate at the end; 0 none yet; -1 too late to say. */
  successor: 12,
  /** 0, or the error code of the first failure. */
  failed: 13,
  message: 14,
  /** Itself and the nested launches that it waits for, as long as they are not complete. */
  pending: 15,
  /** Head of the list of nested launches that begin when all chunks have run. */
  deferred: 16,
  /** See launch-chunks.ts. */
  wholeChunks: 17,
  /** Nanoseconds that threads have spent on it; of long visits only {@link mostNoted} counts. */
  busy: 18,
  /** The next chunk to take; on a cache line of its own, as is `remaining`. */
  next: 32,
  /** Chunks not yet run or given up. */
  remaining: 64,
  size: 96,
} as const;

/** So many nanoseconds are much, and many visits of that length fit in a word. */
export const mostNoted = 1_000_000;

export const launchState = { free: 0, prepared: 1, active: 2, done: 3 } as const;

/** A queue's words. */
export const queueWords = {
  /** The next in the list of new queues. */
  link: 0,
  /** 1: out of order. */
  outOfOrder: 1,
  /** Milliseconds a launch may run; 0 for ever. */
  timeout: 2,
  firstChunk: 3,
  /** 1: no more commands will come. */
  released: 4,
  /** 1: the processor will not touch this record again. */
  retired: 5,
  /** 1: the times of its commands may be asked for. Native devices only. */
  profiling: 6,
  /** Commands written by the host. On the host's cache line. */
  produced: 32,
  /** 1: the processor has read everything and must be rung for more. */
  hungry: 33,
  /** Commands of which all earlier ones are done. On the processor's cache line. */
  completed: 64,
  size: 96,
} as const;

/**
 * A module record's words; the wasm bytes and then the kernels' names and what memory instructions are for, both as JSON, follow at `bytes`.
 */
export const moduleWords = {
  byteLength: 0,
  namesLength: 1,
  constants: 2,
  accessesLength: 3,
  bytes: 4,
} as const;

export interface SharedLayout {
  readonly processor: number;
  readonly pool: number;
  readonly workers: number;
  readonly workerCount: number;
  readonly launches: number;
  /** Address in device memory of the launch blocks. */
  readonly blocks: number;
  /** The queues that kernels launch others with (nested/words.ts). */
  readonly nested: number;
}

/** What a thread of the device is started with. */
export interface ThreadStart {
  readonly control: WebAssembly.Memory;
  readonly memory: WebAssembly.Memory;
  readonly layout: SharedLayout;
  /** Workers: which one. */
  readonly index: number;
}

/** Reserves the shared structures of a device for so many workers. */
export function layOut(control: ControlMemory, workerCount: number, blocks: number): SharedLayout {
  return {
    processor: control.allocate(processorWords.size * 4),
    pool: control.allocate(poolWords.size * 4),
    workers: control.allocate(workerCount * workerWords.size * 4),
    workerCount,
    // One more, which is never active: graveyardSlot.
    launches: control.allocate((launchSlots + 1) * launchWords.size * 4),
    blocks,
    nested: control.allocate(nestedWords.size * 4),
  };
}
