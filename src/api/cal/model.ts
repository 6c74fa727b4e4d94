/** What the model of a card says about a run: the seam to the performance model. */
import type { DeviceKind } from './devices.ts';
import type { Run } from './launch.ts';

export interface Estimate {
  /** That the card would be busy. */
  readonly seconds: number;
  /** Reads of inputs, and the part of them that finds its element in the cache. */
  readonly fetches: number;
  readonly hitRate: number;
}

export function estimateRun(kind: DeviceKind, run: Run): Estimate {
  void kind;
  void run;
  return { seconds: 0, fetches: 0, hitRate: 0 };
}
