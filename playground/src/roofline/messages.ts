/** What a measurement for the roofline asks for and gives. */
import type { RooflineRow } from 'millrace/roofline';

export interface RooflineRequest {
  /** The machine's peaks as {@link RooflineReply} gave them before; they count if they are of this machine. */
  readonly kept: string | undefined;
  /** Whether the peaks are measured though some are kept. */
  readonly isAgain: boolean;
}

export interface MeasuredRoofline {
  /** The launch and how near it comes to the machine, in a line. */
  readonly title: string;
  /** What limits it, in words. */
  readonly bound: string;
  readonly rows: readonly RooflineRow[];
  /** Pictures for a wide place and a narrow one; none of a launch without operations or bytes. */
  readonly pictures: { readonly wide: string; readonly narrow: string } | undefined;
  /** All of it as `millrace analyze --roofline` prints it. */
  readonly text: string;
  readonly threads: number;
  /** When the peaks were measured, in ISO 8601. */
  readonly measured: string;
  /** To be kept for the next time. */
  readonly keep: string;
  /** What measuring the peaks again has changed; undefined if they were not. */
  readonly again: string | undefined;
}

export type RooflineReply = MeasuredRoofline | { readonly failure: string };
