/**
 * How the work-groups of a launch are divided into chunks, which threads take one after another: most are of one size, and the
 * last ones smaller. Who takes the last chunk keeps the others waiting for as long as it runs, half a chunk on the average.
 *
 *     | 64 groups | 64 groups | ... | 64 groups | 16 | 16 | 16 | 16 | 16 | 16 | 16 | 16 |      for two threads
 */

/** Aim for so many chunks a launch: the engine cannot replace a running loop by its optimised form, only the next call. */
const wantedChunks = 64;
const chunksPerThread = 16;
/** But where groups gain by running together, chunks of so many are made if there are that many chunks a thread still. */
const leastChunksPerThread = 4;
/** The last chunks, one a thread, are divided into so many. */
const endChunks = 4;
/** Unless they have fewer work-items than this, for taking a chunk costs time, too. */
const leastItemsToDivide = 4096;

export interface Chunks {
  readonly groups: number;
  /** The work-groups of a whole chunk. */
  readonly groupsPerChunk: number;
  readonly chunks: number;
  /** How many chunks are whole; those behind them are parts. */
  readonly wholeChunks: number;
}

/**
 * @param items the number of work-items in a group
 * @param together how many groups run together if one chunk has so many
 */
export function divideGroups(groups: number, items: number, threads: number, together = 1): Chunks {
  const wanted = Math.max(wantedChunks, chunksPerThread * threads);
  const block = Math.max(1, Math.min(together, Math.floor(groups / (leastChunksPerThread * threads))));
  const groupsPerChunk = Math.max(block, Math.floor(groups / wanted));
  const all = Math.ceil(groups / groupsPerChunk);
  const isDivided =
    threads > 1 && groupsPerChunk >= endChunks * block && groupsPerChunk * items >= leastItemsToDivide;
  if (!isDivided) return { groups, groupsPerChunk, chunks: all, wholeChunks: all };
  return withEnd(groups, groupsPerChunk, threads);
}

/** Whole chunks, but for the last ones, one a thread. */
function withEnd(groups: number, groupsPerChunk: number, threads: number): Chunks {
  const wholeChunks = Math.max(0, Math.ceil(groups / groupsPerChunk) - threads);
  const left = groups - wholeChunks * groupsPerChunk;
  return {
    groups,
    groupsPerChunk,
    chunks: wholeChunks + Math.ceil(left / partOf(groupsPerChunk)),
    wholeChunks,
  };
}

/** About so many nanoseconds does it cost a thread to take a chunk. */
const chunkCost = 1500;

/**
 * A division with fewer chunks, for a launch that is known to be short: each chunk costs a thread some time, which counts where all together
 * take a tenth of a millisecond. The end is divided as usual, in parts that are whole numbers of the chunks there were.
 * @param nanoseconds what all threads together will spend on the launch
 */
export function joinChunks(division: Chunks, threads: number, nanoseconds: number): Chunks {
  const { groups, groupsPerChunk } = division;
  // With w chunks a thread, taking them costs w * chunkCost, and waiting for the last one falls with 1 / w.
  const wanted = Math.ceil(Math.sqrt(nanoseconds / threads / (4 * chunkCost))) + 1;
  const joined = Math.floor(groups / groupsPerChunk / (wanted * threads) / endChunks) * endChunks;
  if (joined === 0) return division;
  return withEnd(groups, groupsPerChunk * joined, threads);
}

function partOf(groupsPerChunk: number): number {
  return Math.max(1, Math.floor(groupsPerChunk / endChunks));
}

/** The first work-group of a chunk; behind the last chunk, the number of groups. */
export function startOfChunk(
  chunk: number,
  { groups, groupsPerChunk, wholeChunks }: Omit<Chunks, 'chunks'>,
): number {
  const whole = Math.min(chunk, wholeChunks);
  const start = whole * groupsPerChunk + (chunk - whole) * partOf(groupsPerChunk);
  return Math.min(start, groups);
}
