/** The payload of a launch command: words before the launch block, then the block as the kernel will read it. */
export const launchPayload = {
  /** Word index of the module record, and the module's id. */
  module: 0,
  moduleId: 1,
  kernel: 2,
  /** Address of the first thread's area, and the distance to the next. */
  area: 3,
  areaStride: 4,
  groups: 5,
  groupsPerChunk: 6,
  chunks: 7,
  wholeChunks: 8,
  /** 1: its groups may wait for each other. */
  mayWait: 9,
  block: 10,
} as const;
