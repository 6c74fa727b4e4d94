/**
 * What launches cost, by what earlier ones took: nanoseconds a work-group of each pipeline. So ranges can be cut into dispatches that do not
 * keep the device for long (systems end those that do), and submissions into such for which one can wait.
 */

/** A submission, and a piece of a long range, is to take about so long (nanoseconds). */
export const wantedTime = 100e6;
/** So many groups are tried at first, of a kernel that has not run yet. */
const firstGroups = 512;
/** How much more of a range is tried after a piece that was short. */
const growth = 16;

export class Cost {
  /** Nanoseconds a group; undefined before the first. */
  perGroup: number | undefined;
  /** The most groups that have been tried at once. */
  tried = 0;

  /** How long so many groups will take, as far as is known. */
  estimate(groups: number): number {
    return (this.perGroup ?? 0) * groups;
  }

  /** How many groups make a dispatch that does not take long. */
  get mostGroups(): number {
    if (this.perGroup === undefined) return firstGroups;
    const byTime = Math.max(1, Math.floor(wantedTime / this.perGroup));
    return Math.min(byTime, Math.max(firstGroups, this.tried * growth));
  }
}

/** What a submission dispatched. */
export interface Dispatched {
  readonly cost: Cost;
  readonly groups: number;
}

/** Learns from a submission that took so long. */
export function learn(dispatched: readonly Dispatched[], nanoseconds: number): void {
  const known = dispatched.reduce((sum, { cost, groups }) => sum + cost.estimate(groups), 0);
  const unknown = dispatched.filter(({ cost }) => cost.perGroup === undefined);
  for (const { cost, groups } of dispatched) cost.tried = Math.max(cost.tried, groups);
  if (unknown.length > 0) {
    const groups = unknown.reduce((sum, each) => sum + each.groups, 0);
    const each = Math.max(1, nanoseconds - known) / groups;
    for (const { cost } of unknown) cost.perGroup = each;
    return;
  }
  // All were faster or slower than thought, as far as anybody knows.
  const factor = Math.min(64, Math.max(0.5, nanoseconds / Math.max(1, known)));
  for (const cost of new Set(dispatched.map((each) => each.cost))) cost.perGroup! *= factor;
}
