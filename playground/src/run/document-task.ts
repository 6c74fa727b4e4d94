/**
 * Something that is done with the document beside running it, on a thread of its own. How it stands belongs to no panel, so that a
 * person may look elsewhere meanwhile; another document ends it.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { opened } from '../state.ts';
import type { Running } from './messages.ts';

export type TaskState<Result, Step> =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly step: Step | undefined }
  | { readonly kind: 'done'; readonly result: Result };

export interface DocumentTask<Result, Step> {
  readonly state: ReadonlySignal<TaskState<Result, Step>>;
  /** Begins, unless it runs already; resolves with the result, or with nothing if the document is no longer there. */
  start(begin: (show: (step: Step) => void) => Running<Result>): Promise<Result | undefined>;
  stop(): void;
}

export function documentTask<Result, Step = never>(): DocumentTask<Result, Step> {
  const state = signal<TaskState<Result, Step>>({ kind: 'none' });
  let running: Running<Result> | undefined;
  const stop = () => running?.end();
  effect(() => {
    void opened.value;
    stop();
    state.value = { kind: 'none' };
  });
  return {
    state,
    async start(begin) {
      if (running) return undefined;
      const of = opened.value;
      const show = (next: TaskState<Result, Step>) => {
        if (opened.value === of) state.value = next;
      };
      show({ kind: 'running', step: undefined });
      running = begin((step) => show({ kind: 'running', step }));
      const result = await running.done;
      running = undefined;
      show({ kind: 'done', result });
      return opened.value === of ? result : undefined;
    },
    stop,
  };
}
