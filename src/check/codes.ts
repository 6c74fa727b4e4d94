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
  /** No fault: time to look at the clock. */
  tick: 11,
} as const;
