/**
 * The memory in which checked kernels note who touched what, as the host sees it. Checked code reaches it through
 * src/library/check.cl, which opens with the same numbers and says what they mean.
 */

/** Words of the state, a program-scope variable of every checked module. */
export const stateWords = {
  epoch: 1,
  group: 3,
  phaseLocal: 5,
  launch: 7,
  phaseGlobal: 9,
  shift: 10,
  pages: 11,
  arrived: 12,
  items: 13,
  groupEpochs: 14,
  arrivals: 15,
  ranges: 16,
  rangeCount: 17,
  otherWho: 18,
  otherEpoch: 19,
  place: 20,
  oldValue: 21,
  copies: 22,
  copyRecords: 23,
  newValue: 24,
  fuel: 25,
  groupNumber: 26,
  barriers: 27,
  steps: 28,
  differs: 29,
  localShift: 30,
  localCells: 31,
  localStart: 32,
  localBytes: 33,
  leftAt: 34,
  /** What work-items that have come to the barrier want it to order, where its flags are no constant. */
  fenced: 35,
  /** The first of the counters of what is not written of objects in local memory; the last counts for all that have none. */
  left: 36,
  /** The table of the pages that say which bytes are undefined (undefined-bytes.ts); 0 if there are none. */
  undefinedPages: 64,
  /** Not zero once the launch has stored bytes that are undefined. */
  hasUndefined: 65,
  /** Where it is noted what work-items ask barriers for; 0 where all barriers have constant flags. */
  fences: 66,
} as const;

/** Objects of local memory that have counters of their own. */
export const mostCounted = 27;

export const stateBytes = 384;

/** Where accesses that may not be made are made instead; reads find zeros there. */
export const scratchBytes = 256;

export const stateName = '__millrace_check_state';
export const scratchName = '__millrace_check_scratch';

/** The module and the name of the function that checked code imports. */
export const reportModule = 'check';
export const reportName = 'report';

export const siteShift = 4;
export const siteBits = 15;
export const itemShift = 19;

/** Flags of a last access that the host looks at. */
export const whoFlags = { atomic: 2, partial: 4, several: 8 } as const;

/** Work-items that a checked work-group can have: they are numbered in thirteen bits. */
export const mostItems = 4096;

/** The number that async copies have in the place of a work-item's: they are the group's. */
export const groupItself = 4096;

/** Words of what is remembered of a step that all work-items take alike, and how many are. */
export const stepWords = 8;
export const mostSteps = 1024;

/** Bytes of what is noted of who asked barriers for what: a head, three words of each work-item, three of each reader that is listed. */
export const fenceBytes = 4 * (4 + 3 * mostItems + 3 * 4096);

/** Bytes of memory that one page of shadow memory is about, and bytes of a cell. */
export const pageBytes = 65536;
export const cellBytes = 16;
/** Which words of a cell say by whom its granule was written last, and when. */
export const writerWord = 0;
export const writtenWord = 1;
/** An access may pass the end of what has cells by so many. */
export const slackCells = 128;
/** Epochs of granules: of what was there before, and of what nobody has written. */
export const epochs = { before: 0, never: 1, first: 2 } as const;

/** Loop iterations between two looks at the time. */
export const fuelOfSlice = 1 << 22;

/** The work-item of a number that checked code composes. */
export function itemOf(who: number): number {
  return who >>> itemShift;
}

/** The site of a number that checked code composes. */
export function siteOf(who: number): number {
  return (who >>> siteShift) & ((1 << siteBits) - 1);
}
