/** The page's side of the worker that runs things. It is started by the first run, and kept for the next. */
import type { CheckReply } from '../check/messages.ts';
import type { Document } from '../document.ts';
import { profiled } from '../state.ts';
import { givenFiles } from './files.ts';
import type { Running, RunReply, RunRequest } from './messages.ts';
import type { RunOutcome } from './outcome.ts';

/** A worker, and the files that it has. */
interface Runner {
  readonly worker: Worker;
  readonly has: Set<Blob>;
}

let kept: Runner | undefined;

function startRunner(): Runner {
  return {
    worker: new Worker(new URL('./run-worker.ts', import.meta.url), { type: 'module' }),
    has: new Set(),
  };
}

function post({ worker, has }: Runner, ask: RunRequest['ask'], document: Document): void {
  const files = new Map([...givenFiles()].filter(([, blob]) => !has.has(blob)));
  for (const blob of files.values()) has.add(blob);
  const request: RunRequest = { ask, document, files };
  worker.postMessage(request);
}

/** Runs a document; `show` gets what there is before the end. One at a time. */
export function startRun(document: Document, show: (outcome: RunOutcome) => void): Running {
  kept ??= startRunner();
  const runner = kept;
  const { worker } = runner;
  let settle: (outcome: RunOutcome) => void;
  const done = new Promise<RunOutcome>((resolve) => {
    settle = resolve;
  });
  const onError = ({ message }: ErrorEvent) => {
    // It could not be loaded, or has died: the next run starts another.
    worker.terminate();
    if (kept === runner) kept = undefined;
    settle({ kind: 'failed', message: message || 'What runs kernels could not be loaded.' });
  };
  const onMessage = ({ data }: MessageEvent<RunReply>) => {
    if ('soFar' in data) show(data.soFar);
    else if ('ended' in data) {
      profiled.value = data.profiled;
      settle(data.ended);
    }
  };
  worker.addEventListener('message', onMessage);
  worker.addEventListener('error', onError);
  void done.then(() => {
    worker.removeEventListener('message', onMessage);
    worker.removeEventListener('error', onError);
  });
  post(runner, 'run', document);
  return {
    done,
    end() {
      // With everything that it has started.
      worker.terminate();
      if (kept === runner) kept = undefined;
      settle({ kind: 'stopped' });
    },
  };
}

/** Runs the document's launch with every access to memory checked, on a thread that does nothing else. Never throws. */
export function startCheck(document: Document): Promise<CheckReply> {
  const runner = startRunner();
  const { worker } = runner;
  return new Promise<CheckReply>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<RunReply>) => {
      if ('checked' in data) resolve(data.checked);
    });
    worker.addEventListener('error', ({ message }) =>
      resolve({ failure: message || 'the checker could not be loaded' }),
    );
    post(runner, 'check', document);
  }).finally(() => worker.terminate());
}
