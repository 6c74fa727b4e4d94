/** What the page and the worker that runs things say to each other. */

import type { Timeline } from 'millrace';
import type { CheckReply } from '../check/messages.ts';
import type { Document } from '../document.ts';
import type { RunOutcome } from './outcome.ts';

/** A run; or, in a worker that does nothing else, a check of one launch. */
export interface RunRequest {
  readonly ask: 'run' | 'check';
  readonly document: Document;
  /** What a person gave since the last request, by name. */
  readonly files: ReadonlyMap<string, Blob>;
}

/** What the profiler saw of a run, ready to be shown. */
export interface Profiled {
  readonly timeline: Timeline;
  readonly table: string;
  /** A file for ui.perfetto.dev. */
  readonly trace: string;
}

export type RunReply =
  | { readonly soFar: RunOutcome }
  | { readonly ended: RunOutcome; readonly profiled: Profiled | undefined }
  | { readonly checked: CheckReply };

/** A run under way, which a person may end. */
export interface Running {
  /** Never rejects. */
  readonly done: Promise<RunOutcome>;
  end(): void;
}
