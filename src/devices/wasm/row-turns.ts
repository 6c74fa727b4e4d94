/** How long a row of work-items takes where several run as one vector. */

/** The work-items that fill no vector and run one by one. */
export function leftOver(length: number, lanes: number): number {
  return length % lanes;
}

/** Vectors, and work-items that are left. */
export function turnsOf(length: number, lanes: number): number {
  return Math.floor(length / lanes) + leftOver(length, lanes);
}
