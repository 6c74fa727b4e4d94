/**
 * What things cost, in units of about one simple instruction. The numbers are for WebAssembly's 128-bit vectors, which
 * have no gather, no masked memory and no shifts by different counts; they were chosen by measuring, and only have to
 * tell what gains by packing from what loses.
 */
export const costs = {
  /** Bits of a vector register. */
  vectorBits: 128,
  /** How often a loop is thought to run for each time that what is around it runs. */
  loopWeight: 8,
  /** Counting one work-item, and the ids that come with it. */
  perItem: 2,

  // One scalar, or one vector register, of each.
  simple: 1,
  divide: 8,
  /** Of a register of 32-bit integers, by way of doubles. */
  vectorDivide: 16,
  divideByConstant: 4,
  vectorDivideByConstant: 8,
  /** Of a register of 32-bit integers, each by a count of its own. */
  vectorShift: 12,
  squareRoot: 8,
  load: 1,
  store: 1,
  /** In memory that other threads see, and in local memory, where it is a load and a store. */
  sharedAtomic: 20,
  localAtomic: 3,
  call: 20,

  // What packing adds.
  /** Taking a scalar out of a vector or putting it in. */
  moveLane: 1,
  /** What taking one out is found to cost once all is known that could be done instead (scalarise.ts). */
  extractedLane: 3,
  /** Asking whether anybody takes part, and the branch. */
  test: 2,
  /** One lane of an access at a fixed distance. */
  stridedLane: 1,
  /** One lane of an element that is loaded together with its neighbours: its part of the loads, and two shuffles. */
  transposedLane: 1,
  /** One lane of a gather or scatter. */
  scatteredLane: 2,
  /**
   * What a lane of a gather from global memory takes beside that. One by one, work-items mostly read on in one row of a
   * matrix; a pack reads in as many rows as it has lanes, which compete for the same places of the cache.
   */
  farLane: 4,
  /** One lane of a store with a mask, or of what is done lane by lane with one. */
  maskedLane: 1.5,
  /** A register of a vector access with a mask, where mostly all lanes take part. */
  maskedStore: 3,
  /** A shuffle, of which each register of an interleaved access needs about two; there are fewer units for them than for arithmetic. */
  shuffle: 3,

  /** So many sums along rows, of a sum for each lane of each row, are added up at a time (reduction-privatisation.ts). */
  mostRowSums: 8,

  // What is small enough (vectorize-region.ts).
  /** So many instructions may be written twice, with masks and without. */
  mostTwice: 250,
  /** And so many of several rows, half of which stand there for rows that have not all passed a guard. */
  mostRowsTwice: 450,
  /** And so many once for each distance of pairs (butterflies.ts). */
  mostForDistance: 60,
  /** So many computations of a side run without asking whether anybody takes it. */
  mostUnasked: 6,

  // What few lanes do one by one (scalar-tail.ts).
  /** A turn of a loop that costs less is not worth asking how many lanes are left. */
  dearTurn: 32,
  /** So many lanes are few. */
  mostAlone: 2,
  /** Taking them out of the vectors, what they come to back in, and wrong guesses of the processor. */
  toGoOnAlone: 200,

  // What a loop can do at a time (latency.ts).
  /** Vector registers. */
  vectorRegisters: 16,
  /** Vector instructions, or loads, that begin in a cycle. */
  vectorPorts: 2,
  /** Cycles until the result of a floating-point operation is there. */
  floatLatency: 4,
  /** So many times longer must a loop wait than it is busy to get twice the lanes. */
  worthWaiting: 1.25,

  // Rows that run together (thread-coarsening.ts).
  /** Vector registers that they may fill; V8 keeps one for itself. */
  registers: 15,
  /** And those of what passes through, of which each is used in few places: going through memory saves loads yet. */
  streamingRegisters: 24,
  /** Of what passes through, four rows that work-items do together may read so many rows of an array: places of the cache for one address. */
  mostRowsRead: 8,
  /** How many rows are tried, in this order. */
  rows: [4, 2],
  /** Rows together must take less than this part of the time, a work-item, of rows one by one. */
  worthRows: 0.9,
  /** What passes through gains beside that: memory is read in more places at a time. */
  worthStreamingRows: 0.95,
  /** And so must what they do with vectors and loads; addresses that are computed together save next to nothing. */
  sharedVectors: 0.95,

  // What passes through (streaming.ts).
  /** So many values in vectors a region may keep for nested ones to get twice the lanes. */
  mostStreams: 8,
  /** And so many may straight code take from elsewhere: the stencils of three planes take 36. */
  mostHeld: 40,
  /** And so many computations for each access. */
  mostComputed: 2,

  /** VectorValue code must take less than this part of the time, or it is not worth its size. */
  worthwhile: 0.9,
} as const;
