/** The Run button: whatever the document is, it runs, and its outcome goes to the page. */
import { effect } from '@preact/signals';
import { announcement, document, isRunning, opened, outcome, runs } from '../state.ts';
import type { RunOutcome } from './outcome.ts';
import { startRun } from './start.ts';

let end: (() => void) | undefined;

export async function run(): Promise<void> {
  if (isRunning.value) return;
  const of = opened.value;
  // Of a document that is no longer there nothing is told.
  const show = (next: RunOutcome) => {
    if (opened.value === of) outcome.value = next;
  };
  show({ kind: 'running', text: 'Compiling…' });
  isRunning.value = true;
  announcement.value = 'Running';
  const running = startRun(document.value, show);
  end = running.end;
  const result = await running.done;
  end = undefined;
  const last = outcome.value;
  show(result.kind === 'stopped' && last.kind === 'program' ? { ...last, exitCode: 'stopped' } : result);
  isRunning.value = false;
  runs.value += 1;
  announcement.value = announced(result);
}

function announced(result: RunOutcome): string {
  if (result.kind === 'failed') return `Failed: ${result.message}`;
  return result.kind === 'stopped' ? 'Stopped' : 'Done';
}

/** Ends what runs, wherever it is. */
export function stop(): void {
  end?.();
}

// Another document ends the run of the one before it.
effect(() => {
  void opened.value;
  stop();
});
