/**
 * Something that is done with the document beside running it, on a thread of its own. How it stands belongs to no panel, so that a
 * person may look elsewhere meanwhile; another document ends it.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { opened } from '../state.ts';
import type { Running, TaskStep } from './messages.ts';

export type TaskState<Result> =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly step: TaskStep | undefined }
  | { readonly kind: 'done'; readonly result: Result };

export interface DocumentTask<Result> {
  readonly state: ReadonlySignal<TaskState<Result>>;
  /** Begins, unless it runs already; resolves with the result, or with nothing if the document is no longer there. */
  start(begin: (show: (step: TaskStep) => void) => Running<Result>): Promise<Result | undefined>;
  stop(): void;
}

export function documentTask<Result>(): DocumentTask<Result> {
  const state = signal<TaskState<Result>>({ kind: 'none' });
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
      const show = (next: TaskState<Result>) => {
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
