/**
 * The memory in which checked kernels note who touched what, as the host sees it. Checked code reaches it through
 * src/library/check.cl, which opens with the same numbers and says what they mean.
 */

/** Words of the state, a program-scope variable of every checked module. */
export const stateWords = {
  epoch: 0,
  launch: 1,
  group: 2,
  phaseGlobal: 3,
  phaseLocal: 4,
  shift: 5,
  pages: 6,
  arrived: 7,
  items: 8,
  groupEpochs: 9,
  arrivals: 10,
  ranges: 11,
  rangeCount: 12,
  otherWho: 13,
  otherEpoch: 14,
  place: 15,
  oldValue: 16,
  copies: 17,
  copyRecords: 18,
  newValue: 19,
  fuel: 20,
  groupNumber: 21,
  barriers: 22,
  steps: 23,
  differs: 24,
  localShift: 25,
  localCells: 26,
  localStart: 27,
  localBytes: 28,
} as const;

export const stateBytes = 128;

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
export const whoFlags = { atomic: 2, several: 8 } as const;

/** Work-items that a checked work-group can have: they are numbered in thirteen bits. */
export const mostItems = 4096;

/** The number that async copies have in the place of a work-item's: they are the group's. */
export const groupItself = 4096;

/** Words of what is remembered of a step that all work-items take alike, and how many are. */
export const stepWords = 4;
export const mostSteps = 1024;

/** Bytes of memory that one page of shadow memory is about, and bytes of a cell. */
export const pageBytes = 65536;
export const cellBytes = 16;
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
