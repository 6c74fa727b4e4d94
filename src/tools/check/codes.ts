/** What checked code finds, as numbers that it hands to the host. The first four are those of src/library/check.cl. */
export const codes = {
  /** A write after a write of another work-item. */
  writeWrite: 1,
  /** A write after a read of another. */
  readWrite: 2,
  /** A read after a write of another. */
  writeRead: 3,
  /** A read of shared memory that nobody has written. */
  unwritten: 4,
  outOfBounds: 5,
  /** A use of a private value that was never set. */
  undefinedValue: 6,
  divergence: 7,
  divisionByZero: 8,
  /** A signed quotient that its type cannot hold: the lowest number by -1. */
  divisionOverflow: 17,
  misaligned: 9,
  constantWritten: 10,
  /** Work-items of a group begin different copies, or wait for different events. */
  copyDivergence: 12,
  /** The same, at the site that checked code names as the other party's. */
  copyElsewhere: 15,
  /** An event that no copy has made. */
  noEvent: 13,
  /** A copy that nobody has waited for. */
  unawaited: 14,
  /** A pixel that its image does not have. */
  outsideImage: 16,
  /** No faults: a reservation in a pipe is made, a packet of it is used, it is committed. */
  pipeReserve: 18,
  pipePacket: 19,
  pipeCommit: 20,
  /** A packet for which there was no room, or that was not there, and nobody is told. */
  pipeLost: 21,
  /** Uses of a reservation that has failed, or has been committed, and a packet that is none of it. */
  pipeNotReserved: 22,
  pipeCommitted: 23,
  pipeBeyond: 24,
  /** A reservation that nobody has committed. */
  pipeUncommitted: 25,
  /** Bytes that are undefined are copied to global memory. */
  undefinedStored: 26,
  /** No fault: time to look at the clock. */
  tick: 11,
} as const;
