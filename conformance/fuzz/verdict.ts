/** What a check of one generated kernel comes to. */
import type { Outcome } from '../support/outcome.ts';

/** `skipped` is a kernel none of whose launches means one thing only. */
export type Verdict = Omit<Outcome, 'name' | 'note'>;

export const passed: Verdict = { status: 'passed' };

export function failed(reason: string): Verdict {
  return { status: 'failed', reason };
}

/** Whether a verdict is a fault of this kind: the numbers in it may differ. */
export function failsAlike({ status, reason = '' }: Verdict, fault: string): boolean {
  const kind = (text: string): string => text.replaceAll(/%[\w.?]+|\d+/g, '').slice(0, 80);
  return status === 'failed' && kind(reason) === kind(fault);
}
