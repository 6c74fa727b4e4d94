/**
 * What on-device queues are made of (OpenCL 2.0, 5.1), as word offsets: tables in control memory, which kernels never see.
 * The host makes them (queues.ts); the compute threads do everything else (scheduler.ts).
 *
 * A *record* stands for one launch from its enqueueing until it has ended, or, where its event is known to somebody, until
 * all that it led to has ended. A *node* links a record into the list of those that wait for an event, or says where
 * the times of an event are wanted.
 */

/** The table that all threads know; see `SharedLayout.nested`. */
export const nestedWords = {
  /** The number of the default queue, 0 for none. */
  defaultQueue: 0,
  /** Event slots, and the set of those that are free. */
  events: 1,
  freeEvents: 2,
  /** How many of the following have ever been used. */
  queueCount: 3,
  /** Counts up when a queue is made. */
  version: 4,
  /** The queues by number, from 1 to `mostDeviceQueues`: word indices of their records; 0 for none. */
  queues: 8,
  size: 32,
} as const;

/** A queue's words. */
export const queueRecord = {
  /** 1: kernels may use it. */
  isOpen: 0,
  /** Launch records, how many there are, and the set of those that are free (shared-set.ts). */
  records: 1,
  count: 2,
  freeRecords: 3,
  /** The ring of launches that may begin (shared-ring.ts). */
  ready: 4,
  /** Nodes, and the set of those that are free. */
  nodes: 5,
  freeNodes: 6,
  /** Address of a launch block for each record, in device memory. */
  blocks: 7,
  /** Address of larger ones, and the set of those that are free. */
  largeBlocks: 8,
  freeLarge: 9,
  /** How many records it has; `count` are in use. */
  room: 10,
  size: 32,
} as const;

/** A launch's words. */
export const nestedLaunch = {
  /** The number of its queue, and its own in the queue. */
  queue: 0,
  number: 1,
  /** The slot of the host's launch that it goes back to. */
  slot: 2,
  /** The word index of the launch that is not complete without it; 0 for that of the host. */
  scope: 3,
  kernel: 4,
  /** Where its launch block lies; 0 for a marker. */
  block: 5,
  /** 1 + the number of its larger launch block; 0 for none. */
  large: 6,
  groups: 7,
  groupsPerChunk: 8,
  chunks: 9,
  /** The next chunk to take. */
  next: 10,
  /** Threads that may still run chunks of it, and the entry in the ring. */
  visitors: 11,
  /** What must happen before it begins. */
  waits: 12,
  /** 1: it waited for an event that failed, and does not run. */
  failed: 13,
  /** Itself and those for which it is the scope, as long as they are not complete. */
  pending: 14,
  /** Word index of its event; 0 for none. */
  event: 15,
  /** Head of the list of launches that begin when it has run; -1 when it has. */
  deferred: 16,
  link: 17,
  /** 1 from when the first chunk is taken. */
  started: 18,
  /** See launch-chunks.ts. */
  wholeChunks: 19,
  size: 32,
} as const;

/** An event's words; the times are 64-bit floats, in nanoseconds. */
export const nestedEvent = {
  status: 0,
  /** The program's references. */
  references: 1,
  /** Who keeps the slot: the program, and what will complete it. */
  holders: 2,
  /** Changes each time the slot is used; part of the program's handle. */
  generation: 3,
  isUser: 4,
  /** Heads of the lists of nodes: launches that wait, and places for its times. -1 when it is complete. */
  waiting: 5,
  captures: 6,
  started: 8,
  ended: 10,
  completed: 12,
  size: 16,
} as const;

/** A node's words. `record` is that of its queue, which may have another number by the time that the node is given back. */
export const nestedNode = { next: 0, value: 1, record: 2, size: 4 } as const;

/** Bytes of a launch block, arguments among them, before a larger one is needed. */
export const smallBlockBytes = 256;
