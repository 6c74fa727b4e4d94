/** Who waits for whom among the launches that kernels have made, for messages about those that can never begin. */

export interface WaitingLaunch {
  /** What people call the kernel, or `a marker`. */
  readonly title: string;
  /** The titles of the launches whose events it waits for, or {@link userEventTitle}. */
  readonly waitsFor: readonly string[];
}

export const markerTitle = 'a marker';
export const userEventTitle = 'a user event';

/** So many kinds of waiting are listed; a message has room for about as many. */
const mostListed = 4;

/** One clause for each kind of waiting, those that many have in common once. */
export function describeWaiting(launches: Iterable<WaitingLaunch>): string {
  const counts = new Map<string, number>();
  for (const { title, waitsFor } of launches) {
    const clause = `${title} waits for ${[...new Set(waitsFor)].join(' and ')}`;
    counts.set(clause, (counts.get(clause) ?? 0) + 1);
  }
  const clauses = [...counts].map(([clause, count]) =>
    count > 1 ? `${clause} (${count} launches)` : clause,
  );
  const more = clauses.length - mostListed;
  return [...clauses.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** What a launch fails with where nothing is left that could complete these events. */
export function describeStuck(launches: Iterable<WaitingLaunch>): string {
  return `what it has enqueued waits for ever: ${describeWaiting(launches)}`;
}
