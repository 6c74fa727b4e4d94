/** Where a launch that was moved stands now, and why there. */
import type { Breakpoint } from './breakpoints.ts';
import type { ItemView } from './item-views.ts';
import type { SourcePlace } from './source-map.ts';

export type StopReason =
  /** The first statement of the first work-item. */
  | 'entry'
  | 'step'
  | 'breakpoint'
  | 'watch'
  /** The work-item was about to do something wrong. */
  | 'fault'
  | 'pause'
  /** All groups have ended. */
  | 'ended';

export interface Stop {
  readonly reason: StopReason;
  /** Says more, for people: what is wrong, who has written what. */
  readonly message: string | undefined;
  readonly breakpoint?: Breakpoint | undefined;
  /** Undefined at the end. */
  readonly item: ItemView | undefined;
  readonly place: SourcePlace | undefined;
}
