/** What a test came to, and the report at the end of a run. */

export interface Outcome {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
  /** What is worth a look though the test passed. */
  readonly note?: string;
}

/** Prints failures, the reasons of skips with their numbers and, last, the totals; true if nothing failed. */
export function report(outcomes: readonly Outcome[], print: (line: string) => void = console.log): boolean {
  const count = (status: Outcome['status']) => outcomes.filter((each) => each.status === status).length;
  for (const { name, status, reason } of outcomes) {
    if (status === 'failed') print(`FAILED ${name}: ${reason ?? ''}`);
  }
  for (const { name, note } of outcomes) {
    if (note !== undefined) print(`note ${name}: ${note}`);
  }
  const reasons = new Map<string, number>();
  for (const { status, reason = 'for no reason' } of outcomes) {
    if (status === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1])) {
    print(`skipped ${times}: ${reason}`);
  }
  print(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  return count('failed') === 0;
}
