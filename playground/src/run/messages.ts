/** What the page and the worker that runs things say to each other. */

import type { Timeline } from 'millrace';
import type { CheckReply } from '../check/messages.ts';
import type { Document } from '../document.ts';
import type { RooflineReply, RooflineRequest } from '../roofline/messages.ts';
import type { RunOutcome } from './outcome.ts';

/** A run; or, in a worker that does nothing else, something else that is done with one launch. */
export type Task =
  /** `before`: the trace of a run to compare this one with. */
  | { readonly ask: 'run'; readonly before: string | undefined }
  | { readonly ask: 'check' }
  /** Frame after frame, drawn on a canvas of the page's; what is said meanwhile goes through the port. */
  | { readonly ask: 'animate'; readonly canvas: OffscreenCanvas; readonly port: MessagePort }
  | ({ readonly ask: 'roofline' } & RooflineRequest);

/** What a task does now, and which part of the whole is done before it, 0 to 1, if that is known. */
export interface TaskStep {
  readonly text: string;
  readonly done: number | undefined;
}

export interface RunRequest {
  /** Where the page starts the worker's threads; with the first request. */
  readonly threads: MessagePort | undefined;
  readonly task: Task;
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
  /** The run beside the one that it is compared with, or why that cannot be. */
  readonly comparison: string | undefined;
}

export type RunReply =
  | { readonly soFar: RunOutcome }
  | { readonly ended: RunOutcome; readonly profiled: Profiled | undefined }
  | { readonly checked: CheckReply }
  | { readonly step: TaskStep }
  | { readonly measured: RooflineReply };

/** A run under way, which a person may end. */
export interface Running<Result = RunOutcome> {
  /** Never rejects. */
  readonly done: Promise<Result>;
  end(): void;
}
